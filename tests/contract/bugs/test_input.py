"""Faults of numbers and of input that other systems had (`NI` and `HR` of poker_bugs.json), against the
running services: what is not readable, or out of range, is refused and changes nothing.
"""

from __future__ import annotations

import struct
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from google.protobuf.json_format import ParseDict, ParseError

from servito.evaluator.v1 import evaluator_pb2
from servito.table.v1 import table_pb2 as pb
from servito_core.cards import CardError, format_card, parse_card
from servito_core.commands import Bet
from servito_core.hand import play, waiting_for
from servito_core.refusals import Reason, Refused
from servito_core.state import SeatToAct
from tests.contract.promises import promises
from tests.contract.registry import Asked
from tests.contract.test_refusals import refusal
from tests.core.hand.driven import Driven
from tests.table.caller import fresh, refusal_from

if TYPE_CHECKING:
    from tests.contract.stage import Seats, Stage

BET, RAISE, DRAW = pb.ACTION_KIND_BET, pb.ACTION_KIND_RAISE, pb.ACTION_KIND_DRAW
FREE = {"open.requirement": "none", "bet.limit": "none"}


async def refused(stage: Stage, seats: Seats, action: pb.Action) -> str:
    """Why the seat to act may not do that; nothing changes by it."""
    before = await stage.stored(seats.table_id)
    player = stage.table.as_player(seats.actor)
    told = await refusal_from(player.act(seats.table_id, seats.turn, action))
    assert await stage.stored(seats.table_id) == before
    return told.reason


async def facing_a_bet(stage: Stage) -> Seats:
    """A hand that waits for somebody who may raise."""
    seats = await stage.hand_with(BET, options=FREE)
    await stage.act(seats, pb.Action(kind=BET, to=10))
    view = await stage.turn(seats.table_id)
    return replace(seats, view=await stage.view(seats.table_id, replace(seats, view=view).actor))


async def test_chips_are_whole(stage: Stage) -> None:
    """NI-01: a fraction, a truth value and a text that is no number cannot be put into a message; a fraction
    in the bytes of one is an amount that is missing; the rules refuse one too, before it becomes a stack.
    """
    for amount in (2.1, "2.1", "ten", "NaN", float("nan"), True):
        with pytest.raises(ParseError):
            ParseDict({"kind": "ACTION_KIND_BET", "to": amount}, pb.Action())
    for amount in ("10", 1e1, 10):
        assert ParseDict({"kind": "ACTION_KIND_BET", "to": amount}, pb.Action()).to == 10
    assert not ParseDict({"kind": "ACTION_KIND_BET", "to": None}, pb.Action()).HasField("to")

    seats = await stage.hand_with(BET, options=FREE)
    act = pb.ActRequest(table_id=seats.table_id, request_id=fresh(), turn_id=seats.turn)
    fraction = pb.Action(kind=BET).SerializeToString() + b"\x11" + struct.pack("<d", 2.1)  # field 2, a double
    data = act.SerializeToString() + b"\x22" + bytes([len(fraction)]) + fraction
    asked = Asked(act, seats.actor, raw=data)
    assert (await refusal(stage, promises()["Act"], asked)).reason == "MALFORMED"
    assert (await stage.view(seats.table_id)).version == seats.view.version

    hand = Driven({"open.requirement": "none"}).hand
    waiting = waiting_for(hand)
    assert isinstance(waiting, SeatToAct)
    for amount in (2.0, True, "10"):
        with pytest.raises(Refused) as caught:
            play(hand, Bet(waiting.seat, amount))  # type: ignore[arg-type]  # what no caller may pass
        assert caught.value.reason is Reason.MALFORMED


async def test_amounts_out_of_range(stage: Stage) -> None:
    """NI-03: a negative bet, none at all, a raise above the stack, a negative buy-in and a number of cards
    below none are refused, and no seat has another stack by it.
    """
    seats = await stage.hand_with(BET, options=FREE)
    limits = next(action for action in seats.view.hand.offer.actions if action.kind == BET)
    assert await refused(stage, seats, pb.Action(kind=BET, to=-50)) == "MALFORMED"
    assert await refused(stage, seats, pb.Action(kind=BET, to=0)) == "BELOW_MINIMUM"
    assert await refused(stage, seats, pb.Action(kind=BET, to=limits.greatest + 1)) == "ABOVE_MAXIMUM"
    stranger = stage.table.as_player(stage.name())
    told = await refusal_from(stranger.sit(seats.table_id, buy_in=-100))
    assert told.reason == "BUY_IN_OUT_OF_LIMITS"

    seats = await facing_a_bet(stage)
    limits = next(action for action in seats.view.hand.offer.actions if action.kind == RAISE)
    assert await refused(stage, seats, pb.Action(kind=RAISE, to=limits.greatest + 1)) == "ABOVE_MAXIMUM"

    seats = await stage.hand_with(DRAW, options=FREE)
    packed = b"\x1a\x0a" + b"\xff" * 9 + b"\x01"  # field 3, packed: -1 as a client may write it
    action = pb.Action.FromString(pb.Action(kind=DRAW).SerializeToString() + packed)
    assert await refused(stage, seats, action) == "MALFORMED"


async def test_an_amount_that_is_missing(stage: Stage) -> None:
    """NI-04: a raise without an amount, an act of no kind and one of an unknown kind are refused; the turn is
    the same.
    """
    seats = await facing_a_bet(stage)
    unknown = pb.Action.FromString(b"\x08\x63")  # 99
    for action in (pb.Action(kind=RAISE), pb.Action(), unknown):
        assert await refused(stage, seats, action) == "MALFORMED"
    assert (await stage.view(seats.table_id)).hand.turn_id == seats.turn


async def test_more_than_one_has(stage: Stage) -> None:
    """NI-06: 33 from a seat that has 20 left is refused, naming what is allowed; it does not become an all-in
    that nobody asked for. The 20 are then bet, and cost the other one 20.
    """
    seats = await stage.hand_with(BET, options=FREE | {"ante": "1"}, min_buy_in=21, buy_in=21)
    player = stage.table.as_player(seats.actor)
    own = await stage.view(seats.table_id, seats.actor)
    assert {seat.seat: seat.stack for seat in own.seats}[own.own_seat] == 20
    told = await refusal_from(player.act(seats.table_id, seats.turn, pb.Action(kind=BET, to=33)))
    assert told.reason == "ABOVE_MAXIMUM"
    assert "20" in told.message
    await player.act(seats.table_id, seats.turn, pb.Action(kind=BET, to=20))
    view = await stage.turn(seats.table_id)
    offer = (await stage.view(seats.table_id, seats.other)).hand.offer
    assert offer.to_call == 20
    assert next(seat.all_in for seat in view.hand.seats if seat.seat == own.own_seat)


async def test_a_card_is_written_in_one_way(stage: Stage) -> None:
    """HR-11: "Ts" is the ten of spades and comes back as it was; "10s", "1s", "XH", "th" and nothing are no
    cards, and neither are the numbers 52 and above on the wire.
    """
    assert format_card(parse_card("Ts")) == "Ts"
    for text in ("10s", "1s", "XH", "th", "", "TS", "tS", "Ts ", "T♠"):
        with pytest.raises(CardError):
            parse_card(text)
    for number in (52, 255, 2**32 - 1):
        rules = evaluator_pb2.RankingRules(lowest_rank=7)
        hand = evaluator_pb2.Holding(cards=[51, 50, 49, 48, number])
        asked = Asked(evaluator_pb2.RankHandsRequest(rules=rules, hands=[hand]), None)
        assert (await refusal(stage, promises()["RankHands"], asked)).reason == "MALFORMED"
        request = evaluator_pb2.CountOpenersRequest(rules=rules, known=[number], opponents=1)
        assert (await refusal(stage, promises()["CountOpeners"], Asked(request, None))).reason == "MALFORMED"
    seats = await stage.hand_with(DRAW, options=FREE)
    assert await refused(stage, seats, pb.Action(kind=DRAW, discards=[52])) == "MALFORMED"
