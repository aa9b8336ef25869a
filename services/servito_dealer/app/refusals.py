"""Why the dealer refuses: the closed list of reasons and the one exception that carries them.

The names are those of `DealerRefusal` in `dealer.proto`; `servito_wire.dealer` holds the status of each, and
a test fails when one side has a reason that the other lacks. A message names slots, positions and counts,
never a card.
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """What is wrong, from the point of view of the dealer."""

    MALFORMED = "MALFORMED"
    UNKNOWN_HAND = "UNKNOWN_HAND"
    HAND_DIFFERS = "HAND_DIFFERS"
    ENTRY_DIFFERS = "ENTRY_DIFFERS"
    ENTRY_OUT_OF_ORDER = "ENTRY_OUT_OF_ORDER"
    NOT_DUE = "NOT_DUE"
    POSITION_NOT_DEAD = "POSITION_NOT_DEAD"
    STOCK_EXHAUSTED = "STOCK_EXHAUSTED"
    UNAVAILABLE = "UNAVAILABLE"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    NOT_PERMITTED = "NOT_PERMITTED"


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not a fault
    """A request that the dealer does not carry out; nothing was dealt by it."""

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
