"""Pre-actions: what a seat that is not to act may say beforehand, and what not."""

from __future__ import annotations

from servito.table.v1 import table_pb2 as pb
from tests.contract.registry import Asked, refuses, succeeds
from tests.contract.stage import Seats, Stage
from tests.table.caller import fresh

CHECK_OR_FOLD = pb.PreAction(kind=pb.PRE_ACTION_KIND_CHECK_OR_FOLD)
BET_TWO = pb.Action(kind=pb.ACTION_KIND_BET, to=2)
FREE = {"open.requirement": "none"}
"""Everybody may bet, so a test need not wait for cards that open."""


def wanted(
    seats: Seats, pre_action: pb.PreAction | None = CHECK_OR_FOLD, player: str | None = None, turn: int = 0
) -> Asked:
    """What a player wants beforehand, by default one who is not to act."""
    request = pb.SetPreActionRequest(
        table_id=seats.table_id,
        request_id=fresh(),
        hand_id=seats.view.hand.hand_id,
        turn_id=turn or seats.turn,
        pre_action=pre_action,
    )
    return Asked(request, player or seats.other)


def call(amount: int) -> pb.PreAction:
    """A call of so much."""
    return pb.PreAction(kind=pb.PRE_ACTION_KIND_CALL, amount=amount)


async def _facing_a_bet(stage: Stage) -> tuple[Seats, str]:
    """Three players: the first bets two, the second is to act, and the third waits, who is named."""
    seats = await _after(stage, await stage.hand(3, options=FREE), BET_TWO)
    seats = await _after(stage, seats, pb.Action(kind=pb.ACTION_KIND_FOLD))
    first = seats.actor  # in the second hand: the first one began when two players sat there
    seats = await _after(stage, seats, BET_TWO)
    return seats, next(player for player in seats.players if player not in (first, seats.actor))


async def _after(stage: Stage, seats: Seats, action: pb.Action) -> Seats:
    """The same table when the seat to act did that."""
    await stage.act(seats, action)
    return Seats(seats.table_id, seats.players, await stage.turn(seats.table_id))


@succeeds("SetPreAction")
async def check_or_fold(stage: Stage) -> Asked:
    """Of two players the one who is not to act."""
    return wanted(await stage.hand())


@refuses("SetPreAction", "NOT_SEATED")
async def who_has_no_seat(stage: Stage) -> Asked:
    """A stranger."""
    return wanted(await stage.hand(), player=stage.name())


@refuses("SetPreAction", "NOT_IN_HAND")
async def who_sat_down_later(stage: Stage) -> Asked:
    """The hand runs without him."""
    seats = await stage.hand()
    return wanted(seats, player=await stage.sit(seats.table_id))


@refuses("SetPreAction", "STALE_TURN")
async def on_another_turn(stage: Stage) -> Asked:
    """It was decided on what is over."""
    seats = await stage.hand()
    return wanted(seats, turn=seats.turn - 1)


@refuses("SetPreAction", "STALE_TURN")
async def in_another_hand(stage: Stage) -> Asked:
    """The hand has not come yet."""
    seats = await stage.hand()
    seats.view.hand.hand_id = f"{seats.table_id}-2"
    return wanted(seats)


@refuses("SetPreAction", "ACTION_NOT_AVAILABLE")
async def at_the_own_turn(stage: Stage) -> Asked:
    """Who is to act acts."""
    seats = await stage.hand()
    return wanted(seats, player=seats.actor)


@refuses("SetPreAction", "ACTION_NOT_AVAILABLE")
async def while_cards_are_changed(stage: Stage) -> Asked:
    """There is no betting round."""
    return wanted(await stage.hand_with(pb.ACTION_KIND_DRAW))


@refuses("SetPreAction", "ACTION_NOT_AVAILABLE")
async def a_call_of_nothing(stage: Stage) -> Asked:
    """Nobody has bet."""
    return wanted(await stage.hand(), call(1))


@refuses("SetPreAction", "BELOW_MINIMUM")
async def a_call_of_less(stage: Stage) -> Asked:
    """It costs two."""
    seats, player = await _facing_a_bet(stage)
    return wanted(seats, call(1), player)


@refuses("SetPreAction", "ABOVE_MAXIMUM")
async def a_call_of_more(stage: Stage) -> Asked:
    """It costs two."""
    seats, player = await _facing_a_bet(stage)
    return wanted(seats, call(3), player)


@refuses("SetPreAction", "NOTHING_TO_CHANGE")
async def nothing_to_take_back(stage: Stage) -> Asked:
    """Nothing was said before."""
    return wanted(await stage.hand(), None)


@refuses("SetPreAction", "NOTHING_TO_CHANGE")
async def the_same_again(stage: Stage) -> Asked:
    """It was said before."""
    seats = await stage.hand()
    asked = wanted(seats)
    assert isinstance(asked.request, pb.SetPreActionRequest)
    await stage.table.stub.SetPreAction(asked.request, metadata=asked.metadata)
    return wanted(seats)
