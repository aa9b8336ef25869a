"""What is sealed at rest opens where it was sealed, as it was, and nowhere else: whoever writes to the state
server changes nothing unnoticed, and what does not open is refused, counted, told, and left as it is.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest
import structlog

from servito.table.v1.store_pb2 import StoredCommit, StoredTable
from servito_core.events import CardsDealt
from servito_core.state import Phase
from servito_platform.metrics import new_registry
from servito_platform.seal_keys import DEVELOPMENT_KEYS
from servito_platform.settings import SettingsError, load_settings_from
from servito_table.adapters.codec import Codec
from servito_table.adapters.feed import RedisFeed
from servito_table.adapters.hands import RedisHands
from servito_table.adapters.index import RedisIndex
from servito_table.adapters.meters import Meters
from servito_table.adapters.schema import FIRST, SEALED, Outdated, UnreadableState
from servito_table.adapters.sealing import KeyNotGiven, SealedState
from servito_table.app.commits import Answer, Commit, Committed, Known, Place, Repeated, Request, Unmade
from servito_table.app.events import PlayerSat
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.state import TableState, deals_of
from servito_table.app.told import told_by
from servito_table.settings import TableSettings
from tests.table.opened import sealing
from tests.table.real import RealStore, real_store
from tests.table.room import Room

OLD = "k1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE="
NEW = "k2:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI="
DRAWN = Request("ann", "draw-1", "0123456789abcdef", of_turn=True, hidden=True)


async def in_a_hand(table_id: str = "t1") -> TableState:
    """A table with cards in four seats, somebody having drawn."""
    room, style = Room(), random.Random(3)
    await room.open()
    await room.sit("ann", "bob", "cat", "dan")
    for _ in range(200):
        await (room.due() if room.wait.seat is None else room.play_on(style))
        hand = room.state.running
        if hand is not None and hand.phase is Phase.SECOND_ROUND:
            break
    state = room.state.copied()
    state.id = table_id
    return state


async def put(real: RealStore, state: TableState, request: Request | None = None) -> Known:
    """Stored as version 1 of its table."""
    made = await real.store.commit(Commit(None, state, (), (), 0, Answer(1), request=request))
    assert isinstance(made, Committed)
    return made.known


def next_commit(known: Known, request: Request | None = None) -> Commit:
    """The next commit, which begins another wait."""
    state = known.state.copied()
    state.turn += 1
    return Commit(known, state, (), (), 0, Answer(known.version + 1), request=request)


def broken(real: RealStore, why: str = "broken") -> float:
    """How many seals did not open."""
    [counted] = real.meters._seals.labels(why).collect()
    return float(counted.samples[0].value)


async def test_what_is_stored_is_read_as_it_was(real: RealStore) -> None:
    """Every card, whoever reads it."""
    state = await in_a_hand()
    known = await put(real, state)
    read = await real.store.look("t1", None, None)
    assert isinstance(read, Known)
    assert read.state == state
    assert read == known


Held = dict[str, bytes]


def changed(field: str, value: str | int) -> Callable[[Held], Held]:
    """The hash with another seat's stack, or what else an operator might wish for."""

    def change(held: Held) -> Held:
        table = StoredTable.FromString(held["s"])
        setattr(table.seats[0], field, value)
        return held | {"s": table.SerializeToString()}

    return change


def of_bytes(harm: Callable[[bytes], bytes]) -> Callable[[Held], Held]:
    """The hash with other bytes of its table."""
    return lambda held: held | {"s": harm(held["s"])}


HARM: dict[str, Callable[[Held], Held]] = {
    "richer": changed("stack", 10**6),
    "another player in the seat": changed("player", "mallory"),
    "without a seal": lambda held: held | {"s": unsealed(held["s"])},
    "one bit of the seal": of_bytes(lambda s: s[:-1] + bytes((s[-1] ^ 1,))),
    "one bit of the public part": of_bytes(lambda s: s[:12] + bytes((s[12] ^ 1,)) + s[13:]),
    "something behind it": of_bytes(lambda s: s + b"\x38\x07"),
    "a later version": lambda held: held | {"v": b"%d" % (int(held["v"]) + 1)},
    "another lineage": lambda held: held | {"l": b"%d" % (int(held["l"]) + 1)},
}


def unsealed(stored: bytes) -> bytes:
    """The same without its seal."""
    table = StoredTable.FromString(stored)
    table.ClearField("sealed")
    return table.SerializeToString()


@pytest.mark.parametrize("harm", HARM)
async def test_what_was_changed_is_refused_and_left_alone(real: RealStore, harm: str) -> None:
    """INTERNAL, counted and told in the log with table and version; nothing is written."""
    known = await put(real, await in_a_hand())
    held = HARM[harm](await real.fields("t1"))
    await real.client.hset(real.keys.table("t1"), mapping=held)
    with structlog.testing.capture_logs() as lines:
        for try_it in (
            lambda: real.store.look("t1", None, None),
            lambda: real.store.commit(next_commit(replace(known, version=known.version + 5))),
        ):
            with pytest.raises((SealedState, UnreadableState)) as caught:
                await try_it()
            refused = caught.value
            assert isinstance(refused, TableRefused)
            if "one bit of the public" not in harm:
                assert refused.reason is TableReason.INTERNAL
    assert await real.fields("t1") == held
    if "one bit of the public" not in harm:
        assert broken(real) == 2
        assert [line["event"] for line in lines] == ["seal_does_not_open"] * 2
        assert all(line["log_level"] == "error" and line["table"] == "t1" for line in lines)


async def test_a_table_is_not_moved_to_another(real: RealStore) -> None:
    """Neither the whole hash of one, nor its hidden part behind the public part of the other."""
    state = await in_a_hand()
    await put(real, state)
    other = state.copied()
    other.id = "t2"
    await put(real, other)
    one, two = await real.fields("t1"), await real.fields("t2")
    await real.client.hset(real.keys.table("t2"), mapping=one)
    with pytest.raises(SealedState, match="table t2 does not open"):
        await real.store.look("t2", None, None)
    mixed = StoredTable.FromString(two["s"])
    mixed.sealed = StoredTable.FromString(one["s"]).sealed
    await real.client.hset(real.keys.table("t2"), mapping=two | {"s": mixed.SerializeToString()})
    with pytest.raises(SealedState):
        await real.store.look("t2", None, None)


async def test_an_older_seal_is_not_put_back(real: RealStore) -> None:
    """Under the version of now, the table of before does not open, whole or its hidden part alone."""
    first = await put(real, await in_a_hand())
    before = await real.fields("t1")
    assert isinstance(await real.store.commit(next_commit(first)), Committed)
    now = await real.fields("t1")
    await real.client.hset(real.keys.table("t1"), "s", before["s"])
    with pytest.raises(SealedState):
        await real.store.look("t1", None, None)
    mixed = StoredTable.FromString(now["s"])
    mixed.sealed = StoredTable.FromString(before["s"]).sealed
    await real.client.hset(real.keys.table("t1"), "s", mixed.SerializeToString())
    with pytest.raises(SealedState):
        await real.store.look("t1", None, None)


async def test_events_are_bound_to_their_table_version_and_lineage() -> None:
    """What a process is told by the stream opens as the commit that it was, and nowhere else."""
    room, style = Room(), random.Random(3)
    await room.open()
    await room.sit("ann", "bob", "cat", "dan")
    for _ in range(60):
        await (room.due() if room.wait.seat is None else room.play_on(style))
    codec, opened = Codec(), 0
    for commit in room.store.commits:
        written = codec.written(commit, 9).told
        told = told_by(commit.version, commit.state, commit.events)
        told.lineage = 9
        assert codec.read_told(written, commit.state.id, 9) == told
        if codec.told(told) == written:  # nothing hidden: nothing sealed
            continue
        opened += 1
        for table_id, lineage in ((commit.state.id, 8), ("other", 9)):
            with pytest.raises(SealedState):
                codec.read_told(written, table_id, lineage)
    assert opened > 10


async def test_who_watches_is_shown_the_table_where_a_commit_does_not_open(real: RealStore) -> None:
    """The stream is as if it were trimmed there; a hand of the past is refused."""
    room = Room()
    await room.open()
    await room.sit("ann", "bob", "cat")
    await room.due()
    written = [(commit, Codec().written(commit, 9).told) for commit in room.store.commits]
    dealt, told = next(each for each in written if StoredCommit.FromString(each[1]).sealed)
    key, fields = real.keys.events("t1"), {"n": 1, "t": 0, "d": 0, "l": 9}
    await real.client.xadd(key, {"c": told, **fields}, id=f"{dealt.version}-0")
    lane, codec = real.store._lane, Codec()
    feed = RedisFeed(lane, object(), real.keys, codec)  # type: ignore[arg-type]  # no wake-ups are asked for
    assert await feed.after("t1", 0) == []
    with pytest.raises(SealedState):
        await RedisHands(lane, real.keys, codec).of_hand("t1", deals_of(dealt.state))


async def test_lists_need_no_key(real: RealStore, state_url: str) -> None:
    """What is public is read by the index, and by others from outside, without opening anything."""
    state = await in_a_hand()
    await put(real, state)
    foreign = Codec(sealing=sealing(NEW))
    [listed] = await RedisIndex(real.store._lane, real.keys, foreign).tables(["t1"])
    assert listed is not None
    assert (listed.id, listed.seated) == ("t1", len(state.seats))
    public = StoredTable.FromString((await real.fields("t1"))["s"])
    assert not any(
        player.cards or player.positions or player.discards or player.openers
        for player in public.hand.players
    )
    assert [player.card_count for player in public.hand.players] == [
        len(player.cards)
        for player in state.hand.players  # type: ignore[union-attr]  # it is in a hand
    ]


async def test_a_key_that_is_not_given_is_unavailable_here(state_url: str) -> None:
    """Other processes have it; it is counted by itself, and nothing is changed."""
    state = await in_a_hand()
    async with real_store(state_url, keys=NEW) as there, real_store(state_url, keys=OLD) as here:
        known = await put(there, state)
        held = await there.fields("t1")
        with pytest.raises(KeyNotGiven, match="'k2', which was not given here") as caught:
            await here.store.look("t1", None, None)
        assert caught.value.reason is TableReason.UNAVAILABLE
        assert (broken(here, "unknown_key"), broken(here)) == (1, 0)
        assert await there.fields("t1") == held
        assert await there.store.look("t1", None, None) == known


async def test_after_the_new_key_is_everywhere_the_old_one_goes(state_url: str) -> None:
    """A commit seals under the first key; from then on the others are not needed for that table."""
    async with real_store(state_url, keys=OLD) as before:
        await put(before, await in_a_hand())
    async with real_store(state_url, keys=f"{NEW},{OLD}") as both:
        known = await both.store.look("t1", None, None)
        assert isinstance(known, Known)
        made = await both.store.commit(next_commit(known))
        assert isinstance(made, Committed)
    async with real_store(state_url, keys=NEW) as alone:
        assert await alone.store.look("t1", None, None) == made.known


async def test_what_a_request_hid_is_not_found_by_trying(real: RealStore) -> None:
    """What is remembered of it is a hash under the key; of others it is the plain one, as ever."""
    await put(real, await in_a_hand(), DRAWN)
    acts = (await real.fields("t1"))["a:ann"]
    assert DRAWN.fingerprint.encode() not in acts
    assert acts.startswith(b"\ndraw-1 ")
    plain = replace(DRAWN, id="other", hidden=False)
    await real.store.commit(next_commit(known_of(await real.store.look("t1", None, None)), plain))
    assert plain.fingerprint.encode() in (await real.fields("t1"))["a:ann"]


def known_of(looked: object) -> Known:
    """It is one."""
    assert isinstance(looked, Known)
    return looked


@pytest.mark.parametrize(
    ("before", "schema", "after"),
    [
        (DEVELOPMENT_KEYS, FIRST, DEVELOPMENT_KEYS),
        (OLD, SEALED, f"{NEW},{OLD}"),
        (f"{NEW},{OLD}", SEALED, f"{OLD},{NEW}"),
    ],
    ids=["the form before", "a new key", "a key of another process"],
)
async def test_a_repeat_is_known_across_keys_and_forms(
    state_url: str, before: str, schema: int, after: str
) -> None:
    """Its first answer comes back, and with other content it is refused as ever."""
    async with real_store(state_url, keys=before, schema=schema) as first:
        await put(first, await in_a_hand(), DRAWN)
    async with real_store(state_url, keys=after) as second:
        known = known_of(await second.store.look("t1", None, None))
        other = replace(DRAWN, fingerprint="f" * 16)
        assert await second.store.look("t1", None, DRAWN) == Repeated(Answer(1))
        assert await second.store.commit(next_commit(known, DRAWN)) == Repeated(Answer(1))
        assert await second.store.look("t1", None, other) is Unmade.REUSED
        assert await second.store.commit(next_commit(known, other)) is Unmade.REUSED


async def test_from_a_setting_on_nothing_is_believed_that_is_not_sealed() -> None:
    """A table or commit in a form of before is read during an upgrade; whoever can write to the state server
    could put one there for ever, so an operator ends that (SERVITO_TABLE_OLDEST_SCHEMA).
    """
    state = await in_a_hand()
    forged = Codec(FIRST).encode(state)
    assert Codec().decode(forged, "t1", Place(1, 1)) == state
    strict = Codec(oldest=SEALED, unreadable=Meters(new_registry()).unreadable)
    with pytest.raises(Outdated, match="form 1; SERVITO_TABLE_OLDEST_SCHEMA"):
        strict.decode(forged, "t1", Place(1, 1))
    room = Room()
    await room.open()
    await room.sit("ann", "bob", "cat")
    await room.due()
    hiding = next(c for c in room.store.commits if any(isinstance(event, CardsDealt) for event in c.events))
    told = Codec(FIRST).told(told_by(hiding.version, hiding.state, hiding.events))
    assert Codec().read_told(told).version == hiding.version
    with pytest.raises(Outdated, match="not sealed"):
        strict.read_told(told)
    seated = Codec(FIRST).told(told_by(2, state, (PlayerSat(1, "ann", 50),)))
    assert strict.read_told(seated).version == 2


def test_production_seals_unless_the_risk_is_taken() -> None:
    """With tables in the form of before, which is what an upgrade needs, a start is refused until
    `cards-in-clear` is accepted; without keys of its own it is refused in any case.
    """
    keys = {
        "SERVITO_MODE": "production",
        "SERVITO_TABLE_SEAL_KEYS": NEW,
        "SERVITO_TABLE_AUDITOR_KEY": OLD,
        "SERVITO_BROKER_URL": "redis://127.0.0.1:6399/0",
    }
    assert load_settings_from(TableSettings, keys | {"SERVITO_TABLE_SCHEMA": "3"}).own_risks() == []
    [unsafe] = load_settings_from(TableSettings, keys).own_risks()
    assert "SERVITO_ACCEPTED_RISKS=cards-in-clear" in str(unsafe)
    risky = load_settings_from(TableSettings, keys | {"SERVITO_ACCEPTED_RISKS": "cards-in-clear"})
    assert risky.risks == {"cards-in-clear"}
    for missing in ("SERVITO_TABLE_SEAL_KEYS", "SERVITO_TABLE_AUDITOR_KEY"):
        with pytest.raises(SettingsError, match=f"{missing} is needed in production mode"):
            load_settings_from(TableSettings, {name: keys[name] for name in keys if name != missing})
