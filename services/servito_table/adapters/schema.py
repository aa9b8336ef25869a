"""The form of a stored table by its number: which ones this release reads, and how the one before differs.

Everything else in this service knows the newest form only: a table of the one before is raised to it when it
is read, and lowered when it is written, until a setting says that no process of the release before is left.
How the next form is made: DECISIONS.md, "The next schema". Changes with store.proto.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.table.v1 import store_pb2 as store
from servito_table.app.refusals import TableReason, TableRefused

if TYPE_CHECKING:
    from collections.abc import Collection

FIRST: Final = 1
NEWEST: Final = 2
"""The seats that have acted and spoken are numbers: each was a byte string of two."""
READABLE: Final = frozenset({FIRST, NEWEST})
"""This release's and the one before."""


class UnreadableState(TableRefused):
    """The state server holds something in a form that this release does not read. Another process may: it was
    written by one.
    """

    def __init__(self, what: str) -> None:
        super().__init__(
            TableReason.UNAVAILABLE, f"{what}; it was written by a newer release, nothing was changed"
        )


def check(what: str, schema: int, readable: Collection[int] = READABLE) -> None:
    """Raise UnreadableState unless this release reads it."""
    if schema not in readable:
        numbers = " and ".join(map(str, sorted(readable)))
        raise UnreadableState(f"{what} is stored in form {schema} and this server reads {numbers}")


def read_table(stored: bytes) -> store.StoredTable:
    """A stored table in the newest form. Raises UnreadableState."""
    table = store.StoredTable.FromString(stored)
    check("the table", table.schema)
    if table.schema == FIRST and table.HasField("hand"):
        hand = table.hand
        hand.acted_seats = int.from_bytes(hand.acted, "little")
        hand.spoke_seats = int.from_bytes(hand.spoke, "little")
    return table


def lower_hand(hand: store.StoredHand) -> None:
    """Give a hand of the newest form that of the first."""
    hand.acted = hand.acted_seats.to_bytes(2, "little")
    hand.spoke = hand.spoke_seats.to_bytes(2, "little")
    hand.ClearField("acted_seats")
    hand.ClearField("spoke_seats")
