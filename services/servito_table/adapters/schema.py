"""The form of a stored table by its number: which ones this release reads, and how the one before differs.

Everything else in this service knows the newest form only: a table of the one before is raised to it when it
is read, and lowered when it is written, until a setting says that no process of the release before is left.
How the next form is made: DECISIONS.md, "The next schema". Changes with store.proto.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from google.protobuf.message import DecodeError

from servito.table.v1 import store_pb2 as store
from servito_table.app.acting_events import ClockRestored
from servito_table.app.deal_events import DeckCommitted, EntropySet, RefillCommitted
from servito_table.app.events import PlayerSat
from servito_table.app.refusals import TableReason, TableRefused

if TYPE_CHECKING:
    from servito_table.app.events import TableEvent

FIRST: Final = 1
SEALED: Final = 3
"""From here on what is hidden of tables and commits is sealed (sealing.py). Form 2, which no release but
development ever wrote, differs from it in that alone. Between the first and these: the seats that have acted
and spoken are numbers, each was a byte string of two; seats have players' entropy, and commits tell what the
dealer is bound to, and of clocks that were given back.
"""
NEWEST: Final = SEALED
OLDEST: Final = FIRST
WRITABLE: Final = (FIRST, NEWEST)
"""This release's and that of the one before."""
_UNTOLD: Final = (ClockRestored, DeckCommitted, RefillCommitted)
"""Events that the stream goes without in the first form: nothing follows from them but what they tell."""


class UnreadableState(TableRefused):
    """The state server holds something in a form that this release does not read. Another process may: it was
    written by one.
    """

    def __init__(self, what: str, by: str = "it was written by a newer release") -> None:
        super().__init__(TableReason.UNAVAILABLE, f"{what}; {by}, nothing was changed")


class Outdated(UnreadableState):
    """Something in a form that this server was told to read no more, since anybody who can write to the state
    server could put it there.
    """

    def __init__(self, what: str) -> None:
        super().__init__(what, "SERVITO_TABLE_OLDEST_SCHEMA says that there is no such form any more")


class NotYet(TableRefused):
    """A state that the form which is written has no room for."""

    def __init__(self, what: str) -> None:
        super().__init__(
            TableReason.UNAVAILABLE,
            f"{what} cannot be stored while the release before runs as well: SERVITO_TABLE_SCHEMA is {FIRST}",
        )


def check(what: str, schema: int, newest: int, oldest: int = 1) -> None:
    """Raise UnreadableState unless this release reads it."""
    if schema > newest or schema < 1:
        known = f"this server reads {oldest} to {newest}"
        raise UnreadableState(f"{what} is stored in form {schema} and {known}")
    if schema < oldest:
        raise Outdated(f"{what} is stored in form {schema}")


def check_unsealed(hiding: bool, oldest: int) -> None:
    """Raise Outdated for an entry of a stream that hides something and should have a seal."""
    if hiding and oldest >= SEALED:
        raise Outdated("an event of the table is not sealed")


def read_table(stored: bytes, oldest: int = OLDEST) -> store.StoredTable:
    """A stored table in the newest form, or sealed in it. Raises UnreadableState; DecodeError for what no
    release has written.
    """
    table = store.StoredTable.FromString(stored)
    if not table.schema:
        raise DecodeError("a stored table without its form")
    check("the table", table.schema, NEWEST, oldest)
    if table.schema == FIRST and table.HasField("hand"):
        hand = table.hand
        hand.acted_seats = int.from_bytes(hand.acted, "little")
        hand.spoke_seats = int.from_bytes(hand.spoke, "little")
    return table


def lower_events(events: tuple[TableEvent, ...]) -> tuple[TableEvent, ...]:
    """Those that a reader of the first form knows, and what it knows of them. Raises NotYet for one that may
    not be left out.
    """
    if any(isinstance(event, EntropySet) for event in events):
        raise NotYet("players' entropy")
    return tuple(
        replace(event, time_banks=None) if isinstance(event, PlayerSat) else event
        for event in events
        if not isinstance(event, _UNTOLD)
    )


def lower_hand(hand: store.StoredHand) -> None:
    """Give a hand of the newest form that of the first."""
    hand.acted = hand.acted_seats.to_bytes(2, "little")
    hand.spoke = hand.spoke_seats.to_bytes(2, "little")
    hand.ClearField("acted_seats")
    hand.ClearField("spoke_seats")
