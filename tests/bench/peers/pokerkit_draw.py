"""The yardstick for whole hands: PokerKit's state machine plays no-limit five-card draw.

Five players with 200 chips, blinds 1 and 2, one draw, two betting rounds, PokerKit's own dealing, evaluation
and payment. The policy is in `policy.py` for both sides. It is a peer, not ours: change it only with its
original.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pokerkit as pk

from tests.bench.policy import DRAWS, FOLDS, PLAYERS, STACK, WAGERS

if TYPE_CHECKING:
    from random import Random

_AUTOMATED = (
    pk.Automation.ANTE_POSTING,
    pk.Automation.BET_COLLECTION,
    pk.Automation.BLIND_OR_STRADDLE_POSTING,
    pk.Automation.CARD_BURNING,
    pk.Automation.HOLE_DEALING,
    pk.Automation.BOARD_DEALING,
    pk.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pk.Automation.HAND_KILLING,
    pk.Automation.CHIPS_PUSHING,
    pk.Automation.CHIPS_PULLING,
)


def play_hand(rng: Random) -> int:
    """Play one hand to its end; the number of actions in it."""
    state, actions = _new_hand(), 0
    while state.status:
        actions += 1
        drawer = state.stand_patter_or_discarder_index
        if drawer is not None:
            cards = list(state.get_down_cards(drawer))
            state.stand_pat_or_discard(rng.sample(cards, rng.randrange(DRAWS)))
            continue
        chance = rng.random()
        if chance < FOLDS and state.can_fold():
            state.fold()
        elif chance > WAGERS and state.can_complete_bet_or_raise_to():
            state.complete_bet_or_raise_to(state.min_completion_betting_or_raising_to_amount)
        else:
            state.check_or_call()
    return actions


def _new_hand() -> pk.State:
    streets = (
        pk.Street(True, (False,) * 5, 0, False, pk.Opening.POSITION, 2, None),
        pk.Street(True, (), 0, True, pk.Opening.POSITION, 2, None),
    )
    return pk.State(
        _AUTOMATED,
        pk.Deck.STANDARD,
        (pk.StandardHighHand,),
        streets,
        pk.BettingStructure.NO_LIMIT,
        True,
        0,
        (1, 2),
        0,
        STACK,
        PLAYERS,
    )
