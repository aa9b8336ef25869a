"""What matters about a hand that is not complete yet, found from the complete ones alone.

Cards are handed out one after another, and each is taken or left. After `i` of them, two hands of the cards
seen so far are of one class if the same further cards make both of them good; which complete hands are good,
the caller says by a flag for each. The classes are worked out from the last card backwards, so nothing here
knows a rule: a pair that is too low, four of a run, three of a suit become classes by themselves.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Generator

    import numpy.typing as npt

    Classes = npt.NDArray[np.intp]

HAND: Final = 5

LOST: Final = 0
"""The class of hands that nothing makes good any more, before and after every card."""


class Step(NamedTuple):
    """One card of the order: the next class of each class of hands that leave it, and that take it.

    Classes are numbered so that `left` never falls: hands in the order of their classes stay in it.
    """

    left: Classes
    taken: Classes


class Growth(NamedTuple):
    """The class of the empty hand, and a step for each card, at whose end there are LOST and good (1)."""

    start: int
    steps: list[Step]


def growth_of(good: npt.NDArray[np.bool_], cards: int) -> Generator[None, None, Growth]:
    """How hands grow from `cards` cards in their order; yields after each card.

    `good`: for each five of the cards, in the order of `subsets.subsets`.
    """
    steps: list[Step] = []
    classes = [np.full(comb(cards, size), LOST, np.intp) for size in range(HAND)]
    complete, count = 1, 2
    for card in reversed(range(cards)):
        with_card = [slice(comb(card, size), comb(card + 1, size)) for size in range(HAND + 1)]
        left = [classes[size][: comb(card, size)] for size in range(HAND)]
        taken = [classes[size][with_card[size]] for size in range(1, HAND)]
        taken.append(np.where(good[with_card[HAND]], complete, LOST))
        always = (LOST, complete * count)  # a lost hand stays lost, a complete one takes no more cards
        pairs = np.concatenate([always, np.concatenate(left) * count + np.concatenate(taken)])
        occurs = np.zeros(count * count, np.bool_)
        occurs[pairs] = True
        found = np.flatnonzero(occurs)
        numbers = (np.cumsum(occurs) - 1)[pairs]
        steps.append(Step(found // count, found % count))
        classes = np.split(numbers[2:], np.cumsum([len(some) for some in left])[:-1])
        complete, count = int(numbers[1]), len(found)
        yield
    return Growth(int(classes[0][0]), steps[::-1])
