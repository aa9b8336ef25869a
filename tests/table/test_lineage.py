"""A failover may lose commits, and their versions and turns are given out again: nothing that was decided on
the lost ones is carried out on those of now.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from servito.table.v1.table_pb2 import Offer
from servito_core.commands import Open, Pass
from servito_table.adapters.schema import FIRST
from servito_table.app.commands import Act
from servito_table.app.commits import Known, Moved
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.messages.views import offer_to, table_view
from tests.table.real import RealStore, real_store
from tests.table.room import Room
from tests.table.test_store import Case, case, made, new_table, sat

__all__ = ["case"]
"""The fixture: each of the two stores."""


async def gone_back(case: Case, now: Known) -> Known:
    """The table after a failover that lost what came after `now`, as another process finds it."""
    if case.memory is not None:
        case.memory.lose(now)
    if case.real is not None:
        client, keys = case.real.client, case.real.keys
        at = {"v": now.version, "l": now.lineage, "b": now.begun, "turn": now.state.turn}
        await client.hset(keys.table("t1"), mapping=at)
        kept = await client.xrange(keys.events("t1"), "-", f"{now.version}-0")
        await client.delete(keys.events("t1"))
        for name, entry in kept:
            await client.xadd(keys.events("t1"), entry, name)
    return now


async def test_a_version_has_one_lineage(case: Case) -> None:
    """Whoever made it and whoever reads it say the same; each version has its own."""
    first = await new_table(case)
    second = await made(case, sat(first))
    assert await case.store.look("t1", None, None) == second
    assert (second.parent, 0 in (first.lineage, second.lineage)) == (first.lineage, False)
    assert first.lineage != second.lineage


async def test_a_turn_has_the_lineage_of_its_beginning(case: Case) -> None:
    """Others come and go meanwhile and it stays, as it does where the clock of the same turn begins anew."""
    first = await made(case, sat(await new_table(case), wait_ms=5_000))
    assert first.begun == first.lineage
    second = await made(case, sat(first, "bob", wait_ms=None))
    prolonged = sat(second, "cat", wait_ms=9_000)
    prolonged.state.turn = second.state.turn
    third = await made(case, prolonged)
    assert [known.begun for known in (second, third)] == [first.lineage] * 2
    assert await case.store.look("t1", second, None) == third
    fourth = await made(case, sat(third, "dan", wait_ms=5_000))
    assert fourth.begun == fourth.lineage


async def test_a_lost_version_cannot_be_built_on(case: Case) -> None:
    """It has the number of the version of now: the commit changes nothing and is shown the table, and so is
    who only looks.
    """
    first = await new_table(case)
    lost = await made(case, sat(first, "ann"))
    await gone_back(case, first)
    now = await made(case, sat(first, "bob"))
    assert now.version == lost.version
    assert await case.store.commit(sat(lost, "cat")) == Moved(now)
    assert await case.store.look("t1", lost, None) == now
    assert await case.store.look("t1", now, None) is now
    assert (await made(case, sat(now, "cat"))).version == now.version + 1


async def test_a_table_of_a_release_without_lineages_goes_on(real: RealStore, state_url: str) -> None:
    """Its hash has none: it counts as 0 until the next commit writes one."""
    case = Case(real.store, None, real)
    async with real_store(state_url, schema=FIRST) as before:
        await new_table(Case(before.store, None, before))
    await real.client.hdel(real.keys.table("t1"), "l", "b")
    old = await real.store.look("t1", None, None)
    assert isinstance(old, Known)
    assert (old.lineage, old.begun) == (0, 0)
    assert await real.store.look("t1", old, None) is old
    assert (await made(case, sat(old))).lineage > 0


async def test_hash_and_stream_carry_it(real: RealStore) -> None:
    """`l` is that of the version, in both; `b` that of the turn."""
    case = Case(real.store, None, real)
    first = await made(case, sat(await new_table(case)))
    second = await made(case, sat(first, "bob", wait_ms=None))
    fields = await real.fields("t1")
    assert (int(fields["l"]), int(fields["b"])) == (second.lineage, first.lineage)
    entries = await real.client.xrange(real.keys.events("t1"), "2-0")
    assert [int(entry[b"l"]) for _, entry in entries] == [first.lineage, second.lineage]


async def forked(room: Room) -> tuple[Room, Known]:
    """A process that remembers a turn, which was lost since; others have made another one of its number. And
    what it remembers.
    """
    await room.sit("ann", "bob")
    await room.due()
    before = room.known
    player, offer = room.offer()
    assert offer.open is not None
    await room.act(player, Open(offer.seat, offer.open[0]))
    lost = room.known
    room.store.lose(before)
    other = room.other()
    player, offer = other.offer()
    await other.act(player, Pass(offer.seat))
    assert (other.known.version, other.state.turn) == (lost.version, lost.state.turn)
    return other, lost


async def test_what_a_process_remembers_of_a_lost_version_does_no_harm(room: Room) -> None:
    """It decides anew on the table of now, and no chip of the lost story gets into that of now."""
    other, lost = await forked(room)
    assert room.play.cache.get(room.table_id) == lost
    player, offer = other.offer()
    await room.act(player, Pass(offer.seat))
    assert lost.state.hand is not None
    assert sum(own.bet for own in lost.state.hand.players) > 0
    style = random.Random(1)
    while room.state.running is not None:
        await room.play_on(style)
    assert sum(own.stack for own in room.state.seats) + room.state.between.carried == 200


async def test_an_act_is_of_the_turn_that_was_offered(room: Room) -> None:
    """The turn of now has the number of the lost one, is the same player's, and is another one: STALE_TURN
    without an effect. Who names no lineage is believed.
    """
    other, lost = await forked(room)
    player, offer = other.offer()
    act = Act(player, other.state.turn, "pass", lambda _seat: Pass(offer.seat), lineage=lost.begun)
    with pytest.raises(TableRefused) as refused:
        await other.run(act, other.request(player))
    assert refused.value.reason is TableReason.STALE_TURN
    assert other.known.version == lost.version
    await other.run(replace(act, lineage=other.known.begun), other.request(player))
    assert other.known.version == lost.version + 1


async def test_offers_name_it(room: Room) -> None:
    """In views and in updates, and the view its version's."""
    await room.sit("ann", "bob")
    await room.due()
    await room.sit("cat")
    player, offer = room.offer()
    view = table_view(room.known, player, room.store.now)
    assert view.hand.offer.lineage == room.known.begun
    assert view.lineage == room.known.lineage != room.known.begun
    sent = offer_to(room.known, offer.seat, 1_000)
    assert sent is not None
    assert Offer.FromString(sent).lineage == room.known.begun
