"""An intent names the hand and the turn that it was made in, and is never carried out in another."""

from __future__ import annotations

import random

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_core.commands import Pass
from servito_table.app.commands import Act
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.state import hand_id
from tests.table.caller import Caller, fresh, refusal_from
from tests.table.playing import mild_action, own_cards, turn_at
from tests.table.room import Room


async def act(room: Room, hand: str, turn: int | None = None) -> str:
    """Pass for the seat to act in that hand; "" if that was done, else what was said."""
    player, offer = room.offer()
    before = room.known
    named = room.state.turn if turn is None else turn
    try:
        await room.run(Act(player, named, "pass", lambda _: Pass(offer.seat), hand), room.request(player))
    except TableRefused as refused:
        said = refused
    else:
        return ""
    assert said.reason is TableReason.STALE_TURN
    assert room.known == before
    return said.message


async def test_an_act_is_for_the_hand_that_it_names(room: Room) -> None:
    """Hands that are over, to come, or of other tables: each is told apart, and the right one is accepted."""
    await room.sit("ann", "bob")
    await room.due()
    running = hand_id(room.table_id, 1)
    assert await act(room, f"{room.table_id}-0") == f"hand {room.table_id}-0 is over; the hand is {running}"
    assert "has not come yet" in await act(room, f"{room.table_id}-2")
    assert "not of this table" in await act(room, "other-1")
    assert "not of this table" in await act(room, room.table_id)
    assert await act(room, running) == ""


async def test_a_turn_to_come_is_not_called_over(room: Room) -> None:
    """Both are stale; the text says which."""
    await room.sit("ann", "bob")
    await room.due()
    turn = room.state.turn
    assert await act(room, "", turn + 1) == f"turn {turn + 1} has not come yet; the turn is {turn}"
    assert await act(room, "", turn - 1) == f"turn {turn - 1} is over; the turn is {turn}"


async def test_an_act_that_comes_after_its_hand_is_stale(room: Room) -> None:
    """Also where no hand runs: whoever was too slow learns that the hand is over, and nothing else."""
    await room.sit("ann", "bob")
    await room.due()
    while room.state.running is not None:
        player, offer = room.offer()
        await room.act(player, Pass(offer.seat))
    late = Act("ann", room.state.turn, "pass", lambda _: Pass(0), hand_id(room.table_id, 1))
    with pytest.raises(TableRefused, match="-1 is over; no hand is running") as refused:
        await room.run(late, room.request("ann"))
    assert refused.value.reason is TableReason.STALE_TURN


@pytest.mark.parametrize("seed", range(4))
async def test_no_act_of_another_hand_is_ever_carried_out(seed: int) -> None:
    """Random play in which every act is also sent for the hands around it: only its own takes it."""
    room, style = Room(), random.Random(seed)
    await room.open()
    await room.sit("ann", "bob", "cat", buy_in=60)
    for _ in range(60):
        if room.state.running is None:
            if not room.known.deadline:
                break
            await room.due()
            continue
        number = room.hand.number
        for other in (number - 1, number + 1):
            assert await act(room, hand_id(room.table_id, other)) != ""
        await room.play_on(style)
    assert room.state.chips == 180


async def test_over_the_wire(ann: Caller) -> None:
    """The offer names its hand; an act for another one is STALE_TURN, one for no hand at all MALFORMED."""
    table_id = await ann.create()
    players = [ann.as_player(f"{name}-{table_id[:8]}") for name in "ab"]
    for player in players:
        await player.sit(table_id)
    actor = players[(await turn_at(ann, table_id)).hand.to_act]
    view = await actor.table(table_id)
    offer = view.hand.offer
    assert offer.hand_id == view.hand.hand_id == f"{table_id}-1"
    action = mild_action(offer, own_cards(view))
    for hand, reason in ((f"{table_id}-2", "STALE_TURN"), ("?", "MALFORMED"), (table_id, "MALFORMED")):
        request = pb.ActRequest(
            table_id=table_id, request_id=fresh(), turn_id=offer.turn_id, hand_id=hand, action=action
        )
        told = await refusal_from(actor.stub.Act(request, metadata=actor.metadata))
        assert told.reason == reason
        assert (await ann.table(table_id)).version == view.version
    await actor.act(table_id, offer.turn_id, action, hand_id=offer.hand_id)
