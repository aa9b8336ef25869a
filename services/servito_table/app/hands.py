"""Hands as they were told: from the commits that the table's stream still has.

Pure. A hand is what lies between its `HandStarted` and its `HandEnded`, the table's own events in between
included. Who held which seat is known from the commit that began it and from nowhere else: where that is
gone, nobody is taken for anybody, and all that is left can be shown as to spectators only. What of it a
viewer is shown is for `messages.hands`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from servito_core.events import HandEnded, HandStarted
from servito_table.app.events import RulesChanged

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servito_core.events import Outcome
    from servito_table.app.commits import Known
    from servito_table.app.events import TableEvent
    from servito_table.app.ports import Kept
    from servito_table.app.state import TableConfig


@dataclass(frozen=True, slots=True)
class Happened:
    """An event, the version that it came with, and when, in milliseconds of the state server's clock."""

    version: int
    at: int
    event: TableEvent


@dataclass(frozen=True, slots=True)
class PastHand:
    """A hand, running or over. `began` is when the first event that is kept happened."""

    number: int
    began: int
    started: HandStarted | None
    """None: the beginning is no longer kept."""
    players: tuple[tuple[int, str], ...]
    """Seat and player of each who was dealt in, in speaking order; empty where that is not known."""
    happened: tuple[Happened, ...]
    outcome: Outcome | None

    def seat_of(self, player: str | None) -> int | None:
        """The seat that the player was dealt in on."""
        return next((seat for seat, own in self.players if own == player), None)


def hand_in(kept: Iterable[Kept], number: int, running: int | None) -> PastHand | None:
    """The hand of that number as `kept` has it, oldest commit first; None where nothing of it is left.

    `running` is the number of the hand that is being played, if any: of another, of which neither beginning
    nor end is kept, nothing is left, since what a table tells after a hand has its number as well.
    """
    started, outcome, began = None, None, 0
    players: tuple[tuple[int, str], ...] = ()
    happened: list[Happened] = []
    for commit in (commit for commit in kept if commit.told.hand == number):
        began = began or commit.at
        for event in commit.told.events:
            if isinstance(event, HandStarted):
                started, began = event, commit.at
                players = tuple(zip(event.seats, commit.told.players, strict=False))
                happened.clear()
            if outcome is None:
                happened.append(Happened(commit.told.version, commit.at, event))
            if isinstance(event, HandEnded):
                outcome = event.outcome
    if not began or (started is None and outcome is None and number != running):
        return None
    return PastHand(number, began, started, players, tuple(happened), outcome)


def hands_in(kept: Sequence[Kept], running: int | None) -> list[PastHand]:
    """Every hand that is left something of, the newest first."""
    by_number: dict[int, list[Kept]] = {}
    for commit in kept:
        by_number.setdefault(commit.told.hand, []).append(commit)
    hands = (hand_in(commits, number, running) for number, commits in sorted(by_number.items(), reverse=True))
    return [hand for hand in hands if hand is not None]


def config_of_hand(known: Known, kept: Iterable[Kept], number: int) -> TableConfig:
    """The configuration by which the hand was played: that of `known`, without the changes of rules that came
    with later hands. They are still kept, being newer than the hand.
    """
    options = dict(known.state.config.options)
    later = [c for c in kept if c.told.hand > number and c.told.version <= known.version]
    for commit in reversed(later):
        for event in commit.told.events:
            if isinstance(event, RulesChanged):
                options |= {change.option: change.before for change in event.changes}
    return replace(known.state.config, options=options)
