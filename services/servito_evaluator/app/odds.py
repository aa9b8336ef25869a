"""The use cases that look ahead: what a draw may make of a hand, and whether an opponent may open.

Exact: every possibility is counted and none is sampled; what would take too long is not answered. A card that
the asker has not seen is as likely to be anywhere as any other. Every count is made in small pieces, between
which the other calls of the process get their turn, and only one at a time.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeVar

from servito_core.cards import deck_from
from servito_core.ranking import NotAHandError, check_holding
from servito_evaluator.app.draws import draw_counts
from servito_evaluator.app.opening_chances import opening_chances
from servito_evaluator.app.shelf import judge_for

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Generator, Sequence

    from servito_core.cards import Card
    from servito_core.rules import RankingRules
    from servito_core.rules.ruleset import OpenDraw, Requirement
    from servito_evaluator.app.draws import Outcome
    from servito_evaluator.app.opening_chances import Chance
    from servito_evaluator.app.ports import Tally

Result = TypeVar("Result")

FEW_PIECES: Final = 50
"""A count of no more, of some milliseconds each, needs no large arrays."""


def _nothing() -> None:
    """Nothing to do after a count."""


class Odds:
    """Counts for whoever asks; keeps nothing. `counted` is called in a thread after counts of some length:
    their arrays leave tens of megabytes behind in the process that nobody uses any more.
    """

    def __init__(self, tally: Tally, counted: Callable[[], None] = _nothing) -> None:
        self._tally = tally
        self._counted = counted
        self._one_at_a_time = asyncio.Lock()

    async def after_draw(
        self,
        hand: Sequence[Card],
        kept: Sequence[Card],
        dead: Sequence[Card],
        rules: RankingRules,
        lowest: int,
    ) -> Counter[Outcome]:
        """How many of the possible draws make each outcome of the `kept` cards of `hand`.

        `dead`: cards elsewhere that the asker knows. `NotAHandError` if these are not different cards of the
        deck, or one is kept that is not held.
        """
        if len(hand) != 5:
            raise NotAHandError("a hand is five cards")
        if len(set(kept)) < len(kept) or not set(kept) <= set(hand):
            raise NotAHandError("what is kept are cards of the hand, each once")
        unseen = _unseen([*hand, *dead], lowest)
        if len(unseen) < len(hand) - len(kept):
            raise NotAHandError("there are not enough cards left to draw")
        counts = await self._count(draw_counts(judge_for(rules, lowest), kept, unseen))
        self._tally.judged("odds", counts.total())
        return counts

    async def some_opens(
        self,
        known: Sequence[Card],
        opponents: int,
        requirement: Requirement,
        draw: OpenDraw,
        rules: RankingRules,
        lowest: int,
    ) -> list[Chance]:
        """The chance that one at least of the first 1, 2, ... `opponents` holds what opens.

        `known`: the asker's cards and those that he knows elsewhere. The list ends early where more opponents
        cannot be counted in bounded time. `NotAHandError` if the known are not different cards of the deck,
        or the others are too few.
        """
        unseen = _unseen(known, lowest)
        if len(unseen) < 5 * opponents:
            raise NotAHandError(
                f"{opponents} opponents do not get five cards each of {len(unseen)} unseen ones"
            )
        counting = opening_chances(judge_for(rules, lowest), unseen, requirement, draw, opponents)
        chances = await self._count(counting)
        self._tally.judged("odds", chances[0].total)
        return chances

    async def _count(self, counting: Generator[None, None, Result]) -> Result:
        async with self._one_at_a_time:
            pieces = 0
            try:
                while True:
                    try:
                        next(counting)
                    except StopIteration as end:
                        result: Result = end.value
                        return result
                    pieces += 1
                    await asyncio.sleep(0)
            finally:
                counting.close()
                if pieces > FEW_PIECES:
                    await asyncio.to_thread(self._counted)


def _unseen(known: Sequence[Card], lowest: int) -> list[Card]:
    if known:
        check_holding(known, lowest)
    return [card for card in deck_from(lowest) if card not in known]
