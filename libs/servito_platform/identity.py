"""Who a caller is, as a verifier found it: a name, what he is to us, and until when that is believed.

Here: the value and its roles. Not here: how it is found (caller.py for development, signed_tokens.py for
production), what a role may do (each service says so).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

SERVICE: Final = "service:"
"""What the name of a calling service begins with; no player can be called so."""


class Role(StrEnum):
    """What a caller is to us."""

    PLAYER = "player"
    OPERATOR = "operator"
    """Runs tables: may do what a player may, and create tables and templates where only operators may."""
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Identity:
    """`name`: the player's id, or `service:<name>`; `expires_at`: seconds since 1970, None: never."""

    name: str
    role: Role = Role.PLAYER
    expires_at: float | None = None


class BadCredentials(Exception):  # noqa: N818 - the word for it
    """The metadata names nobody; the text says what is expected, never what was sent."""
