"""Watching a table: every version once and in order, or the whole table instead; nobody holds anybody up."""

from __future__ import annotations

import asyncio
import random

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_table.adapters.watcher import QUEUE
from servito_table.app.refusals import TableReason, TableRefused
from tests.table.gallery import Gallery, kinds, sent, versions
from tests.table.passing import PassingTime


@pytest.fixture
async def gallery() -> Gallery:
    """A table with two players, the first hand dealt."""
    gallery = Gallery()
    await gallery.room.open()
    await gallery.room.sit("ann", "bob")
    await gallery.room.due()
    return gallery


@pytest.fixture
async def passing_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """See `PassingTime`."""
    PassingTime(asyncio.get_running_loop(), monkeypatch)


async def play(gallery: Gallery, commits: int, seed: int = 1) -> None:
    """Let so many commits happen, at least."""
    style, goal = random.Random(seed), gallery.room.known.version + commits
    while gallery.room.known.version < goal:
        await (gallery.room.due() if gallery.room.wait.seat is None else gallery.room.play_on(style))


async def test_the_whole_table_and_then_every_version(gallery: Gallery) -> None:
    """A new watcher gets a snapshot; what follows are the commits, none left out."""
    watcher = await gallery.watch()
    version = gallery.room.known.version
    [first] = await sent(watcher)
    assert first.snapshot.version == version
    await play(gallery, 20)
    assert versions(await sent(watcher)) == list(range(version + 1, gallery.room.known.version + 1))


async def test_going_on_from_a_version(gallery: Gallery) -> None:
    """Who says what he has gets what follows it, the offer of the current turn included."""
    await play(gallery, 10)
    player, offer = gallery.room.offer()
    version = gallery.room.known.version
    messages = await sent(await gallery.watch(player, after=3))
    assert versions(messages) == list(range(4, version + 1))
    offered = [update.HasField("offer") for message in messages for update in message.updates]
    assert offered == [False] * (version - 4) + [True]
    assert messages[-1].updates[-1].to_act == offer.seat
    assert await sent(await gallery.watch(player, after=version)) == []


async def test_a_version_that_is_gone(gallery: Gallery) -> None:
    """What the stream no longer has, and what the table never had, is answered with the whole table; the
    latter is marked as rewound.
    """
    await play(gallery, 10)
    gallery.feed.kept_from = 6
    for after in (0, 4):
        assert kinds(await sent(await gallery.watch(after=after))) == ["snapshot"]
    never = gallery.room.known.version + 1
    assert kinds(await sent(await gallery.watch(after=never))) == ["snapshot", "rewound"]
    assert versions(await sent(await gallery.watch(after=5)))[0] == 6


async def test_a_slow_watcher_gets_the_whole_table(gallery: Gallery) -> None:
    """Who does not read loses the queue and not the table, and the others get every version meanwhile."""
    slow, quick = await gallery.watch(), await gallery.watch()
    await sent(slow)
    got = versions(await sent(quick))
    for _ in range(QUEUE * 3):
        await play(gallery, 1)
        got += versions(await sent(quick))
    version = gallery.room.known.version
    assert got == list(range(got[0], version + 1))
    messages = await sent(slow)
    assert kinds(messages)[0] == "snapshot"
    assert len(messages) <= QUEUE + 1
    assert [messages[0].snapshot.version, *versions(messages)][-1] == version
    await play(gallery, 1)
    assert versions(await sent(slow)) == list(range(version + 1, gallery.room.known.version + 1))


async def test_commits_of_other_processes(gallery: Gallery) -> None:
    """What others commit is read from the stream when they say so: in order, among our own."""
    watcher = await gallery.watch()
    start = (await sent(watcher))[0].snapshot.version
    other, style = gallery.room.other(), random.Random(2)
    for _ in range(20):
        process = style.choice((gallery.room, other))
        await (process.due() if process.wait.seat is None else process.play_on(style))
        if process is other and style.random() < 0.5:
            gallery.hub.stir(other.table_id, other.known.version)
            await asyncio.sleep(0)
    gallery.hub.stir(other.table_id, other.known.version)
    await settled()
    assert versions(await sent(watcher)) == list(range(start + 1, other.known.version + 1))


async def test_what_no_wake_up_told_is_found(gallery: Gallery) -> None:
    """Wake-ups may be lost: comparing versions finds the commits all the same (PITFALLS R8)."""
    watcher = await gallery.watch()
    start = (await sent(watcher))[0].snapshot.version
    other = gallery.room.other()
    await other.sit("cat", "dan")
    await gallery.hub._compare_versions()
    await settled()
    assert versions(await sent(watcher)) == [start + 1, start + 2]


async def test_commits_that_the_stream_lost(gallery: Gallery) -> None:
    """When others committed more than the stream keeps, everybody gets the whole table."""
    watcher = await gallery.watch()
    await sent(watcher)
    other = gallery.room.other()
    await other.sit("cat", "dan")
    gallery.feed.kept_from = other.known.version
    gallery.hub.stir(other.table_id, other.known.version)
    await settled()
    [message] = await sent(watcher)
    assert message.snapshot.version == other.known.version


async def test_a_table_that_went_back(gallery: Gallery) -> None:
    """A failover lost commits: the watchers get the table as it is, not what never happened."""
    before = gallery.room.known
    watcher = await gallery.watch()
    await sent(watcher)
    behind = await gallery.watch()
    await play(gallery, 3)
    await sent(watcher)
    gallery.store.lose(before)
    await gallery.hub._compare_versions()
    [message] = await sent(watcher)
    assert (message.snapshot.version, message.rewound) == (before.version, True)
    [message] = await sent(behind)
    assert (message.snapshot.version, message.rewound) == (before.version, False)
    await play(gallery, 1)
    told = await sent(watcher)
    assert versions(told)[0] == before.version + 1
    assert not any(message.rewound for message in told)


async def test_a_rewind_is_told_even_when_the_table_has_overtaken_it(gallery: Gallery) -> None:
    """Whoever comes back with a version that was lost is told so, although it has been made again since,
    with something else in it.
    """
    await play(gallery, 3)
    had = gallery.room.known.version + 1
    watcher = await gallery.watch(after=had)
    await play(gallery, 4)
    [message] = await sent(watcher)
    assert message.rewound
    assert message.snapshot.version == gallery.room.known.version > had


async def test_goodbye_comes_after_the_answer_to_an_act(gallery: Gallery) -> None:
    """A stream that is told to end while an act of it is carried out says what became of that first, so that
    its player need not ask again elsewhere; nobody takes a further act from it.
    """
    watcher = await gallery.watch("ann")
    await sent(watcher)
    watcher.expect_answer()
    assert not watcher.ending
    watcher.end()
    assert watcher.ending
    waiting = asyncio.create_task(watcher.next())
    await asyncio.sleep(0)
    assert not waiting.done()
    await watcher.answer(pb.PlayResponse(answers=[pb.ActAnswer(request_id="a")]).SerializeToString())
    last = pb.PlayResponse.FromString(b"".join(await waiting))
    assert [answer.request_id for answer in last.answers] == ["a"]
    assert last.goodbye.after_version == gallery.room.known.version
    assert watcher.ended


async def test_who_comes_while_the_process_stops_is_sent_elsewhere(gallery: Gallery) -> None:
    """After its farewell a hub takes nobody: he would be cut off without a word."""
    await gallery.hub.farewell()
    with pytest.raises(TableRefused, match="being stopped") as caught:
        await gallery.watch()
    assert caught.value.reason is TableReason.UNAVAILABLE
    assert gallery.feed.followed == []


async def test_heartbeat_and_goodbye(gallery: Gallery) -> None:
    """A silent stream says that it lives; a draining server says where to go on, after all that is
    waiting.
    """
    watcher = await gallery.watch()
    await sent(watcher)
    watcher.sent_at -= 11
    gallery.hub._beat()
    [beat] = await sent(watcher)
    assert beat.heartbeat.version == gallery.room.known.version
    await play(gallery, 1)
    await gallery.hub.farewell()
    messages = await sent(watcher)
    assert kinds(messages)[-1] == "goodbye"
    assert messages[-1].goodbye.after_version == gallery.room.known.version
    assert watcher.ended


async def test_nothing_is_left_of_who_went(gallery: Gallery) -> None:
    """The last watcher of a table takes its entry along; leaving twice is leaving once."""
    watchers = [await gallery.watch() for _ in range(3)]
    assert gallery.feed.followed == [gallery.room.table_id] * 3
    for watcher in (*watchers, watchers[0]):
        gallery.hub.leave(watcher)
    assert gallery.feed.followed == []
    assert not gallery.hub._followed


async def test_an_unknown_table_cannot_be_watched(gallery: Gallery) -> None:
    """UNKNOWN_TABLE, and nothing is kept of the attempt."""
    with pytest.raises(TableRefused) as caught:
        await gallery.hub.join("nowhere", None, None)
    assert caught.value.reason is TableReason.UNKNOWN_TABLE
    assert not gallery.hub._followed


async def test_spectators_share_one_encoding(gallery: Gallery) -> None:
    """An update is encoded once for all who see the same: the very same bytes go to each of them."""
    watchers = [await gallery.watch() for _ in range(3)]
    for watcher in watchers:
        await watcher.next()
    await play(gallery, 1)
    first, *others = [await watcher.next() for watcher in watchers]
    assert all(mine is theirs for other in others for mine, theirs in zip(first, other, strict=True))


@pytest.mark.usefixtures("passing_time")
async def test_onlookers_are_told_together_and_nobody_waits_for_his_turn() -> None:
    """Of what follows soon on something else an onlooker is told in one message, and within the pace; who
    is to act is told at once.
    """
    gallery = Gallery(pace_seconds=0.2)
    await gallery.room.open()
    await gallery.room.sit("ann", "bob", "cat")
    watchers = {player: await gallery.watch(player) for player in ("ann", "bob", "cat", None)}
    for watcher in watchers.values():
        await sent(watcher)
    while gallery.room.wait.seat is None:
        await gallery.room.due()
    player, offer = gallery.room.offer()
    [*_, turn] = await asyncio.wait_for(sent(watchers[player]), 0.1)
    assert turn.updates[-1].to_act == offer.seat
    assert turn.updates[-1].HasField("offer")
    onlooker = asyncio.create_task(sent(watchers[None]))
    version = gallery.room.known.version
    await play(gallery, 3)
    await settled()
    assert not onlooker.done()
    assert {version + 1, version + 2, version + 3} <= set(versions(await asyncio.wait_for(onlooker, 1)))


@pytest.mark.usefixtures("passing_time")
async def test_what_an_act_brings_about_comes_with_its_answer() -> None:
    """The update of a player's own act waits for its answer: one message says both."""
    gallery = Gallery(pace_seconds=0.2)
    await gallery.room.open()
    await gallery.room.sit("ann", "bob")
    watcher = await gallery.watch("ann")
    await sent(watcher)
    watcher.sent_at -= 1
    watcher.expect_answer()
    await gallery.room.due()
    told = asyncio.create_task(watcher.next())
    await settled()
    assert not told.done()
    await watcher.answer(b"the answer")
    *updates, answer = await asyncio.wait_for(told, 0.1)
    assert answer == b"the answer"
    assert versions([pb.WatchResponse.FromString(b"".join(updates))])[-1] == gallery.room.known.version


@pytest.mark.usefixtures("passing_time")
async def test_a_silence_ends_the_waiting() -> None:
    """After a silence everybody is told at once."""
    gallery = Gallery(pace_seconds=5)
    await gallery.room.open()
    await gallery.room.sit("ann", "bob")
    watcher = await gallery.watch()
    await sent(watcher)
    watcher.sent_at -= 6
    await play(gallery, 1)
    assert versions(await asyncio.wait_for(sent(watcher), 1))


@pytest.mark.usefixtures("passing_time")
async def test_what_was_taken_along_is_not_waited_for() -> None:
    """What an onlooker waits for goes with whatever he is sent first, and nothing is sent for it later."""
    gallery = Gallery(pace_seconds=0.05)
    await gallery.room.open()
    await gallery.room.sit("ann", "bob")
    watcher = await gallery.watch()
    await sent(watcher)
    await play(gallery, 1)
    await watcher.answer(b"the answer")
    *updates, _ = await watcher.next()
    assert updates
    more = asyncio.create_task(sent(watcher))
    await asyncio.sleep(0.15)
    assert not more.done()
    watcher.sent_at += 1
    await play(gallery, 1)
    assert versions(await asyncio.wait_for(more, 1))


@pytest.mark.usefixtures("passing_time")
async def test_each_onlooker_waits_for_himself() -> None:
    """One timer serves all, and nobody is told later than the pace after what he is told of."""
    gallery = Gallery(pace_seconds=0.2)
    await gallery.room.open()
    await gallery.room.sit("ann", "bob")
    first, second = await gallery.watch(), await gallery.watch()
    await sent(first)
    await sent(second)
    second.sent_at -= 1
    await play(gallery, 1)
    assert versions(await sent(second))[-1] == gallery.room.known.version
    await asyncio.sleep(0.1)
    await play(gallery, 1)
    assert versions(await asyncio.wait_for(sent(first), 0.17))[-1] == gallery.room.known.version
    later = asyncio.create_task(sent(second))
    await settled()
    assert not later.done()
    assert versions(await asyncio.wait_for(later, 0.25))[-1] == gallery.room.known.version


async def test_answers_are_never_dropped(gallery: Gallery) -> None:
    """Answers wait for a slow reader in their order, and who produces them waits for room."""
    watcher = await gallery.watch("ann")
    await watcher.next()
    for number in range(QUEUE):
        await watcher.answer(b"%d" % number)
    more = asyncio.create_task(watcher.answer(b"more"))
    await asyncio.sleep(0)
    assert not more.done()
    assert await watcher.next() == [b"%d" % number for number in range(QUEUE)]
    await more
    assert await watcher.next() == [b"more"]


async def settled() -> None:
    """Let what was begun go on until it waits."""
    for _ in range(20):
        await asyncio.sleep(0)
