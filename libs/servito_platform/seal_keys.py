"""Keys that seal, as a setting gives them: `id:base64,id:base64`, the first one seals, all of them open.

Here: reading the text, whose errors name an entry and never its key, and the error of a seal that does not
open. Not here: sealing (seals.py, audit_seal.py), and which service has which keys.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as Base64Error
from typing import Final

KEY_BYTES: Final = 32
DEVELOPMENT_KEYS: Final = "dev:iAdEUSbR7e67FZoiAHf705HoTwl8WsNLF79AWT7Q29s="
"""For development where none is given: everybody knows it, and production refuses it (safety/settings.py)."""


class SealError(Exception):
    """A seal cannot be opened; the text says why and holds nothing of its content."""


def parse_seal_keys(text: str) -> dict[str, bytes]:
    """`id:base64,id:base64`: keys of 32 bytes by id, in the order written.

    ValueError names the entry that is wrong by its number and id, never its key.
    """
    keys: dict[str, bytes] = {}
    for number, entry in enumerate(text.split(","), start=1):
        name, colon, encoded = entry.strip().partition(":")
        if not (colon and name.isascii() and name.isalnum() and len(name) <= 16):
            raise ValueError(f"entry {number}: write id:base64, the id 1 to 16 letters and digits")
        if name in keys:
            raise ValueError(f"key {name} is given twice")
        try:
            keys[name] = b64decode(encoded, validate=True)
        except Base64Error:
            raise ValueError(f"key {name} is not base64") from None
        if len(keys[name]) != KEY_BYTES:
            raise ValueError(f"key {name} has {len(keys[name])} bytes, it needs {KEY_BYTES}")
    return keys
