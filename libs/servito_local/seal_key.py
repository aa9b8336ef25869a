"""The keys of one machine: made once and kept, so that what was sealed before a restart opens again.

For development only. In production they come from a secret store and never lie beside the sealed data, and
the auditor's private key is on no machine that runs a service.
"""

from __future__ import annotations

import base64
import os
import secrets
from pathlib import Path
from typing import Final

from servito_platform.audit_seal import public_of
from servito_platform.auditor_key import read_auditor_keys, write_auditor_key

_KEY_BYTES = 32
SEAL_KEY: Final = "seal.key"
"""The dealer's."""
TABLE_KEY: Final = "table.key"
"""The table service's."""
AUDITOR_KEY: Final = "auditor.key"
"""The auditor's private one, `id:base64`."""
_ID: Final = "local"


def seal_key(data_dir: Path, name: str = SEAL_KEY) -> str:
    """The key in base64, from a file that only its owner may read; made when there is none."""
    file = data_dir / name
    if not file.exists():
        # Written under another name first: a half-written key would make every later start fail.
        draft = file.with_suffix(".new")
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(base64.b64encode(secrets.token_bytes(_KEY_BYTES)))
            opened.flush()
            os.fsync(opened.fileno())
        draft.rename(file)
    return file.read_text(encoding="ascii").strip()


def dealer_keys(data_dir: Path) -> dict[str, str]:
    """What the dealer alone is told."""
    return {"SERVITO_DEALER_SEAL_KEYS": f"{_ID}:{seal_key(data_dir)}"}


def table_keys(data_dir: Path) -> dict[str, str]:
    """What the table service alone is told."""
    file = data_dir / AUDITOR_KEY
    if not file.exists():
        draft = file.with_suffix(".new")
        draft.unlink(missing_ok=True)
        write_auditor_key(draft, _ID)
        draft.rename(file)
    [(name, private)] = read_auditor_keys(file).items()
    return {
        "SERVITO_TABLE_SEAL_KEYS": f"{_ID}:{seal_key(data_dir, TABLE_KEY)}",
        "SERVITO_TABLE_AUDITOR_KEY": f"{name}:{base64.b64encode(public_of(private)).decode()}",
    }
