"""Recent hands: told whole or as far as they are kept, to each as he was in them."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_table.adapters.codec import Codec
from servito_table.adapters.hands import RedisHands
from servito_table.adapters.telling import told_to_bytes
from servito_table.app.commands import AnswerProposal, ProposeRules
from servito_table.app.hands import hand_in
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.told import told_by
from servito_table.messages.hands import hand_record
from tests.table.gallery import Gallery, sent
from tests.table.real import RealStore
from tests.table.room import CONFIG, Room
from tests.table.shelf import Shelf


@pytest.fixture
async def shelf() -> Shelf:
    """Three players, three hands played."""
    shelf = Shelf()
    await shelf.room.open()
    await shelf.room.sit("ann", "bob", "cat", buy_in=200)
    await shelf.play(3)
    return shelf


def kinds(record: pb.HandRecord) -> list[str]:
    """The events of a record by name."""
    return [happened.event.WhichOneof("event") or "" for happened in record.events]


async def refused(shelf: Shelf, number: int, player: str | None = None) -> TableReason:
    """Why a hand is not told."""
    with pytest.raises(TableRefused) as caught:
        await shelf.hand(number, player)
    return caught.value.reason


async def test_a_hand_is_told_from_its_first_event_to_its_last(shelf: Shelf) -> None:
    """Begun and ended, with who sat where, the button and the way it ended; times count from its beginning
    and never go back.
    """
    record = await shelf.hand(2)
    assert (record.hand_id, record.number) == (f"{shelf.room.table_id}-2", 2)
    assert (record.finished, record.complete) == (True, True)
    assert (kinds(record)[0], kinds(record)[-1]) == ("hand_started", "hand_ended")
    started, ended = record.events[0].event.hand_started, record.events[-1].event.hand_ended
    assert (record.button, record.outcome) == (started.button, ended.outcome)
    names = {own.seat: own.player for own in shelf.room.state.seats}
    assert [(p.seat, p.player) for p in record.players] == [(seat, names[seat]) for seat in started.seats]
    times = [happened.ms for happened in record.events]
    assert times[0] == 0
    assert times == sorted(times)
    assert times[-1] >= 700
    assert record.age_ms >= times[-1]
    assert list(record.config.options.items()) == list(CONFIG.options.items())


async def test_a_player_is_told_what_his_stream_told_him() -> None:
    """The record of a hand and the stream of the same viewer are the same events, for players and for
    strangers, pre-actions and times included.
    """
    watched = Gallery()
    shelf = Shelf(watched.room)
    await shelf.room.open()
    await shelf.room.sit("ann", "bob", "cat")
    viewers: tuple[str | None, ...] = ("ann", "bob", None)
    for name in viewers:
        watcher = await watched.watch(name)
        await sent(watcher)
        told: list[tuple[int, pb.TableEvent]] = []
        number = shelf.room.state.hand.number + 1 if shelf.room.state.hand else 1
        style = random.Random(number)
        while not told or told[-1][1].WhichOneof("event") != "hand_ended":
            await (shelf.room.due() if shelf.room.wait.seat is None else shelf.room.play_on(style))
            updates = [update for message in await sent(watcher) for update in message.updates]
            told += [(update.version, event) for update in updates for event in update.events]
        record = await shelf.hand(number, name)
        kept = [(happened.version, happened.event) for happened in record.events]
        begin = next(i for i, (_, event) in enumerate(told) if event.HasField("hand_started"))
        assert kept == told[begin:]
        watched.hub.leave(watcher)


async def test_a_running_hand_is_told_as_far_as_it_has_come(shelf: Shelf) -> None:
    """Not finished, no outcome, and a player's own cards only in his own record."""
    while shelf.room.wait.seat is None:
        await shelf.room.due()
    for player in ("ann", None):
        record = await shelf.hand(4, player)
        assert (record.finished, record.complete, record.outcome) == (False, True, pb.OUTCOME_UNSPECIFIED)
        [dealt] = [h.event.cards_dealt for h in record.events if h.event.HasField("cards_dealt")]
        assert len(dealt.cards) == (5 if player else 0)
        assert record.HasField("own_seat") is (player is not None)


async def test_what_follows_a_hand_is_not_in_it(shelf: Shelf) -> None:
    """Somebody who sits down in the middle is; somebody who does afterwards is not."""
    while shelf.room.wait.seat is None:
        await shelf.room.due()
    await shelf.room.sit("dan")
    style = random.Random(2)
    while shelf.room.state.running:
        await shelf.room.play_on(style)
    await shelf.room.sit("eve")
    record = await shelf.hand(4)
    sat = [h.event.player_sat.player for h in record.events if h.event.HasField("player_sat")]
    assert sat == ["dan"]
    assert "dan" not in [player.player for player in record.players]


async def test_hands_are_listed_newest_first_in_pages(shelf: Shelf) -> None:
    """Each once, the running one included; what is between hands is none."""
    assert await shelf.listed() == [3, 2, 1]
    while shelf.room.wait.seat is None:
        await shelf.room.due()
    page, last = await shelf.archive.page(shelf.room.table_id, None, 2, None)
    assert [(hand.number, hand.outcome is None) for hand in page] == [(4, True), (3, False)]
    page, last = await shelf.archive.page(shelf.room.table_id, last, 2, None)
    assert ([hand.number for hand in page], last) == ([2, 1], None)
    assert all(len(hand.players) == 3 for hand in page)


async def test_a_table_before_its_first_hand_has_none() -> None:
    """Neither listed nor found, whatever happened there."""
    shelf = Shelf()
    await shelf.room.open()
    await shelf.room.sit("ann", "bob")
    assert await shelf.listed() == []
    assert [await refused(shelf, number) for number in (0, 1)] == [TableReason.UNKNOWN_HAND] * 2


async def test_a_hand_half_trimmed(shelf: Shelf) -> None:
    """Wherever the stream was cut: a whole hand as before; one without its beginning without names and as
    strangers see it, whoever asks; one without its end not at all.
    """
    whole = await shelf.hand(2, "ann")
    first, last = whole.events[0].version, whole.events[-1].version
    for cut in range(first, last + 3):
        shelf.hands.kept_from = cut
        if cut == first:
            assert await shelf.hand(2, "ann") == whole
        elif cut <= last:
            record = await shelf.hand(2, "ann")
            assert (record.complete, record.finished, record.outcome) == (False, True, whole.outcome)
            assert not record.players
            assert not record.HasField("own_seat")
            stranger = await shelf.hand(2)
            assert list(record.events) == list(stranger.events)
            assert record.events[0].version >= cut
            assert await shelf.listed() == [3, 2]
        else:
            assert await refused(shelf, 2, "ann") is TableReason.UNKNOWN_HAND
            assert await shelf.listed() == [3]


async def test_a_running_hand_half_trimmed(shelf: Shelf) -> None:
    """It is there as long as it runs, without its beginning; a hand that is over is not, though what the
    table told after it has its number.
    """
    while shelf.room.wait.seat is None:
        await shelf.room.due()
    await shelf.room.sit("dan")
    shelf.hands.kept_from = shelf.room.known.version
    record = await shelf.hand(4, "ann")
    assert (record.complete, record.finished, kinds(record)) == (False, False, ["player_sat"])
    assert await shelf.listed() == [4]
    style = random.Random(2)
    while shelf.room.state.running:
        await shelf.room.play_on(style)
    await shelf.room.sit("eve")
    shelf.hands.kept_from = shelf.room.known.version
    assert await refused(shelf, 4, "ann") is TableReason.UNKNOWN_HAND
    assert await shelf.listed() == []


async def test_who_may_not_look_at_the_table_may_not_look_at_its_hands() -> None:
    """Without spectators: a player and the owner may, a stranger, and who has left, may not."""
    shelf = Shelf()
    await shelf.room.open(replace(CONFIG, no_spectators=True))
    await shelf.room.sit("ann", "bob", "cat", buy_in=200)
    await shelf.play(1)
    await shelf.room.stand("cat")
    allowed, others = ("ann", "owner"), ("cat", "eve", None)
    for player in allowed:
        assert (await shelf.hand(1, player)).complete
    for stranger in others:
        assert await refused(shelf, 1, stranger) is TableReason.NOT_PERMITTED
        with pytest.raises(TableRefused) as caught:
            await shelf.archive.page(shelf.room.table_id, None, 9, stranger)
        assert caught.value.reason is TableReason.NOT_PERMITTED


async def test_a_hand_has_the_rules_that_it_was_played_by() -> None:
    """After a change of rules the hands before it still tell the old ones, the hands after it the new
    ones.
    """
    room = Room()
    shelf = Shelf(room)
    await room.open()
    await room.sit("ann", "bob", buy_in=200)
    await shelf.play(1)
    for before, after in (("1", "2"), ("2", "3")):
        await room.run(ProposeRules("ann", {"ante": after}), room.request("ann"))
        await room.run(AnswerProposal("bob", room.state.proposals, True), room.request("bob"))
        assert room.state.config.options.get("ante", "1") == before
        for _ in range(40):
            if room.state.config.options.get("ante") == after:
                break
            await shelf.play(1, seed=int(after))
    changed = [
        commit.state.hand.number
        for commit in room.store.commits
        if commit.state.hand and any(type(event).__name__ == "RulesChanged" for event in commit.events)
    ]
    assert len(changed) == 2
    for number in await shelf.listed():
        record = await shelf.hand(number)
        antes = {h.event.ante_posted.amount for h in record.events if h.event.HasField("ante_posted")}
        expected = 1 + sum(number >= change for change in changed)
        assert record.config.options.get("ante", "1") == str(expected)
        assert max(antes, default=expected) == expected


async def test_a_hand_that_an_older_release_began(shelf: Shelf) -> None:
    """Its commit does not say who was dealt in: it is told whole, to everybody as to a stranger."""
    table_id = shelf.room.table_id
    kept = [
        replace(own, told=replace(own.told, players=())) for own in await shelf.hands.of_hand(table_id, 2)
    ]
    hand = hand_in(kept, 2, None)
    assert hand is not None
    record = hand_record(hand, shelf.room.state.config, table_id, "ann", shelf.room.store.now)
    stranger = await shelf.hand(2)
    assert (record.complete, record.finished) == (True, True)
    assert not record.players
    assert not record.HasField("own_seat")
    assert list(record.events) == list(stranger.events)


async def test_streams_and_twin_keep_the_same(shelf: Shelf, real: RealStore) -> None:
    """What the state server's stream gives of the very same commits is what the twin of the other tests
    gives: whole hands, and outlines.
    """
    table_id = shelf.room.table_id
    store = shelf.room.store
    for commit, at in zip(store.commits, store.times, strict=True):
        told = told_to_bytes(told_by(commit.version, commit.state, commit.events))
        fields = {"c": told, "n": at, "t": 0, "d": 0}
        await real.client.xadd(real.keys.events(table_id), fields, id=f"{commit.version}-0")
    kept = RedisHands(real.store._lane, real.keys, Codec())
    assert await kept.outlines(table_id) == await shelf.hands.outlines(table_id)
    for number in range(5):
        assert await kept.of_hand(table_id, number) == await shelf.hands.of_hand(table_id, number)
    assert await kept.outlines("nowhere") == []
