"""Why the table refuses: a closed list of reasons and the one exception that carries them.

The names are those of the proto's `RefusalReason` and of `servito_wire.refusals.ROWS`; a test holds the three
together. Reasons of the core keep their names. A refusal changes nothing; its message says what is allowed
and names no card that is hidden.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from servito_core.refusals import Refused


class TableReason(StrEnum):
    """What is wrong with a request; the proto says of each whose fault it is and whether to try again."""

    MALFORMED = "malformed"
    UNAUTHENTICATED = "unauthenticated"
    NOT_PERMITTED = "not_permitted"
    UNKNOWN_TABLE = "unknown_table"
    REQUEST_ID_REUSED = "request_id_reused"
    INVALID_CONFIG = "invalid_config"
    UNKNOWN_HAND = "unknown_hand"
    UNKNOWN_TEMPLATE = "unknown_template"
    SEAT_TAKEN = "seat_taken"
    NO_SUCH_SEAT = "no_such_seat"
    BUY_IN_OUT_OF_LIMITS = "buy_in_out_of_limits"
    ALREADY_SEATED = "already_seated"
    NOT_SEATED = "not_seated"
    TABLE_FULL = "table_full"
    SEAT_RESERVED = "seat_reserved"
    ALREADY_WAITING = "already_waiting"
    NOT_WAITING = "not_waiting"
    SEAT_FREE = "seat_free"
    HAND_NOT_RUNNING = "hand_not_running"
    NOT_IN_HAND = "not_in_hand"
    NOT_YOUR_TURN = "not_your_turn"
    STALE_TURN = "stale_turn"
    OPENERS_REQUIRED = "openers_required"
    ACTION_NOT_AVAILABLE = "action_not_available"
    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"
    TOO_MANY_DISCARDS = "too_many_discards"
    CARD_NOT_HELD = "card_not_held"
    DUPLICATE_CARD = "duplicate_card"
    TOO_LATE = "too_late"
    NO_PROPOSAL = "no_proposal"
    PROPOSAL_OPEN = "proposal_open"
    STALE_PROPOSAL = "stale_proposal"
    ALREADY_ANSWERED = "already_answered"
    TABLE_CLOSED = "table_closed"
    NOTHING_TO_CHANGE = "nothing_to_change"
    CONTENDED = "contended"
    OUTCOME_UNKNOWN = "outcome_unknown"
    UNAVAILABLE = "unavailable"
    INTERNAL = "internal"


class TableRefused(Exception):  # noqa: N818 - said as in "the request was refused"
    """A request that the table does not carry out. `version` is the table's when it was refused, 0 if none
    was read.
    """

    def __init__(self, reason: TableReason, message: str, version: int = 0) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.version = version

    @classmethod
    def of_hand(cls, refused: Refused) -> Self:
        """The same refusal, as the core stated it."""
        return cls(TableReason[refused.reason.name], refused.message)

    def at(self, version: int) -> Self:
        """This refusal, naming the version of the table that it was decided on."""
        self.version = version
        return self


class Unavailable(TableRefused):
    """A server or service that is needed does not answer; nothing was changed."""

    def __init__(self, who: str) -> None:
        super().__init__(TableReason.UNAVAILABLE, f"{who} does not answer; nothing was changed, try again")


class ArchiveBehind(TableRefused):
    """No hand begins: too many commits wait to be archived. `entries` in the partition's audit stream."""

    def __init__(self, entries: int) -> None:
        super().__init__(
            TableReason.UNAVAILABLE,
            f"{entries} commits wait to be archived: running hands are played to their end, and the next one "
            "begins when the archive has caught up",
        )


class Stopping(TableRefused):
    """This process takes no new streams; others do."""

    def __init__(self) -> None:
        super().__init__(TableReason.UNAVAILABLE, "this server is being stopped; open the stream again")


class OutcomeUnknown(TableRefused):
    """The state server did not answer a commit: it may have been made."""

    def __init__(self) -> None:
        super().__init__(
            TableReason.OUTCOME_UNKNOWN,
            "the state server did not answer in time; send the same request again to learn what became of it",
        )


class Unsafe(TableRefused):
    """It was carried out, but may be lost with the server that did it: no answer yet."""

    def __init__(self) -> None:
        super().__init__(
            TableReason.OUTCOME_UNKNOWN,
            "this was carried out, but no replica has acknowledged it; send the same request again to learn "
            "whether it stays",
        )


class NotDue(Exception):  # noqa: N818 - it says what is the case
    """The wait that was to be ended has not come to its end, or has none; nothing was changed."""
