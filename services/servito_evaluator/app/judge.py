"""Reading the tables: what hands are worth, one at a time or many at once.

A `Judge` belongs to one deck and one set of ranking rules; `shelf` keeps some. Many hands are an (n, 5) array
of uint8 card numbers, in any order; one hand is five card numbers. A table asks about a handful, for which
arrays cost ten times as much as one hand after the other. Equal to `servito_core.ranking` for every
hand: that is tested exhaustively. Who wins among strengths is in `winning`, who may open in `opening`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from servito_core.cards import DECK_SIZE, lowest_card
from servito_core.ranking import NotAHandError
from servito_evaluator.app.numbering import (
    CARD_BIT_ARRAY,
    CARD_KEYS,
    CARD_WEIGHT_ARRAY,
    PAIR_KEYS,
    SUM_BITS,
    SUM_MASK,
)
from servito_evaluator.app.tables import HIGHEST_SUIT, HIGHEST_SUIT_ARRAY, tables_for

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    from servito_core.rules import RankingRules
    from servito_core.rules.ruleset import OpenDraw, Requirement
    from servito_core.values import HandValue
    from servito_evaluator.app.tables import SingleEntry, Tables

    Hands = npt.NDArray[np.uint8]
    Rows = npt.NDArray[np.intp]
    Bits = npt.NDArray[np.uint64]
    Flags = npt.NDArray[np.bool_]


class Judge:
    """Judges hands of the deck from rank `lowest` to the ace under `rules`."""

    def __init__(self, rules: RankingRules, lowest: int) -> None:
        self.rules = rules
        self.lowest = lowest
        self.tables = tables_for(rules, lowest)
        self.strength: Callable[[Sequence[int]], int] = _one_at_a_time(self.tables)
        """The strength of five different cards of the deck, unchecked."""
        self.opens: dict[Requirement, Flags] = {}
        self.masks: dict[OpenDraw, tuple[int, ...]] = {}
        """Of `opening`: what it worked out for this judge."""

    @property
    def rows(self) -> int:
        """How large its tables are."""
        return len(self.tables.shapes)

    def place(self, hand: Sequence[int]) -> tuple[int, int]:
        """The row of one hand in the tables and the union of its card bits; unchecked, as `strength`."""
        a, b, c, d, e = hand
        key = PAIR_KEYS[a][b] + PAIR_KEYS[c][d] + CARD_KEYS[e]
        row = self.tables.multiset_by_sum[key & SUM_MASK]
        if not ((a ^ b) | (a ^ c) | (a ^ d) | (a ^ e)) & 3:
            row += self.tables.several_suits
        return row, key >> SUM_BITS

    def value(self, hand: Sequence[int]) -> HandValue:
        """What five different cards of the deck are worth, unchecked."""
        row, bits = self.place(hand)
        shape = self.tables.shapes[row]
        if shape.suit_rank is None:
            return shape.value(None)
        return shape.value(HIGHEST_SUIT[bits >> 4 * (shape.suit_rank - 2) & 15])

    def strengths(self, hands: Hands) -> npt.NDArray[np.uint32]:
        """The strength of each hand; `NotAHandError` if one is not five different cards of the deck."""
        rows, bits = self.read(hands)
        strengths = self._suits(rows, bits)
        strengths *= self.tables.suit_unit.take(rows)
        strengths += self.tables.strength.take(rows)
        return strengths

    def values(self, hands: Hands) -> list[HandValue]:
        """What each hand is worth, as `servito_core.ranking.rank`; raises as `strengths` does."""
        rows, bits = self.read(hands)
        shapes = (self.tables.shapes[row] for row in rows)
        suits = self._suits(rows, bits).tolist()
        return [
            shape.value(None if shape.suit_rank is None else suit)
            for shape, suit in zip(shapes, suits, strict=True)
        ]

    def read(self, hands: Hands) -> tuple[Rows, Bits]:
        """The row of each hand in the tables and the union of its card bits; raises as `strengths` does."""
        _check(hands, self.lowest)
        first, *rest = (hands[:, place].astype(np.intp) for place in range(5))
        sums, bits = CARD_WEIGHT_ARRAY.take(first), CARD_BIT_ARRAY.take(first)
        differences = np.zeros(len(hands), np.uint8)
        for place, cards in enumerate(rest, 1):
            sums += CARD_WEIGHT_ARRAY.take(cards)
            bits |= CARD_BIT_ARRAY.take(cards)
            differences |= hands[:, 0] ^ hands[:, place]
        if np.bitwise_count(bits).min(initial=5) < 5:
            raise NotAHandError("a card occurs twice")
        rows = self.tables.row_by_sum.take(sums).astype(np.intp)
        rows += np.where(differences & 3, 0, self.tables.several_suits)
        return rows, bits

    def _suits(self, rows: Rows, bits: Bits) -> npt.NDArray[np.uint32]:
        """The suit that breaks ties in each hand, 0 where none does."""
        held = (bits >> self.tables.suit_shift.take(rows)) & np.uint64(15)
        return HIGHEST_SUIT_ARRAY.take(held.astype(np.intp))


def _check(hands: Hands, lowest: int) -> None:
    if hands.ndim != 2 or hands.shape[1] != 5 or hands.dtype != np.uint8:
        raise NotAHandError(f"hands are an (n, 5) array of uint8, not {hands.shape} of {hands.dtype}")
    first = lowest_card(lowest)
    if hands.size and not (first <= hands.min() and hands.max() < DECK_SIZE):
        raise NotAHandError(f"a card is not of this deck, which holds {first}..{DECK_SIZE - 1}")


def _one_at_a_time(tables: Tables) -> Callable[[Sequence[int]], int]:
    """One strength in plain Python, quickly: everything bound to local names, two cards a look-up."""

    def strength(
        hand: Sequence[int],
        pair: tuple[tuple[int, ...], ...] = PAIR_KEYS,
        single: tuple[int, ...] = CARD_KEYS,
        multiset: list[int] = tables.multiset_by_sum,
        several: list[SingleEntry] = tables.entries,
        one_suit: list[SingleEntry] = tables.one_suit_entries,
        mask: int = SUM_MASK,
    ) -> int:
        a, b, c, d, e = hand
        key = pair[a][b] + pair[c][d] + single[e]
        if (a ^ b) & 3 or (a ^ c) & 3 or (a ^ d) & 3 or (a ^ e) & 3:
            shift, number, added = several[multiset[key & mask]]
        else:
            shift, number, added = one_suit[multiset[key & mask]]
        return number + added[key >> shift & 15]

    return strength
