"""Whether files in PEM are what they are given as: said once at the start, and not by every handshake.

Not here: using them (trust.py for gRPC, tls.py for a Redis).
"""

from __future__ import annotations

import ssl
from pathlib import Path


def check_authority(file: Path) -> None:
    """ValueError: nobody can be checked against it. OSError: it cannot be read."""
    try:
        ssl.create_default_context(cafile=str(file))
    except ssl.SSLError:
        raise ValueError(f"{file} holds no certificate (PEM)") from None


def check_pair(cert: Path, key: Path) -> None:
    """ValueError: nobody can show himself with them. OSError: one cannot be read."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=lambda: "")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise ValueError(f"{key} is the key of another certificate than {cert}") from None
        raise ValueError(f"{cert} and {key} must be a certificate and its key, not encrypted (PEM)") from None
