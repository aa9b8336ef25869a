"""Whose turn it is: who is asked next in a betting round and in the draw, and who leads the second round.

Nothing here says what a seat may do. Seats speak clockwise; indexes count in `HandState.players`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from servito_core.refusals import Reason, Refused
from servito_core.state import OVER

if TYPE_CHECKING:
    from servito_core.state import HandState


def index_of(hand: HandState, seat: int) -> int:
    """The index of a seat that is still in the running hand; refused as the contract orders it."""
    if hand.phase is OVER:
        raise Refused(Reason.HAND_NOT_RUNNING, "no hand is running: wait for the next deal")
    for index, player in enumerate(hand.players):
        if player.seat == seat and not player.folded:
            return index
    raise Refused(Reason.NOT_IN_HAND, f"seat {seat} is not in this hand: it was not dealt in, or has folded")


def index_to_act(hand: HandState, seat: int) -> int:
    """The index of `seat`, which must be the one to act."""
    index = hand.to_act
    if index is not None and hand.players[index].seat == seat:
        return index
    index_of(hand, seat)
    wanted = "nobody is to act" if index is None else f"seat {hand.players[index].seat} is to act"
    raise Refused(Reason.NOT_YOUR_TURN, f"it is not the turn of seat {seat}: {wanted}")


def live_count(hand: HandState) -> int:
    """How many seats contest the pot."""
    count = 0
    for player in hand.players:
        if not player.folded:
            count += 1
    return count


def able_count(hand: HandState) -> int:
    """How many live seats have chips behind."""
    count = 0
    for player in hand.players:
        if player.stack and not player.folded:
            count += 1
    return count


def can_be_answered(hand: HandState, index: int) -> bool:
    """Whether another live seat than the one at `index` has chips behind."""
    for other, player in enumerate(hand.players):
        if player.stack and not player.folded and other != index:
            return True
    return False


def next_to_bet(hand: HandState, after: int) -> int | None:
    """Who is asked next in a betting round (or to open), clockwise from the seat after index `after`.

    A seat with nothing to call is not asked when no other live seat has chips (`RULES.md B3`). None: the
    round is over.
    """
    players, high_bet, acted = hand.players, hand.high_bet, hand.acted
    silent, another = None, False
    for index in clockwise(after + 1, len(players)):
        player = players[index]
        if player.folded or not player.stack:
            continue
        if silent is None:
            if player.bet < high_bet:
                return index
            if not acted >> index & 1:
                silent = index
        if another and silent is not None:
            return silent
        another = True
    return None


def next_to_draw(hand: HandState, after: int) -> int | None:
    """The next live seat, in speaking order, to change cards; all-in seats draw too (`RULES.md B4`)."""
    for index in range(after + 1, len(hand.players)):
        if not hand.players[index].folded:
            return index
    return None


def next_owed(hand: HandState, after: int) -> int | None:
    """The next live seat, in speaking order, that is owed deferred cards."""
    for index in range(after + 1, len(hand.players)):
        player = hand.players[index]
        if player.owed and not player.folded:
            return index
    return None


def leader(hand: HandState) -> int:
    """Who speaks first in the second round, or would if anybody could act (`RULES.md B5`, `B7` show
    order).
    """
    start = _second_round_start(hand)
    players = hand.players
    for index in clockwise(start, len(players)):
        if players[index].stack and not players[index].folded:
            return index
    reference = start if hand.opener is None else hand.opener
    return next(index for index in clockwise(reference, len(players)) if not players[index].folded)


@cache
def clockwise(start: int, count: int) -> tuple[int, ...]:
    """All indexes once, from `start` (at most `count`) round to the one before it."""
    return (*range(start, count), *range(start))


def _second_round_start(hand: HandState) -> int:
    """The index from which the first speaker of the second round is looked for, in the state before that
    round.
    """
    if hand.holder is not None:
        return (hand.holder + 1) % len(hand.players)
    match hand.rules.round2_first:
        case "left_of_dealer":
            return 0
        case "last_aggressor":
            return hand.aggressor or 0
        case "opener":
            return hand.opener or 0
