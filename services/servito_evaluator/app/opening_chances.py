"""The chance that some opponent may open: deals in which nobody may are counted, and taken from all deals."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from servito_evaluator.app.joint_hands import effort, joint_ways
from servito_evaluator.app.opening import may_open
from servito_evaluator.app.partial_hands import growth_of
from servito_evaluator.app.subsets import subsets

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from servito_core.cards import Card
    from servito_core.rules.ruleset import OpenDraw, Requirement
    from servito_evaluator.app.judge import Judge

AT_ONCE: Final = 32_768
"""Hands judged before the caller gets its turn: a few milliseconds."""

MOST_EFFORT: Final = 20_000_000
"""Of `joint_hands.effort`: about eight seconds, and 200 MB while they last."""


class Chance(NamedTuple):
    """So many of all equally likely deals."""

    favourable: int
    total: int


def opening_chances(
    judge: Judge, unseen: Sequence[Card], requirement: Requirement, draw: OpenDraw, opponents: int
) -> Generator[None, None, list[Chance]]:
    """The chance that at least one of 1, 2, ... `opponents` may open who hold five unseen cards each.

    Ends before `opponents` where a further one would take more than MOST_EFFORT. Yields often.
    """
    # From the ace down: a pair of high cards decides at once, so fewer classes of hands are to be told apart.
    pool = np.array(sorted(unseen, reverse=True), np.uint8)
    fives = subsets(len(pool), 5)
    cannot_open = np.empty(len(fives), np.bool_)
    for begin in range(0, len(fives), AT_ONCE):
        some = slice(begin, begin + AT_ONCE)
        cannot_open[some] = ~may_open(judge, pool[fives[some]], requirement, draw)
        yield
    growth = yield from growth_of(cannot_open, len(pool))
    chances: list[Chance] = []
    deals = 1
    for players in range(1, opponents + 1):
        if effort(growth, players) > MOST_EFFORT:
            break
        deals *= comb(len(pool) - 5 * (players - 1), 5)
        without = yield from joint_ways(growth, players, deals)
        chances.append(Chance(deals - without, deals))
    return chances
