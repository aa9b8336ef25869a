"""Tables without spectators: who may look, and what becomes of the streams of those who may not any more."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_table.app.commands import Sit, Stand, TableCommand
from servito_table.app.looking import may_look
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.state import Waiter
from tests.table.caller import CONFIG as CALLED
from tests.table.caller import Caller, refusal_from
from tests.table.gallery import Gallery, kinds, sent, versions
from tests.table.room import CONFIG


@pytest.fixture
async def gallery() -> Gallery:
    """A table without spectators, two players, the first hand dealt."""
    gallery = Gallery()
    await gallery.room.open(replace(CONFIG, no_spectators=True))
    await gallery.room.sit("ann", "bob", "cat")
    await gallery.room.due()
    return gallery


async def test_who_may_look(gallery: Gallery) -> None:
    """Those who sit there and the owner; nobody else, and nobody in particular; elsewhere everybody."""
    state = gallery.room.state
    assert {name: may_look(state, name) for name in ("ann", "owner", "eve", None)} == {
        "ann": True,
        "owner": True,
        "eve": False,
        None: False,
    }
    state = state.copied()
    state.config = replace(state.config, no_spectators=False)
    assert may_look(state, None)


async def test_who_is_held_a_seat_may_look(gallery: Gallery) -> None:
    """He has to decide whether to sit down; who only waits is told as little as any stranger."""
    state = gallery.room.state.copied()
    state.waiting = (Waiter("eve", 3), Waiter("fay"))
    assert [may_look(state, name) for name in ("eve", "fay", "gus")] == [True, False, False]


async def test_a_stranger_gets_no_stream(gallery: Gallery) -> None:
    """Refused before anything is told, and nothing is left of the attempt."""
    for player in ("eve", None):
        with pytest.raises(TableRefused) as refused:
            await gallery.watch(player)
        assert refused.value.reason is TableReason.NOT_PERMITTED
    assert gallery.feed.followed == []


async def test_who_leaves_is_told_goodbye(gallery: Gallery) -> None:
    """The update by which he loses his seat is the last one that he gets; those who stay go on."""
    leaving, staying, owner = [await gallery.watch(player) for player in ("cat", "ann", "owner")]
    for watcher in (leaving, staying, owner):
        await sent(watcher)
    before = gallery.room.known.version
    await gallery.room.stand("cat")
    while gallery.room.state.seat_of("cat") is not None:
        await gallery.room.due()
    stood = gallery.room.known.version
    await gallery.room.sit("dan")
    told = await sent(leaving)
    assert versions(told) == list(range(before + 1, stood + 1))
    assert told[-1].goodbye.after_version == stood
    assert leaving.ended
    for watcher in (staying, owner):
        assert versions(await sent(watcher))[-1] == gallery.room.known.version
        assert not watcher.ended


async def test_a_slow_stream_is_not_given_what_it_may_not_see(gallery: Gallery) -> None:
    """Its queue is full when it loses the right to look: a table of then, not of now, is what it gets."""
    slow = await gallery.watch("cat")
    await sent(slow)
    await gallery.room.stand("cat")
    while gallery.room.state.seat_of("cat") is not None:
        await gallery.room.due()
    stood = gallery.room.known.version
    for number in range(40):
        await gallery.room.sit(f"new{number}")
        await gallery.room.stand(f"new{number}")
    told = await sent(slow)
    assert kinds(told)[-1] == "goodbye"
    assert max([*versions(told), *(m.snapshot.version for m in told if m.HasField("snapshot"))]) == stood


async def elsewhere(gallery: Gallery, player: str, *commands: TableCommand) -> None:
    """Another process carries these out, and the stream of events no longer has what it did."""
    other = gallery.room.other()
    for command in commands:
        await other.run(command, other.request(player, f"x{type(command).__name__}"))
    gallery.feed.kept_from = 10**9
    gallery.hub.stir(gallery.room.table_id, gallery.room.known.version)
    await asyncio.sleep(0.05)


async def test_a_gap_shows_a_stranger_nothing(gallery: Gallery) -> None:
    """He left by a version that is gone from the stream: goodbye, and not the table of now instead."""
    watching = await gallery.watch("cat")
    await sent(watching)
    await gallery.room.stand("ann")
    await gallery.room.stand("bob")
    await elsewhere(gallery, "cat", Stand("cat"))
    assert gallery.room.state.seats == ()
    told = await sent(watching)
    assert kinds(told)[-1] == "goodbye"
    assert not any(message.HasField("snapshot") for message in told)


async def test_a_gap_after_goodbye_shows_nothing_either(gallery: Gallery) -> None:
    """He did not read yet that he is to go."""
    watching = await gallery.watch("cat")
    await sent(watching)
    for player in ("ann", "bob", "cat"):
        await gallery.room.stand(player)
    stood = gallery.room.known.version
    await elsewhere(gallery, "dan", Sit("dan", None, 100))
    assert gallery.room.known.version > stood
    told = await sent(watching)
    assert versions(told)[-1] == stood
    assert not any(message.HasField("snapshot") for message in told)


async def test_over_the_wire(ann: Caller) -> None:
    """GetTable, Watch and Play; by sitting down one may look, by leaving not any more."""
    config = pb.TableConfig()
    config.CopyFrom(CALLED)
    config.no_spectators = True
    table_id = await ann.create(config)
    eve = ann.as_player(f"eve-{table_id[:8]}")
    assert (await ann.table(table_id)).config.no_spectators

    async def looks() -> list[str]:
        stream = eve.stub.Watch(pb.WatchRequest(table_id=table_id), metadata=eve.metadata)
        play = eve.stub.Play(metadata=eve.metadata)
        await play.write(pb.PlayRequest(join=pb.WatchRequest(table_id=table_id)))
        calls = (eve.table(table_id), stream.read(), play.read())
        return [(await refusal_from(call)).reason for call in calls]

    assert await looks() == ["NOT_PERMITTED"] * 3
    await eve.sit(table_id)
    assert (await eve.table(table_id)).own_seat == 0
    watching = eve.stub.Watch(pb.WatchRequest(table_id=table_id), metadata=eve.metadata)
    messages: list[pb.WatchResponse] = []
    while isinstance(message := await watching.read(), pb.WatchResponse):
        messages.append(message)
        if len(messages) == 1:
            await eve.stand(table_id)
    assert [event.WhichOneof("event") for update in messages[1].updates for event in update.events] == [
        "player_stood"
    ]
    assert messages[-1].HasField("goodbye")
    assert await looks() == ["NOT_PERMITTED"] * 3
