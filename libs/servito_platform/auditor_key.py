"""`python -m servito_platform.auditor_key FILE ID`: a key for the auditor.

Writes the private one to FILE, `id:base64`, which only its owner may read, and prints the public one, which
is the table service's SERVITO_TABLE_AUDITOR_KEY. ID names it in every seal: `a1`, `a2`, ... Run it where the
auditor works: the private key opens every hand of the archive and belongs on no machine that runs Servito. It
is made nowhere else.
"""

from __future__ import annotations

import os
import sys
from base64 import b64encode
from pathlib import Path
from typing import TYPE_CHECKING

from servito_platform.audit_seal import new_auditor_key
from servito_platform.seal_keys import parse_seal_keys

if TYPE_CHECKING:
    from collections.abc import Sequence


def write_auditor_key(file: Path, name: str) -> str:
    """Make one, and give the public half back, `id:base64`. FileExistsError: it would replace another key."""
    private, public = new_auditor_key()
    shown = f"{name}:{b64encode(public).decode()}"
    parse_seal_keys(shown)
    with os.fdopen(
        os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii"
    ) as opened:
        opened.write(f"{name}:{b64encode(private).decode()}\n")
        opened.flush()
        os.fsync(opened.fileno())
    return shown


def read_auditor_keys(file: Path) -> dict[str, bytes]:
    """The private keys in a file by id, one a line. OSError, or ValueError that names no key."""
    lines = file.read_text(encoding="ascii").split()
    return parse_seal_keys(",".join(lines))


def main(arguments: Sequence[str]) -> int:
    """Exit code 2 for a wrong call, 1 where the file cannot be written."""
    if len(arguments) != 2:
        sys.stderr.write("usage: python -m servito_platform.auditor_key FILE ID\n")
        return 2
    try:
        shown = write_auditor_key(Path(arguments[0]), arguments[1])
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    except OSError as error:
        sys.stderr.write(f"{arguments[0]}: {error.strerror}\n")
        return 1
    sys.stdout.write(f"SERVITO_TABLE_AUDITOR_KEY={shown}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
