"""The audit stream: every commit is in it, whole for the auditor and public for all others."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from servito.table.v1.store_pb2 import CommitSecrets, StoredCommit
from servito_core.events import CardsDealt, CardsDrawn, Discarded, HandStarted, OpenersFound
from servito_core.view import PROJECTIONS
from servito_platform.audit_seal import AuditEntry, AuditOpener, AuditSealer, new_auditor_key
from servito_platform.seal_keys import DEVELOPMENT_KEYS, SealError, parse_seal_keys
from servito_platform.seals import Seals
from servito_table.adapters.codec import Codec
from servito_table.adapters.sealing import PURPOSE, Sealing
from servito_table.adapters.telling import told_to_bytes
from servito_table.app.commits import Commit
from servito_table.app.refusals import ArchiveBehind, TableReason
from servito_table.app.told import told_by
from servito_table.messages.config import config_from_proto
from servito_table.messages.own_events import PRIVATE, TO_STORE
from servito_wire.digests import shown, whole
from servito_wire.events import WRITERS
from servito_wire.secrets import HIDING, joined, parted
from tests.table.real import RealStore, real_store
from tests.table.room import CONFIG, Room
from tests.table.test_store import Case, made, new_table, sat

PRIVATE_KEY, PUBLIC_KEY = new_auditor_key()


def sealing() -> Sealing:
    """The table's, with an auditor."""
    return Sealing(Seals(parse_seal_keys(DEVELOPMENT_KEYS), PURPOSE), AuditSealer("a1", PUBLIC_KEY))


async def played(acts: int = 150) -> list[Commit]:
    """Commits of random play."""
    room, style = Room(), random.Random(11)
    await room.open(replace(CONFIG, pause_ms=0))
    await room.sit("ann", "bob", "cat", "dan")
    for _ in range(acts):
        await room.play_on(style)
    return room.store.commits


def entries_of(commits: list[Commit], codec: Codec) -> list[AuditEntry]:
    """Their audit entries, each of lineage 7."""
    found = []
    for commit in commits:
        written = codec.written(commit, 7)
        parent = 0 if commit.before is None else commit.before.lineage
        entry = AuditEntry(commit.state.id, commit.version, 7, parent, written.audit, written.seal)
        found.append(entry)
    return found


async def test_the_auditor_has_the_whole_commit_and_what_to_compare() -> None:
    """The public part and what his key opens are together the commit as it was told, and digests of the hand
    as a replay computes them.
    """
    commits, opener = await played(), AuditOpener({"a1": PRIVATE_KEY})
    changed = 0
    for commit, entry in zip(commits, entries_of(commits, Codec(sealing=sealing())), strict=True):
        told = StoredCommit.FromString(told_to_bytes(told_by(commit.version, commit.state, commit.events)))
        public = StoredCommit.FromString(entry.public)
        secrets = CommitSecrets()
        if entry.sealed:
            secrets = CommitSecrets.FromString(opener.open(entry.bound, entry.sealed))
        before = None if commit.before is None else commit.before.state.hand
        if commit.state.hand is not None and commit.state.hand is not before:
            changed += 1
            hand, table_id = commit.state.hand, commit.state.id
            assert (public.public_digest, secrets.whole_digest) == (shown(hand, table_id), whole(hand))
        begins = any(isinstance(event, HandStarted) for event in commit.events)
        assert public.HasField("config") is (commit.before is None or begins)
        if public.HasField("config"):
            assert config_from_proto(public.config) == commit.state.config
        public.ClearField("config")
        public.ClearField("public_digest")
        assert joined(public, secrets) == told
        assert public == parted(told)[0]
    assert changed > 100


async def test_what_is_public_names_no_hidden_card() -> None:
    """Of each event that hides something, in each commit, the public part has neither cards nor positions,
    and of decisions beforehand and of entropy nothing at all.
    """
    hidden = 0
    for entry in entries_of(await played(), Codec(sealing=sealing())):
        for event in StoredCommit.FromString(entry.public).events:
            kind = event.WhichOneof("event")
            hidden += kind in HIDING
            assert not event.seat_acted.discards
            assert not event.cards_dealt.ByteSize() or not any(
                hand.cards or hand.positions for hand in event.cards_dealt.hands
            )
            assert not event.openers_found.openers
            assert not event.cards_drawn.cards + event.cards_drawn.positions
    assert hidden > 50


def test_what_hides_something_is_known() -> None:
    """The core's projections and the table's private events, and nothing else, are parted."""
    assert set(PROJECTIONS) == {CardsDealt, OpenersFound, Discarded, CardsDrawn}
    core = {WRITERS[kind][0] for kind in PROJECTIONS}
    own = {"pre_action_set", "pre_action_ended", "entropy_set"}
    assert len(PRIVATE) == len(own)
    assert set(PRIVATE) <= set(TO_STORE)
    assert core | own == HIDING


async def test_a_seal_opens_in_its_place_alone() -> None:
    """Not beside another public part, at another version, lineage or parent, for another table; not changed;
    not with another key; and the auditor's key of before opens what was sealed for it.
    """
    [entry] = [e for e in entries_of(await played(40), Codec(sealing=sealing())) if e.sealed][:1]
    opener = AuditOpener({"a1": PRIVATE_KEY, "a2": new_auditor_key()[0]})
    assert opener.open(entry.bound, entry.sealed)
    elsewhere = (
        replace(entry, table_id="other"),
        replace(entry, version=entry.version + 1),
        replace(entry, lineage=8),
        replace(entry, parent=entry.parent + 1),
        replace(entry, public=entry.public + b"\x08\x01"),
    )
    for moved in elsewhere:
        with pytest.raises(SealError, match="another commit"):
            opener.open(moved.bound, moved.sealed)
    for at in range(0, len(entry.sealed), 7):
        harmed = bytearray(entry.sealed)
        harmed[at] ^= 1
        with pytest.raises(SealError):
            opener.open(entry.bound, bytes(harmed))
    with pytest.raises(SealError, match="'a1', which was not given"):
        AuditOpener({"b": PRIVATE_KEY}).open(entry.bound, entry.sealed)
    with pytest.raises(SealError, match="another commit"):
        AuditOpener({"a1": new_auditor_key()[0]}).open(entry.bound, entry.sealed)


def test_keys_are_renewed_and_no_nonce_comes_twice() -> None:
    """A process's own key lives for minutes; what was sealed before and after opens."""
    now = [0.0]
    sealer = AuditSealer("a1", PUBLIC_KEY, renewed=300, seconds=lambda: now[0])
    seals = [sealer.seal(b"x", b"%d" % number) for number in range(3)]
    now[0] = 300.0
    seals.append(sealer.seal(b"x", b"3"))
    heads = [seal[: 4 + 32 + 12] for seal in seals]
    assert len(set(heads)) == 4
    assert [head[4:36] == heads[0][4:36] for head in heads] == [True, True, True, False]
    opener = AuditOpener({"a1": PRIVATE_KEY})
    assert [opener.open(b"x", seal) for seal in seals] == [b"0", b"1", b"2", b"3"]


def test_who_takes_the_process_over_reads_no_older_entry() -> None:
    """What a process keeps, all of it, opens what it sealed in these minutes; of the key before nothing is
    left.
    """
    now = [0.0]
    sealer = AuditSealer("a1", PUBLIC_KEY, renewed=300, seconds=lambda: now[0])
    before = sealer.seal(b"x", b"before")
    now[0] = 300.0
    since = sealer.seal(b"x", b"since")
    [cipher] = [value for value in vars(sealer).values() if isinstance(value, AESGCM)]
    assert not any(isinstance(value, X25519PrivateKey) for value in vars(sealer).values())
    head = 4 + 32 + 12
    assert cipher.decrypt(since[head - 12 : head], since[head:], since[:head] + b"x") == b"since"
    with pytest.raises(InvalidTag):
        cipher.decrypt(before[head - 12 : head], before[head:], before[:head] + b"x")


async def test_the_tables_key_opens_no_audit_seal() -> None:
    """Nor does it take one for its own."""
    [entry] = [e for e in entries_of(await played(40), Codec(sealing=sealing())) if e.sealed][:1]
    seals = Seals(parse_seal_keys(DEVELOPMENT_KEYS), PURPOSE)
    with pytest.raises(SealError):
        seals.open(entry.table_id, entry.bound, entry.sealed)
    [(name, key)] = parse_seal_keys(DEVELOPMENT_KEYS).items()
    with pytest.raises(SealError):
        AuditOpener({"a1": key, name: key}).open(entry.bound, entry.sealed)


async def test_without_an_auditor_nothing_hidden_is_written() -> None:
    """The public part is there all the same."""
    entries = entries_of(await played(40), Codec())
    assert not any(entry.sealed for entry in entries)
    assert all(entry.public for entry in entries)


@pytest.fixture
def case(real: RealStore) -> Case:
    """The real store only."""
    return Case(real.store, None, real)


async def audited(real: RealStore, table_id: str = "t1") -> list[AuditEntry]:
    """What the table's partition has in its audit stream."""
    entries: list[Any] = await real.client.xrange(real.keys.audit(real.keys.partition(table_id)))
    return [AuditEntry.of(fields) for _, fields in entries]


async def test_each_commit_is_in_the_stream_once(case: Case, real: RealStore) -> None:
    """In the order of the versions, each with the lineage of the one before; what is refused is not."""
    first = await new_table(case)
    second = await made(case, sat(first, wait_ms=5_000))
    third = await made(case, sat(second, "bob", wait_ms=None))
    await case.store.commit(sat(second, "cat"))
    found = await audited(real)
    assert [(entry.table_id, entry.version) for entry in found] == [("t1", 1), ("t1", 2), ("t1", 3)]
    assert [entry.lineage for entry in found] == [first.lineage, second.lineage, third.lineage]
    assert [entry.parent for entry in found] == [0, first.lineage, second.lineage]
    [event] = StoredCommit.FromString(found[2].public).events
    assert event.player_sat.player == "bob"


async def test_no_hand_begins_when_the_archive_is_far_behind(case: Case, state_url: str) -> None:
    """Everything else goes on; and so does the table once somebody has emptied the stream."""
    known = await new_table(case)
    async with real_store(state_url, backlog=2) as full:
        for player in ("ann", "bob", "cat"):
            known = await made(case, sat(known, player))
        started = HandStarted(1, 0, 7, "", raised=False, carried=0, seats=(0, 1), stacks=(50, 50))
        begins = replace(sat(known, "dan"), events=(started,))
        with pytest.raises(ArchiveBehind, match="4 commits wait") as caught:
            await full.store.commit(begins)
        assert caught.value.reason is TableReason.UNAVAILABLE
        known = await made(replace_store(case, full), sat(known, "dan"))
        await full.client.xtrim(full.keys.audit(full.keys.partition("t1")), maxlen=0)
        await made(replace_store(case, full), replace(sat(known, "eva"), events=(started,)))


def replace_store(case: Case, real: RealStore) -> Case:
    """The same with another process's store."""
    return replace(case, store=real.store, real=real)
