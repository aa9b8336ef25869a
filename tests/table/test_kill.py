"""A table process dies in the middle of a hand: another one goes on, with the same cards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from servito.table.v1 import table_pb2 as pb
from tests.platform.proxy import Proxy, proxy_to
from tests.table.caller import CONFIG, Caller, calling
from tests.table.playing import mild_action, own_cards, turn_at
from tests.table.processes import service

EXPIRED = pb.EXPIRE_RESULT_EXPIRED


@pytest.fixture
async def held_dealer(services: dict[str, str]) -> AsyncIterator[Proxy]:
    """The way to the dealer, which a test can close: requests wait in it, as with a network that hangs."""
    async with proxy_to(int(services["SERVITO_DEALER_TARGET"].rpartition(":")[2])) as proxy:
        yield proxy


async def test_between_the_commit_and_the_cards(services: dict[str, str], held_dealer: Proxy) -> None:
    """The hand is committed, the process is killed while it waits for the dealer: after a second the
    timers name the table, and another process deals the hand; the blocked request of the dead one changes
    nothing.
    """
    slow = services | {"SERVITO_DEALER_TARGET": f"127.0.0.1:{held_dealer.port}"}
    with service("table", slow) as doomed:
        held_dealer.open.clear()
        async with calling(doomed.grpc) as ann:
            table_id = await _seated(ann)
            view = await _phase(ann, table_id, pb.PHASE_DEAL)
            turn = view.hand.turn_id
        doomed.kill()
    with service("table", services) as running:
        async with calling(running.grpc) as ann:
            held_dealer.open.set()
            await _expired(ann, table_id, turn)
            dealt = await turn_at(ann, table_id)
            assert dealt.hand.number == 1
            await _play_a_hand(ann, table_id)


async def test_between_the_discard_and_the_cards(services: dict[str, str], held_dealer: Proxy) -> None:
    """The same in the draw: the discard stands, and the seat gets as many cards as it threw away."""
    slow = services | {"SERVITO_DEALER_TARGET": f"127.0.0.1:{held_dealer.port}"}
    with service("table", slow) as doomed:
        async with calling(doomed.grpc) as ann:
            table_id = await _seated(ann)
            player, view = await _to_a_draw(ann, table_id)
            held_dealer.open.clear()
            kept = own_cards(view)[3:]
            action = pb.Action(kind=pb.ACTION_KIND_DRAW, discards=own_cards(view)[:3])
            done = await player.act(table_id, view.hand.offer.turn_id, action, "draw")
            turn = (await ann.table(table_id)).hand.turn_id
            doomed.kill()
    with service("table", services) as running:
        async with calling(running.grpc) as ann:
            held_dealer.open.set()
            again = ann.as_player(player.name)
            assert await again.act(table_id, view.hand.offer.turn_id, action, "draw") == done
            await _expired(ann, table_id, turn)
            cards = own_cards(await again.table(table_id))
            assert len(cards) == 5
            assert cards[:2] == kept
            await _play_a_hand(ann, table_id)


async def _seated(ann: Caller) -> str:
    config = pb.TableConfig()
    config.CopyFrom(CONFIG)
    config.options["open.requirement"] = "none"
    table_id = await ann.create(config)
    for name in "ab":
        await ann.as_player(f"{name}-{table_id[:8]}").sit(table_id)
    return table_id


async def _phase(ann: Caller, table_id: str, phase: pb.Phase.ValueType) -> pb.TableView:
    for _ in range(1000):
        view = await ann.table(table_id)
        if view.hand.phase == phase and view.hand.turn_id:
            return view
        await asyncio.sleep(0.02)
    raise TimeoutError("the table did not come there")


async def _expired(ann: Caller, table_id: str, turn: int) -> None:
    """Name the turn as the timers do, until it is due."""
    timers = ann.as_player("service:timers")
    for _ in range(1000):
        [result] = await timers.expire(f"{table_id}:{turn}")
        if result == EXPIRED:
            return
        assert result in (pb.EXPIRE_RESULT_NOT_DUE, pb.EXPIRE_RESULT_FAILED)
        await asyncio.sleep(0.02)
    raise TimeoutError("the turn did not expire")


async def _to_a_draw(ann: Caller, table_id: str) -> tuple[Caller, pb.TableView]:
    while True:
        view = await turn_at(ann, table_id)
        player = ann.as_player(view.seats[view.hand.to_act].player)
        own = await player.table(table_id)
        if own.hand.phase == pb.PHASE_DRAW:
            return player, own
        await player.act(table_id, own.hand.offer.turn_id, mild_action(own.hand.offer, []))


async def _play_a_hand(ann: Caller, table_id: str) -> None:
    """Play until the next hand; every chip is there."""
    number = (await ann.table(table_id)).hand.number
    while True:
        view = await turn_at(ann, table_id)
        if view.hand.number > number:
            break
        player = ann.as_player(view.seats[view.hand.to_act].player)
        own = await player.table(table_id)
        if own.hand.HasField("offer"):
            action = mild_action(own.hand.offer, own_cards(own))
            await player.act(table_id, own.hand.offer.turn_id, action)
    assert sum(seat.stack for seat in view.seats) + view.hand.pot == 200
