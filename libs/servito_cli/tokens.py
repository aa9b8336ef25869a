"""`servito token`: keys and tokens, for services and for trying production mode out."""

from __future__ import annotations

import os
from pathlib import Path

from servito_cli.console import UNUSABLE, complain, output
from servito_platform.identity import Role
from servito_platform.token_signing import new_key, sign


def run_key(file: Path, kid: str, roles: list[Role]) -> int:
    """Writes a secret key that only its owner may read, prints the public part; the exit code."""
    secret, public = new_key(kid, roles)
    try:
        _write(file, secret)
    except OSError as wrong:
        complain(f"{file}: {wrong.strerror}")
        return UNUSABLE
    output().print(public, markup=False)
    return 0


def run_sign(
    key: Path, name: str, role: Role, issuer: str, audience: str, hours: float, out: Path | None
) -> int:
    """Prints a token, or puts it into `out` in one step, as a running service expects it; the exit code."""
    try:
        secret = key.read_text(encoding="utf-8")
        token = sign(secret, name=name, role=role, issuer=issuer, audience=audience, seconds=3600 * hours)
        if out is not None:
            draft = out.with_name(f"{out.name}.new")
            draft.unlink(missing_ok=True)
            _write(draft, token)
            draft.replace(out)
    except (OSError, ValueError) as wrong:
        complain(str(wrong))
        return UNUSABLE
    if out is None:
        output().print(token, markup=False)
    return 0


def _write(file: Path, text: str) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(file, flags, 0o600), "w", encoding="utf-8") as opened:
        opened.write(f"{text}\n")
