"""A process does not stay as large as its largest count of odds was."""

from __future__ import annotations

from random import Random

import psutil

from servito_core.cards import deck_from
from servito_core.rules import RankingRules
from servito_evaluator.app.odds import Odds
from servito_evaluator.app.shelf import judge_for
from servito_platform.heap import give_back


class Unheard:
    """Nobody counts what was judged."""

    def judged(self, what: str, hands: int) -> None:
        """See `app.ports.Tally`."""


async def test_what_a_count_needed_is_given_back() -> None:
    """Five opponents of 36 cards take 200 MB for a while; what was kept for good was 50 MB."""
    process, deck = psutil.Process(), list(deck_from(6))
    known = Random(1).sample(deck, 5)
    judge_for(RankingRules(), 6)
    odds, told = Odds(Unheard(), give_back), 0
    await odds.some_opens(known, 2, "JJ", "none", RankingRules(), 6)
    give_back()
    before = process.memory_info().rss
    for opponents in (4, 5):
        told = len(await odds.some_opens(known, opponents, "JJ", "none", RankingRules(), 6))
    assert told >= 3
    assert process.memory_info().rss - before < 16_000_000
