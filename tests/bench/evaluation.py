"""What a judgement costs: the evaluator's tables in process, against the NumPy table and treys.

Ours judges with suits and circle; the peers know the order of international poker only. Hands are unsorted
and in each side's own card numbers, so nobody parses anything.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import treys

from servito_core.cards import DECK_SIZE
from servito_core.rules import preset
from servito_evaluator.app.shelf import judge_for
from servito_evaluator.app.tables import tables_for
from tests.bench.measure import Goal, Row, cpu_rate, interleaved
from tests.bench.peers import numpy_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from tests.bench.measure import Context

BATCH: Final = 16_384
SINGLE: Final = 20_000
SECONDS: Final = 0.4
DECKS: Final = (52, 36, 32)
RANKING: Final = preset("italiana").ranking
AT_LEAST_EQUAL: Final = Goal(1)


def random_hands(cards: int, count: int) -> npt.NDArray[np.uint8]:
    """So many hands of a deck of 0..cards-1, as (count, 5), unsorted."""
    rng = np.random.default_rng(1)
    return np.argsort(rng.random((count, cards), dtype=np.float32), axis=1)[:, :5].astype(np.uint8)


def lowest_rank_of(cards: int) -> int:
    """The rank where a deck of so many cards begins."""
    return 2 + (DECK_SIZE - cards) // 4


def measure(context: Context) -> Iterator[Row]:
    """Batches, single hands, and what the tables take."""
    decks = DECKS[-1:] if context.partial else DECKS  # the peer's table of 52 cards takes seconds to build
    table = numpy_table.build(decks[0])
    for cards in decks:
        yield _batch(context, cards, table)
    for cards in decks[:2]:
        yield from _single(context, cards)
    for cards in decks:
        yield from _tables(context, cards)


def _batch(context: Context, cards: int, table: npt.NDArray[np.uint16]) -> Row:
    theirs = random_hands(cards, BATCH)
    ours = theirs + np.uint8(DECK_SIZE - cards)
    judge = judge_for(RANKING, lowest_rank_of(cards))

    def judged() -> int:
        return len(judge.strengths(ours))

    def looked_up() -> int:
        return len(numpy_table.lookup(table, theirs))

    rates = interleaved(context, {"ours": _rate(context, judged), "theirs": _rate(context, looked_up)})
    what = f"hands judged in batches of {BATCH:,}, {cards} cards"
    return Row(what, rates["ours"], "NumPy table", rates["theirs"], goal=AT_LEAST_EQUAL)


def _single(context: Context, cards: int) -> Iterator[Row]:
    """treys has two ways to ask; `_five` is its quicker one, `evaluate` the public one."""
    dealt = (random_hands(cards, SINGLE) + np.uint8(DECK_SIZE - cards)).tolist()
    evaluator = treys.Evaluator()
    numbers = [treys.Card.new(rank + suit) for rank in "23456789TJQKA" for suit in "scdh"]
    treys_hands = [[numbers[card] for card in hand] for hand in dealt]
    judge = judge_for(RANKING, lowest_rank_of(cards))
    rates = interleaved(
        context,
        {
            "ours": _rate(context, _each(judge.strength, dealt)),
            "_five": _rate(context, _each(evaluator._five, treys_hands)),
            "evaluate": _rate(
                context, _each(lambda hand: evaluator.evaluate(hand[:2], hand[2:]), treys_hands)
            ),
        },
    )
    what = f"single hands judged, {cards} cards"
    yield Row(what, rates["ours"], "treys _five", rates["_five"], goal=AT_LEAST_EQUAL)
    yield Row(what, rates["ours"], "treys evaluate", rates["evaluate"])


def _tables(context: Context, cards: int) -> Iterator[Row]:
    """Build time and memory, arrays and Python objects together."""
    lowest = lowest_rank_of(cards)

    def build_ours() -> object:
        return tables_for(RANKING, lowest)

    def build_theirs() -> object:
        return numpy_table.build(cards)

    took = interleaved(
        context,
        {"ours": lambda: 1e3 * _seconds(build_ours), "theirs": lambda: 1e3 * _seconds(build_theirs)},
    )
    yield Row(
        f"tables built, {cards} cards", took["ours"], "NumPy table", took["theirs"], unit=" ms", better="less"
    )
    kept = [[_kept_bytes(build) / 2**20] for build in (build_ours, build_theirs)]
    yield Row(
        f"tables kept in memory, {cards} cards", kept[0], "NumPy table", kept[1], unit=" MiB", better="less"
    )


def _rate(context: Context, work: Callable[[], int]) -> Callable[[], float]:
    return lambda: cpu_rate(work, context.seconds(SECONDS))


def _each(judge: Callable[[Any], object], hands: Sequence[object]) -> Callable[[], int]:
    def all_of_them() -> int:
        for hand in hands:
            judge(hand)
        return len(hands)

    return all_of_them


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _kept_bytes(build: Callable[[], object]) -> int:
    """What stays allocated of what `build` makes, by Python and NumPy."""
    gc.collect()
    tracemalloc.start()
    try:
        kept = build()
        gc.collect()
        size = tracemalloc.get_traced_memory()[0]
        del kept
        return size
    finally:
        tracemalloc.stop()
