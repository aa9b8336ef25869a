"""What proofs cost the dealer: the deck of a hand with commitments against one without, and a whole hand.

In process, without a transport: seal, store and messages cost the same with and without. A whole hand is the
deal and every player's draw, with the refills that this needs.
"""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Final

from servito_dealer.app.record import replay
from servito_dealer.app.requests import DealEntry, Dealt, Drawn, Opening
from servito_dealer.app.source import COMMITTED, PLAIN
from tests.bench.measure import Row, cpu_rate, interleaved
from tests.dealer.player import TableSide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.bench.measure import Context

SECONDS: Final = 0.4
DEALS: Final = 50
HANDS: Final = (Opening("t1-1", 9, 2, 4), Opening("t1-1", 5, 6, 4), Opening("t1-1", 2, 9, 4))


def dealt(opening: Opening, scheme: int) -> int:
    """Some hands, dealt."""
    for _ in range(DEALS):
        replay(os.urandom(32), opening, (DealEntry(),), scheme)
    return DEALS


def played(opening: Opening, scheme: int) -> int:
    """One hand, in which everybody changes three cards."""
    table = TableSide()
    record = replay(os.urandom(32), opening, (DealEntry(),), scheme)
    first = record.answers[0]
    assert isinstance(first, Dealt)
    table.take_deal(first)
    for slot in range(opening.slots):
        table.discard(slot, 3)
        order = table.order(slot, 3)
        record = record.enter(order)
        drawn = record.answers[-1]
        assert isinstance(drawn, Drawn)
        table.take_draw(order, drawn)
    return 1


def measure(context: Context) -> Iterator[Row]:
    """Deals and whole hands, by the size of the table."""

    def rate(work: Callable[[], int]) -> Callable[[], float]:
        return partial(cpu_rate, work, context.seconds(SECONDS))

    for opening in HANDS:
        for what, work in (("dealt", dealt), ("dealt and drawn to", played)):
            with_proofs, without = partial(work, opening, COMMITTED), partial(work, opening, PLAIN)
            rates = interleaved(context, {"with": rate(with_proofs), "without": rate(without)})
            named = f"hands of {opening.slots}, {opening.deck_size} cards, {what}"
            yield Row(named, rates["with"], "without proofs", rates["without"])
