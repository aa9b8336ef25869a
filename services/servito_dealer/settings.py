"""What the dealer is told besides what every service is (`servito_platform.settings`). Times are seconds.

The seal keys are what an attacker needs besides the state server to see cards: only the dealer is given
them, they are never logged, and there is no default, because a key that is made anew at every start would
lose the running hands.
"""

from __future__ import annotations

from base64 import b64decode
from binascii import Error as Base64Error
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr

from servito_platform.settings import ServiceSettings

KEY_BYTES = 32
_DAY = 24 * 3600


def parse_seal_keys(text: str) -> dict[str, bytes]:
    """`id:base64,id:base64`: AES-256 keys by id, in the order written.

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
            raise ValueError(f"key {name} has {len(keys[name])} bytes, AES-256 needs {KEY_BYTES}")
    return keys


def _checked(secret: SecretStr) -> SecretStr:
    parse_seal_keys(secret.get_secret_value())
    return secret


class DealerSettings(ServiceSettings):
    """Settings of the dealer."""

    dealer_seal_keys: Annotated[SecretStr, AfterValidator(_checked)]
    """`id:base64,id:base64`. New records are sealed under the first key; the others open older ones
    (rotation: put the new key in front, drop the old one when `dealer_record_seconds` have passed).
    """

    dealer_record_seconds: int = Field(default=7 * _DAY, ge=60, le=400 * _DAY)
    """How long a hand is kept after its last entry."""

    dealer_scheme: Literal[1, 2] = 2
    """How hands are opened: 2 with commitments and the players' entropy, 1 as the release before did, which
    cannot deal hands of scheme 2. For an upgrade that lets no hand wait: 1 until every dealer is new.
    """

    dealer_recent_hands: int = Field(default=2048, ge=1, le=1_000_000)
    """Hands that a process keeps in memory to spare reads; about 8 kB each."""

    def sealing_keys(self) -> dict[str, bytes]:
        """See SecuritySettings."""
        return {f"SERVITO_DEALER_SEAL_KEYS {name}": key for name, key in self.seal_keys().items()}

    def seal_keys(self) -> dict[str, bytes]:
        """The keys by id, the active one first."""
        return parse_seal_keys(self.dealer_seal_keys.get_secret_value())
