"""A spectator at every table, by the SDK alone: folds what is told and adds up the chips after every commit.

Whatever players see must add up for them: stacks and pot change by what came in and went out, and by nothing
else. Here: that sum, and the folded view for a comparison with the server's own at the end. Not here: hidden
cards, which a spectator never sees.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from servito_client.errors import Refusal, TableError
from servito_client.following import Following
from servito_client.messages import (
    CarriedReturned,
    Event,
    PlayerSat,
    PlayerStood,
    TableView,
    ToppedUp,
    hand_runs,
)
from servito_client.updates import Snapshot, Told, Update

if TYPE_CHECKING:
    from collections import Counter

    from servito_client.client import Servito

_PATIENCE: Final = 10.0
_PAUSE: Final = 0.1


def chips_of(view: TableView) -> int:
    """All chips that a table shows."""
    return sum(seat.stack for seat in view.seats) + (view.hand.pot if hand_runs(view) else view.carried)


def moved(event: Event) -> int:
    """Chips that an event brings in, or takes away (negative)."""
    match event:
        case PlayerSat():
            return event.buy_in
        case ToppedUp():
            return event.amount
        case PlayerStood():
            return -event.cashed_out
        case CarriedReturned():
            return -sum(share.amount for share in event.shares if not share.HasField("seat"))
    return 0


class Watcher:
    """See the module. `problems`: sentences, when the chips that were shown did not add up."""

    def __init__(self, servito: Servito, table_id: str, errors: Counter[str]) -> None:
        self.table_id = table_id
        self.problems: list[str] = []
        self._servito = servito
        self._errors = errors
        self._following = Following()
        self._chips = 0

    async def watch(self) -> None:
        """Until cancelled; begins anew where the stream was given up."""
        while True:
            try:
                async for told in self._servito.watch(self.table_id):
                    self.take(told)
            except TableError as error:
                self._errors[error.reason if isinstance(error, Refusal) else "no answer"] += 1
                await asyncio.sleep(_PAUSE)

    def take(self, told: Told) -> None:
        """Takes in one message."""
        self._following.take(told)
        if isinstance(told, Snapshot):
            self._chips = chips_of(told.table)
        if isinstance(told, Update):
            self._chips += sum(moved(event) for event in told.events)
            shown = chips_of(self._following.view)
            if shown != self._chips and len(self.problems) < 3:
                self.problems.append(
                    f"table {self.table_id}: version {told.version} shows {shown} chips, not {self._chips}"
                )

    async def compared(self) -> str | None:
        """How the folded table differs from the server's; None where it is the same. For a quiet table."""
        end = asyncio.get_running_loop().time() + _PATIENCE
        while True:
            there = _timeless(await self._servito.table(self.table_id))
            here = _timeless(self._following.view)
            if here == there:
                return None
            if asyncio.get_running_loop().time() > end:
                return (
                    f"table {self.table_id}: folded version {here.version} is not the server's"
                    f" {there.version}: {_differing(here, there)}"
                )
            await asyncio.sleep(_PAUSE)


def _timeless(view: TableView) -> TableView:
    """Without what is different from moment to moment."""
    copy = TableView()
    copy.CopyFrom(view)
    copy.hand.ClearField("remaining_ms")
    if not hand_runs(copy):  # then it names no turn of the hand, and only updates tell of it
        copy.hand.ClearField("turn_id")
    return copy


def _differing(here: TableView, there: TableView) -> str:
    """The lines of the text form that are in one of them only."""
    one, other = (str(view).splitlines() for view in (here, there))
    return "; ".join(line.strip() for line in [*set(one) ^ set(other)][:8])
