"""Going on from any version: who comes back knows the table as if he had never been away."""

from __future__ import annotations

import asyncio
import random

import redis.asyncio

from servito.table.v1 import table_pb2 as pb
from servito_client.following import Following
from servito_client.updates import Cursor, Snapshot
from servito_platform.keys import Keys
from servito_table.app.commands import SetEntropy
from servito_table.messages.views import table_view
from tests.table.caller import Caller
from tests.table.gallery import Gallery
from tests.table.playing import play_by_calls, turn_at

PLAYERS = ("ann", "bob", "cat")


def still(view: pb.TableView) -> pb.TableView:
    """A view without the clocks, which go on while nothing happens."""
    copy = pb.TableView()
    copy.CopyFrom(view)
    copy.hand.ClearField("remaining_ms")
    copy.hand.offer.ClearField("remaining_ms")
    if not copy.hand.offer.actions:
        copy.hand.ClearField("offer")
    return copy


async def test_from_any_version_a_listener_gets_to_the_table_as_it_is() -> None:
    """For players and strangers, from every version that there was and wherever the stream is cut: the view
    of then, with all that is told, is the view of now; no version is missing and none comes twice.
    """
    gallery, style = Gallery(), random.Random(6)
    room = gallery.room
    await room.open()
    await room.sit(*PLAYERS, buy_in=200)
    then: dict[tuple[str | None, int], pb.TableView] = {}
    viewers = (*PLAYERS, None)
    while room.known.version < 110:
        await (room.due() if room.wait.seat is None else room.play_on(style))
        for viewer in viewers:
            then[viewer, room.known.version] = table_view(room.known, viewer, room.store.now)
    now = room.known.version
    resumed = begun_anew = 0
    for (viewer, after), view in then.items():
        gallery.feed.kept_from = style.choice((0, 0, style.randint(1, now)))
        watcher = await gallery.watch(viewer, after)
        cursor, following = Cursor(room.table_id, after), Following(viewer)
        following.snapshot(view)
        messages = [] if after == now else await watcher.next()
        told = list(cursor.take(pb.WatchResponse.FromString(b"".join(messages))))
        for one in told:
            following.take(one)
        gallery.hub.leave(watcher)
        whole = [one for one in told if isinstance(one, Snapshot)]
        resumed += not whole
        begun_anew += bool(whole)
        assert not any(one.rewound for one in whole)
        assert whole or [one.version for one in told] == list(range(after + 1, now + 1))
        shown = still(table_view(room.known, viewer, room.store.now))
        assert still(following.view) == shown, (viewer, after)
    assert resumed > 200
    assert begun_anew > 30


async def test_who_has_just_sat_down_is_told_what_is_his_alone() -> None:
    """What he contributes to the order of the cards before a hand that he is dealt into, by a stream that
    runs and by one that goes on from any version; of who had the seat before him he is told nothing.
    """
    gallery = Gallery()
    room = gallery.room
    await room.open()
    await room.sit("ann", "bob")
    await room.due()
    for player in ("cat", "dan"):  # on the same seat, one after the other, while others play
        await room.sit(player)
        sat = room.known.version
        live, stranger = await gallery.watch(player), await gallery.watch()
        await live.next()
        await stranger.next()
        await room.run(SetEntropy(player, player.encode()), room.request(player))
        assert entropies(await live.next()) == [player.encode()]
        assert entropies(await stranger.next()) == []
        await room.due()  # somebody's clock runs out: one commit more, so that the one in question is past
        for after in range(1, room.known.version):
            expected = [player.encode()] if after <= sat else []
            assert entropies(await (await gallery.watch(player, after)).next()) == expected, (player, after)
            for other in ("ann", None):
                assert entropies(await (await gallery.watch(other, after)).next()) == []
        await room.stand(player)


async def test_a_failover_that_lost_commits_is_told_as_a_rewind(
    ann: Caller, services: dict[str, str]
) -> None:
    """The state server goes back to what it had some commits ago: who watched, and who comes back with a
    version of then, gets the older table marked as rewound, and the table goes on from there.
    """
    table_id = await ann.create()
    players = [ann.as_player(f"{name}-{table_id[:8]}") for name in "ab"]
    for player in players:
        await player.sit(table_id)
    await play_by_calls(table_id, players, 1)
    keys = Keys(64)
    names = (keys.table(table_id), keys.events(table_id))
    async with redis.asyncio.Redis.from_url(services["SERVITO_STATE_URL"]) as client:
        old = (await turn_at(ann, table_id)).version
        saved = [await client.dump(name) for name in names]
        watching = ann.stub.Watch(pb.WatchRequest(table_id=table_id))
        assert isinstance(first := await watching.read(), pb.WatchResponse)
        assert first.snapshot.version >= old
        last = (await play_by_calls(table_id, players, 3)).version
        for name, value in zip(names, saved, strict=True):
            await client.restore(name, 0, value or b"", replace=True)
    rewound = await first_snapshot(watching)
    assert rewound.rewound
    assert rewound.snapshot.version < last
    back = ann.stub.Watch(pb.WatchRequest(table_id=table_id, after_version=last))
    again = await first_snapshot(back)
    assert again.rewound
    assert again.snapshot.version < last
    assert (await play_by_calls(table_id, players, 4)).version > again.snapshot.version
    for stream in (watching, back):
        assert not (await first_update(stream)).rewound
        stream.cancel()


async def first_snapshot(stream: object) -> pb.WatchResponse:
    """The next message that has the whole table."""
    async with asyncio.timeout(20):
        while not (message := await stream.read()).HasField("snapshot"):  # type: ignore[attr-defined]  # a call
            pass
    assert isinstance(message, pb.WatchResponse)
    return message


async def first_update(stream: object) -> pb.WatchResponse:
    """The next message that tells of a commit."""
    async with asyncio.timeout(20):
        while not (message := await stream.read()).updates:  # type: ignore[attr-defined]  # a call
            pass
    assert isinstance(message, pb.WatchResponse)
    return message


def entropies(messages: list[bytes]) -> list[bytes]:
    """What a stream tells of contributions to the order of the cards."""
    parts = [pb.WatchResponse.FromString(message) for message in messages]
    events = [event for part in parts for update in part.updates for event in update.events]
    return [event.entropy_set.entropy for event in events if event.HasField("entropy_set")]
