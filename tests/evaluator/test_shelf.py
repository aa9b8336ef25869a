"""Judges are kept by the memory that they take: the same rules have one judge, and no kinds of rules fill a
process.
"""

from __future__ import annotations

import gc
import tracemalloc
import weakref
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np

from servito_core.rules import RankingRules
from servito_core.rules.ranking_rules import FlushTiebreak, FlushVsFull, SuitTiebreak
from servito_evaluator.app.judge import Judge
from servito_evaluator.app.opening import may_open
from servito_evaluator.app.shelf import MOST_ROWS, Shelf, judge_for

BYTES_OF_A_ROW = 250
"""At most; 170 are measured."""
FLUSHES: tuple[FlushVsFull, ...] = ("flush", "full")
SUITS: tuple[SuitTiebreak, ...] = ("combination", "none")
TIES: tuple[FlushTiebreak, ...] = ("ranks_then_suit", "suit_first")
KINDS = [
    RankingRules(flush_vs_full=flush, suit_tiebreak=suit, flush_tiebreak=tie, sf_cycle=cycle)
    for flush, suit, tie, cycle in product(FLUSHES, SUITS, TIES, (True, False))
]


def test_the_same_rules_have_one_judge() -> None:
    """Rules are compared by value; other rules and another deck have others."""
    shelf = Shelf()
    judge = shelf.judge(RankingRules(), 9)
    assert shelf.judge(RankingRules(), 9) is judge
    assert shelf.judge(KINDS[-1], 9) is not judge
    assert shelf.judge(RankingRules(), 8).lowest == 8
    assert judge_for(RankingRules(), 9) is judge_for(RankingRules(), 9)
    shelf.forget()
    assert shelf.rows == 0
    assert shelf.judge(RankingRules(), 9) is not judge


def test_those_asked_last_are_kept() -> None:
    """Room for two judges of this deck: the one that was asked longest ago goes."""
    shelf = Shelf(most_rows=2 * Judge(KINDS[0], 9).rows)
    first, second = (shelf.judge(rules, 9) for rules in KINDS[:2])
    assert shelf.judge(KINDS[0], 9) is first
    shelf.judge(KINDS[2], 9)
    assert shelf.judge(KINDS[0], 9) is first
    assert shelf.judge(KINDS[1], 9) is not second


def test_one_that_is_too_large_is_kept_alone() -> None:
    """Or it would be built anew for every hand."""
    shelf = Shelf(most_rows=1)
    judge = shelf.judge(KINDS[0], 9)
    assert shelf.judge(KINDS[0], 9) is judge
    assert shelf.judge(KINDS[1], 9) is not judge
    assert shelf.rows == judge.rows


def test_what_is_given_up_is_gone() -> None:
    """With all that was worked out for it; nothing else holds it."""
    shelf = Shelf(most_rows=1)
    judge = shelf.judge(KINDS[0], 9)
    may_open(judge, np.array([[51, 50, 49, 48, 47]], np.uint8), "JJ", "flush4")
    gone = weakref.ref(judge)
    del judge
    shelf.judge(KINDS[1], 9)
    gc.collect()
    assert gone() is None


def test_no_kinds_of_rules_fill_a_process() -> None:
    """Sixteen kinds of rules, twice as many as the shelf holds: memory stays where the rows say."""
    shelf, wanted = Shelf(most_rows=20_000), KINDS
    shelf.judge(wanted[0], 6)
    gc.collect()
    tracemalloc.start()
    try:
        before, rows = tracemalloc.get_traced_memory()[0], shelf.rows
        for rules in wanted[1:]:
            shelf.judge(rules, 6)
        gc.collect()
        more = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert rows < shelf.rows <= 20_000 < MOST_ROWS
    assert more < BYTES_OF_A_ROW * shelf.rows


def test_threads_share_a_judge() -> None:
    """Whoever builds it first: all who ask at once get the same."""
    shelf = Shelf()
    with ThreadPoolExecutor(8) as pool:
        judges = set(pool.map(lambda _: shelf.judge(RankingRules(), 9), range(32)))
    assert len(judges) == 1
    assert shelf.rows == judges.pop().rows
