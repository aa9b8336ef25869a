"""Why the core refuses a command: a closed list of reasons and the one exception that carries them.

The reasons and the order in which they are checked are those of the hand scripts (`tests/cases/README.md`). A
refusal changes nothing. What travels on the wire is mapped from here in `servito_wire.refusals`; add a reason
in both.
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """What is wrong with a command, from the point of view of the hand."""

    HAND_NOT_RUNNING = "hand_not_running"
    NOT_IN_HAND = "not_in_hand"
    NOT_YOUR_TURN = "not_your_turn"
    MALFORMED = "malformed"
    OPENERS_REQUIRED = "openers_required"
    ACTION_NOT_AVAILABLE = "action_not_available"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    TOO_MANY_DISCARDS = "too_many_discards"
    CARD_NOT_HELD = "card_not_held"
    DUPLICATE_CARD = "duplicate_card"


class Refused(Exception):  # noqa: N818 - said as in "the command was refused"
    """A command that the hand does not accept. `message` says what is allowed and names no card that is
    hidden.
    """

    def __init__(self, reason: Reason, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
