"""What a player may say beforehand, read off the view that he has."""

from __future__ import annotations

import pytest

from servito_client.messages import HandSeatView, HandView, Phase, TableView
from servito_client.pre_actions import may_decide_beforehand, price_of_call


def view(
    own: HandSeatView, to_act: int | None = 0, phase: Phase.ValueType = Phase.PHASE_FIRST_ROUND
) -> TableView:
    """A table where seat 2 looks on its own hand and the highest bet is 6."""
    seats = [HandSeatView(seat=0, bet=6, stack=20), own]
    hand = HandView(hand_id="t1-1", phase=phase, high_bet=6, seats=seats, to_act=to_act)
    return TableView(table_id="t1", own_seat=2, hand=hand)


def test_a_call_costs_the_difference_or_the_rest() -> None:
    """What is missing to the highest bet, at most what the seat has; nothing for who only looks on."""
    assert price_of_call(view(HandSeatView(seat=2, bet=1, stack=50))) == 5
    assert price_of_call(view(HandSeatView(seat=2, bet=1, stack=3))) == 3
    assert price_of_call(view(HandSeatView(seat=2, bet=6, stack=9))) == 0
    spectator = view(HandSeatView(seat=2, bet=1, stack=50))
    spectator.ClearField("own_seat")
    assert price_of_call(spectator) == 0


@pytest.mark.parametrize(
    ("table", "may"),
    [
        (view(HandSeatView(seat=2, stack=5)), True),
        (view(HandSeatView(seat=2, stack=5), to_act=2), False),
        (view(HandSeatView(seat=2, stack=5), to_act=None), False),
        (view(HandSeatView(seat=2, stack=5, folded=True)), False),
        (view(HandSeatView(seat=2, stack=0)), False),
        (view(HandSeatView(seat=2, stack=5), phase=Phase.PHASE_DRAW), False),
        (view(HandSeatView(seat=3, stack=5)), False),
        (TableView(), False),
    ],
)
def test_who_may_decide_beforehand(table: TableView, may: bool) -> None:
    """A seat of the hand with chips, in a betting round, while another one is to act."""
    assert may_decide_beforehand(table) is may
