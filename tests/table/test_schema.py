"""Releases side by side: what the one before stored is read and played on, what a newer one stored is
refused, and what is written for the one before is what that can read.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
import redis
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_local.chips import read_chips
from servito_platform.keys import Keys
from servito_platform.place import Mode, read_place
from servito_platform.state import new_ear, new_lane
from servito_table.adapters.codec import Codec
from servito_table.adapters.feed import RedisFeed
from servito_table.adapters.schema import FIRST, NEWEST, NotYet, UnreadableState
from servito_table.adapters.store import _answer_from_bytes
from servito_table.adapters.telling import told_from_bytes
from servito_table.app.deal_events import DeckCommitted, EntropySet
from servito_table.app.events import PlayerStood
from servito_table.app.refusals import TableReason
from servito_table.app.told import Told
from tests.table.caller import Caller, calling, refusal_from
from tests.table.playing import play_by_calls, turn_at
from tests.table.processes import cards_and_judgement, service
from tests.table.real import RealStore
from tests.table.room import Room
from tests.table.stored import NAMES, load

BEFORE = Path(__file__).with_name("releases") / "schema_1.json"
FORMS_BEFORE = BEFORE.with_suffix(".binpb")
"""The protos of that release."""


@pytest.fixture
def left_behind(state_url: str, state_mode: Mode) -> tuple[str, dict[str, str]]:
    """A state server as the release before left it, and the ids of its tables by what they are."""
    if state_mode is not Mode.SINGLE:
        pytest.skip("the keys are the same in every mode")
    stored = json.loads(BEFORE.read_text())
    with redis.Redis.from_url(state_url) as client:
        load(client, stored)
    return state_url, stored["tables"]


@pytest.mark.parametrize("schema", [FIRST, NEWEST])
async def test_what_the_release_before_stored_is_played_on(
    left_behind: tuple[str, dict[str, str]], schema: int
) -> None:
    """Its hands end, with the cards that its dealer sealed; its requests are remembered, its commits told, no
    chip is lost; whether tables are still written in its form or not.
    """
    url, tables = left_behind
    with (
        cards_and_judgement(url) as settings,
        service("table", settings | {"SERVITO_TABLE_SCHEMA": str(schema)}) as table,
    ):
        async with calling(table.grpc) as ann:
            players = [ann.as_player(name) for name in NAMES]
            for name in ("bets", "draws"):
                before = await ann.table(tables[name])
                sat = await ann.as_player("bruno").sit(tables[name], request_id="sit-bruno")
                assert (sat.seat, sat.version) == (1, 3)
                assert await told_since(ann, tables[name]) == list(range(2, before.version + 1))
                after = await play_by_calls(tables[name], players, hands=2)
                assert sum(seat.stack for seat in after.seats) <= 300
            carried = await play_by_calls(tables["carried"], players[:2], hands=2)
            assert carried.proposal.player == "anna"
            await ann.resume(tables["waiting"])
            waiting = await turn_at(ann, tables["waiting"])
            assert [waiter.player for waiter in waiting.waiting] == ["carla"]
    chips = read_chips(url)
    assert chips.wrong == ()
    assert {chip.table_id: chip.in_play for chip in chips.tables} == {
        tables["bets"]: 300,
        tables["draws"]: 300,
        tables["carried"]: 200,
        tables["waiting"]: 200,
    }
    with redis.Redis.from_url(url) as client:
        form = store.StoredTable.FromString(client.hget(Keys(64).table(tables["bets"]), "s") or b"")
    assert form.schema == schema


async def told_since(ann: Caller, table_id: str) -> list[int]:
    """The versions that a watcher is told who has the first."""
    watch = ann.stub.Watch(pb.WatchRequest(table_id=table_id, after_version=1))
    message = await watch.read()
    watch.cancel()
    assert isinstance(message, pb.WatchResponse)
    return [update.version for update in message.updates]


async def test_a_newer_form_is_refused_and_left_alone(left_behind: tuple[str, dict[str, str]]) -> None:
    """UNAVAILABLE, counted, nothing written: never guessed at; other tables are served."""
    url, tables = left_behind
    table_id = tables["bets"]
    with redis.Redis.from_url(url) as client:
        newer = store.StoredTable.FromString(client.hget(Keys(64).table(table_id), "s") or b"")
        newer.schema = NEWEST + 1
        client.hset(Keys(64).table(table_id), "s", newer.SerializeToString())
        held = client.hgetall(Keys(64).table(table_id))
        with cards_and_judgement(url) as settings, service("table", settings) as table:
            async with calling(table.grpc) as ann:
                for call in (ann.table(table_id), ann.as_player("dora").sit(table_id), ann.pause(table_id)):
                    refused = await refusal_from(call)
                    assert (refused.reason, refused.retryable) == ("UNAVAILABLE", True)
                    assert "form 4 and this server reads 1 to 3" in refused.message
                assert (await ann.table(tables["draws"])).version > 1
        assert client.hgetall(Keys(64).table(table_id)) == held


async def test_an_unknown_event_is_no_update(real: RealStore, state_url: str) -> None:
    """Whoever would have to be told of it gets the whole table instead, as if it were trimmed."""
    commit = store.StoredCommit(version=4, events=[store.StoredEvent()]).SerializeToString()
    with pytest.raises(UnreadableState, match="kind"):
        told_from_bytes(commit)
    await real.client.xadd(real.keys.events("t1"), {"c": commit, "d": 0, "l": 0}, id="4-0")
    place = read_place(state_url)
    lane = new_lane(place, 2.0)
    feed = RedisFeed(lane, new_ear(place, 2.0), real.keys, Codec())
    assert await feed.after("t1", 3) == []
    await lane.close()


def test_answers_may_grow() -> None:
    """A repeat that is asked of the release before is answered by what it knows of the answer."""
    assert _answer_from_bytes(b"7,2,,,,,9,10") == _answer_from_bytes(b"7,2,,,,")
    assert _answer_from_bytes(b"7,2") == _answer_from_bytes(b"7,2,,,,")


async def test_what_is_written_for_the_release_before_is_all_known_to_it() -> None:
    """No field that its reader would drop, in any state of random play; and it reads back equal."""
    form = forms_before().FindMessageTypeByName("servito.table.v1.StoredTable")
    before: type[Message] = message_factory.GetMessageClass(form)
    codec, style, room = Codec(FIRST), random.Random(5), Room()
    await room.open()
    await room.sit("ann", "bob", "cleo")
    for _ in range(200):
        written = codec.encode(room.state)
        read: Any = before.FromString(written)
        assert unknown_in(read) == []
        assert read.schema == FIRST
        assert Codec().decode(read.SerializeToString()) == room.state
        await (room.due() if room.wait.seat is None else room.play_on(style))


def test_events_of_the_newest_form_are_not_written_in_the_first() -> None:
    """What only tells is left out of the stream, where the release before would stumble over it; what has to
    be kept is refused.
    """
    codec, commitment = Codec(FIRST), DeckCommitted(bytes(32), bytes(32), 52, 4, 4, 1, bytes(32))
    stood = PlayerStood(1, "ann", 100)
    told = Told(7, 3, None, 2, (commitment, stood), ())
    assert told_from_bytes(codec.told(told)).events == (stood,)
    assert Codec().read_told(Codec().told(told)).events == (commitment, stood)
    with pytest.raises(NotYet, match="SERVITO_TABLE_SCHEMA is 1") as caught:
        codec.told(Told(7, 3, None, 2, (EntropySet(1, bytes(32)),), ()))
    assert caught.value.reason is TableReason.UNAVAILABLE


def forms_before() -> descriptor_pool.DescriptorPool:
    """The protos of the release before."""
    pool = descriptor_pool.DescriptorPool()
    for file in descriptor_pb2.FileDescriptorSet.FromString(FORMS_BEFORE.read_bytes()).file:
        pool.Add(file)
    return pool


def unknown_in(message: Message) -> list[int]:
    """Numbers of fields that the form of a message does not have, in it or in what it holds."""
    unknown: Any = UnknownFieldSet(message)  # its stub does not say that it can be gone through
    found = [field.field_number for field in unknown]
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for inner in value if field.is_repeated else [value]:
            found += unknown_in(inner)
    return found
