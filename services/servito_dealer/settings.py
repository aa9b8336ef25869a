"""What the dealer is told besides what every service is (`servito_platform.settings`). Times are seconds.

The seal keys are what an attacker needs besides the state server to see cards: only the dealer is given
them, they are never logged, and there is no default, because a key that is made anew at every start would
lose the running hands.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, SecretStr

from servito_platform.seal_keys import parse_seal_keys
from servito_platform.settings import ServiceSettings

_DAY = 24 * 3600


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
