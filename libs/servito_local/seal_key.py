"""The dealer's key on one machine: made once and kept, so that hands sealed before a restart open again.

For development only. In production the key comes from a secret store and never lies beside the sealed data.
"""

from __future__ import annotations

import base64
import os
import secrets
from pathlib import Path

_KEY_BYTES = 32
SEAL_KEY = "seal.key"


def seal_key(data_dir: Path) -> str:
    """The key in base64, from the file `seal.key` that only its owner may read; made when there is none."""
    file = data_dir / SEAL_KEY
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
