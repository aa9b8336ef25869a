"""At rest, with the real services on a real state server: what a stolen copy of it holds after hands were
played, and keys that change in the middle of one.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import permutations
from typing import Any

import pytest
import redis

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_platform.audit_seal import AuditEntry, AuditOpener, new_auditor_key
from servito_platform.metrics_page import read_page
from servito_platform.place import Mode
from servito_wire.secrets import joined
from tests.table.caller import CONFIG, Caller, calling, refusal_from
from tests.table.opened import commit_of, table_of
from tests.table.playing import mild_action, own_cards, play_by_calls, turn_at
from tests.table.processes import cards_and_judgement, service
from tests.taint.encodings import Five, card_names, fives_in, hidden_in_text, masks_in

PATIENT = pb.TableConfig()
PATIENT.CopyFrom(CONFIG)
PATIENT.turn_ms = 60_000
NAMES = ("anna", "bruno", "carla")
HIDING = ("cards", "positions", "discards", "discard_positions", "openers", "entropy", "next_entropy")


def key(name: str) -> str:
    """A new one."""
    return f"{name}:{b64encode(os.urandom(32)).decode()}"


@pytest.fixture
def one_server(state_url: str, state_mode: Mode) -> str:
    """What is stored does not depend on who else has it."""
    if state_mode is not Mode.SINGLE:
        pytest.skip("what is stored is the same in every mode")
    return state_url


@dataclass
class Loot:
    """What is stored, as a thief of the state server has it: all values, and some of them read."""

    values: dict[str, bytes] = field(default_factory=dict)
    tables: dict[str, store.StoredTable] = field(default_factory=dict)
    commits: list[tuple[str, dict[bytes, bytes]]] = field(default_factory=list)
    audit: list[AuditEntry] = field(default_factory=list)
    hashes: dict[str, dict[bytes, bytes]] = field(default_factory=dict)

    @classmethod
    def of(cls, url: str) -> Loot:
        """Every key of a server."""
        loot = cls()
        with redis.Redis.from_url(url) as client:
            for name in sorted(client.scan_iter(count=1000)):
                loot._take(client, name.decode())
        return loot

    def _take(self, client: Any, name: str) -> None:
        kind, table_id = client.type(name).decode(), name.rpartition(":")[2]
        if kind == "hash":
            held = client.hgetall(name)
            self.values |= {f"{name} {field.decode()}": value for field, value in held.items()}
            if ":t:" in name:
                self.hashes[table_id] = held
                self.tables[table_id] = store.StoredTable.FromString(held[b"s"])
        elif kind == "stream":
            for entry, fields in client.xrange(name):
                at = f"{name} {entry.decode()}"
                self.values |= {f"{at} {field.decode()}": value for field, value in fields.items()}
                if ":e:" in name:
                    self.commits.append((table_id, fields))
                if name.endswith(":audit"):
                    self.audit.append(AuditEntry.of(fields))
        elif kind == "list":
            self.values |= {f"{name} {at}": value for at, value in enumerate(client.lrange(name, 0, -1))}
        elif kind == "zset":
            self.values |= {f"{name} {member.decode()}": b"" for member in client.zrange(name, 0, -1)}
        else:
            self.values[name] = client.get(name)


@dataclass
class Secrets:
    """What nobody may find: five cards that a seat held together and did not show, the cards that were thrown
    away, and players' entropy."""

    fives: set[Five] = field(default_factory=set)
    discards: list[tuple[int, ...]] = field(default_factory=list)
    shown: list[frozenset[int]] = field(default_factory=list)

    @classmethod
    def of(cls, loot: Loot) -> Secrets:
        """With the key of the table service: from the commits."""
        secrets, held = cls(), dict[tuple[int, int], set[int]]()
        for table_id, fields in loot.commits:
            commit = commit_of(table_id, fields)
            for event in commit.events:
                secrets._take(commit.hand, event, held)
        secrets.fives = {five for five in secrets.fives if not any(five <= shown for shown in secrets.shown)}
        return secrets

    def _take(self, hand: int, event: store.StoredEvent, held: dict[tuple[int, int], set[int]]) -> None:
        for dealt in event.cards_dealt.hands:
            held[hand, dealt.seat] = set(dealt.cards)
            self.fives.add(frozenset(dealt.cards))
        if event.seat_acted.discards:
            held[hand, event.seat_acted.seat] -= set(event.seat_acted.discards)
            self.discards.append(tuple(event.seat_acted.discards))
        if event.cards_drawn.cards:
            own = held[hand, event.cards_drawn.seat]
            own |= set(event.cards_drawn.cards)
            self.fives.add(frozenset(own))
        for shown in (event.hand_shown, event.hand_tabled):
            if shown.cards:
                self.shown.append(frozenset(shown.cards))


def found(loot: Loot, secrets: Secrets) -> set[str]:
    """Where a hand is found in any encoding: numbers, words, masks, texts."""
    places = set()
    for place, value in loot.values.items():
        text, fives = value.decode("latin-1"), secrets.fives
        if any(True for _ in fives_in(value, fives)) or any(True for _ in masks_in(value, fives)):
            places.add(place)
        if text.isascii() and (card_names(text) or any(True for _ in hidden_in_text(text, fives))):
            places.add(place)
    return places


def fields_of(message: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every field that holds something, in a message and in those that it holds."""
    for descriptor, value in message.ListFields():
        if descriptor.message_type is None:
            yield f"{name}{descriptor.name}", value
        elif not descriptor.message_type.GetOptions().map_entry:
            for inner in value if descriptor.is_repeated else [value]:
                yield from fields_of(inner, f"{name}{descriptor.name}.")


def open_fields(loot: Loot) -> set[str]:
    """Names of fields in the public parts that hold what may be hidden."""
    messages = [
        *loot.tables.values(),
        *(store.StoredCommit.FromString(fields[b"c"]) for _, fields in loot.commits),
        *(store.StoredCommit.FromString(entry.public) for entry in loot.audit),
    ]
    found = {name for message in messages for name, _ in fields_of(message)}
    return {name for name in found if name.rpartition(".")[2] in HIDING or "pre_action" in name}


async def played(url: str, settings: dict[str, str], hands: int = 4) -> str:
    """Some hands, one of them not over, with entropy and something decided beforehand; the table."""
    with service("table", settings) as table:
        async with calling(table.grpc) as ann:
            table_id = await ann.create(PATIENT)
            players = [ann.as_player(name) for name in NAMES]
            for player in players:
                await player.sit(table_id)
                entropy = pb.SetEntropyRequest(
                    table_id=table_id, request_id="e", entropy=player.name.encode() * 4
                )
                if settings.get("SERVITO_TABLE_SCHEMA") != "1":
                    await player.stub.SetEntropy(entropy, metadata=player.metadata, timeout=30)
            await play_by_calls(table_id, players, hands)
            await to_the_second_round(ann, table_id)
            view = await turn_at(ann, table_id)
            waiting = next(
                seat for seat in view.hand.seats if seat.seat != view.hand.to_act and not seat.folded
            )
            name = next(seat.player for seat in view.seats if seat.seat == waiting.seat)
            wanted = pb.PreAction(kind=pb.PRE_ACTION_KIND_CHECK_OR_FOLD)
            other = ann.as_player(name)
            await other.want(await other.table(table_id), wanted)
            return table_id


async def to_the_second_round(ann: Caller, table_id: str) -> None:
    """Until the running hand, or the next, bets again after its players have changed cards."""
    while (await turn_at(ann, table_id)).hand.phase != pb.PHASE_SECOND_ROUND:
        await act(ann, table_id)


def guessed(fingerprint: bytes, secrets: Secrets, turns: range) -> tuple[int, ...] | None:
    """The discards of a request, found by trying all that it may have asked for."""
    for discards in secrets.discards:
        for order in permutations(discards):
            action = pb.Action(kind=pb.ACTION_KIND_DRAW, discards=order)
            for turn in turns:
                content = b"act %d " % turn + action.SerializeToString(deterministic=True)
                if blake2b(content, digest_size=8).hexdigest().encode() == fingerprint:
                    return order
    return None


def fingerprints(loot: Loot) -> list[bytes]:
    """Of the requests that name a turn."""
    kept = [value for name, value in loot.values.items() if ":t:" in name and " a:" in name]
    return [act.partition(b" ")[2][:16] for acts in kept for act in acts.split(b"\n")[1:-1]]


async def test_a_stolen_state_server_shows_no_hidden_card(one_server: str) -> None:
    """Every key after hands, one of them in the middle: no hand that was not shown, in any encoding; no
    discard, no position, no entropy, nothing decided beforehand, not even by trying; with the keys of the
    table service the thief has them all, and with the auditor's those of the audit stream. Stacks and names
    are there to be counted.
    """
    private, public = new_auditor_key()
    own = {"SERVITO_TABLE_AUDITOR_KEY": f"a1:{b64encode(public).decode()}"}
    with cards_and_judgement(one_server) as settings:
        table_id = await played(one_server, settings | own)
    loot = Loot.of(one_server)
    secrets = Secrets.of(loot)
    assert len(secrets.fives) > 8
    assert secrets.discards
    assert found(loot, secrets) == set()
    assert open_fields(loot) <= {"hand.players.cards", "events.hand_shown.cards", "events.hand_tabled.cards"}
    for name in NAMES:
        entropy = name.encode() * 4
        for secret in (entropy, entropy.hex().encode(), b64encode(entropy)):
            assert not any(secret in value for value in loot.values.values())
    assert fingerprints(loot)
    assert not any(guessed(each, secrets, range(400)) for each in fingerprints(loot))
    whole = table_of(table_id, loot.hashes[table_id])
    assert {seat.entropy for seat in whole.seats} | {seat.next_entropy for seat in whole.seats} >= {
        name.encode() * 4 for name in NAMES
    }
    assert any(seat.HasField("pre_action") for seat in whole.seats)
    assert sum(seat.stack for seat in loot.tables[table_id].seats) > 0
    opener = AuditOpener({"a1": private})
    audited = Secrets()
    held: dict[tuple[int, int], set[int]] = {}
    for entry in loot.audit:
        hidden = store.CommitSecrets()
        if entry.sealed:
            hidden = store.CommitSecrets.FromString(opener.open(entry.bound, entry.sealed))
        commit = joined(store.StoredCommit.FromString(entry.public), hidden)
        for event in commit.events:
            audited._take(commit.hand, event, held)
    assert audited.discards == secrets.discards
    assert secrets.fives <= audited.fives


async def test_the_search_finds_what_is_not_sealed(one_server: str) -> None:
    """The same hands stored in the form of the release before: hands, discards and requests are all found."""
    with cards_and_judgement(one_server) as settings:
        await played(one_server, settings | {"SERVITO_TABLE_SCHEMA": "1"})
    loot = Loot.of(one_server)
    secrets = Secrets.of(loot)
    places = found(loot, secrets)
    assert any(":t:" in place for place in places)
    assert any(":e:" in place for place in places)
    assert {name for name in open_fields(loot) if name.startswith("events.")} >= {
        "events.cards_dealt.hands.cards",
        "events.seat_acted.discards",
        "events.cards_drawn.cards",
    }
    assert any(guessed(each, secrets, range(400)) for each in fingerprints(loot))


async def test_keys_change_in_the_middle_of_a_hand(one_server: str) -> None:
    """Two processes, of which one is given the new key first. Given in front at once, the other one cannot
    open what that one sealed: UNAVAILABLE, nothing changed, until it has the key as well; given behind the
    old one first, nobody is ever without. No card changes, no chip is lost, and in the end the old key is not
    needed.
    """
    old, new = key("k1"), key("k2")

    def with_keys(*keys: str) -> dict[str, str]:
        return settings | {"SERVITO_TABLE_SEAL_KEYS": ",".join(keys)}

    with cards_and_judgement(one_server) as settings:
        with service("table", with_keys(old)) as here, service("table", with_keys(new, old)) as first:
            async with calling(here.grpc) as ann, calling(first.grpc) as there:
                table_id = await ann.create(PATIENT)
                for name in NAMES:
                    await ann.as_player(name).sit(table_id)
                await turn_at(ann, table_id)
                before = {name: own_cards(await ann.as_player(name).table(table_id)) for name in NAMES}
                await act(there, table_id)
                refused = await refusal_from(ann.table(table_id))
                assert (refused.reason, refused.retryable) == ("UNAVAILABLE", True)
                assert "'k2'" in refused.message
                assert await holding(there, table_id) == before
            assert read_page(here.metrics).total("servito_table_seals_broken_total", why="unknown_key") > 0
        with service("table", with_keys(old, new)) as one, service("table", with_keys(new, old)) as two:
            async with calling(one.grpc) as ann, calling(two.grpc) as there:
                assert await holding(ann, table_id) == before
                for turn in range(6):
                    await act((ann, there)[turn % 2], table_id)
                await act(there, table_id)
        with service("table", with_keys(new)) as last:
            async with calling(last.grpc) as ann:
                players = [ann.as_player(name) for name in NAMES]
                view = await play_by_calls(table_id, players, hands=2)
    assert sum(seat.stack for seat in view.seats) <= 300


async def act(ann: Caller, table_id: str) -> None:
    """Who is to act does something."""
    view = await turn_at(ann, table_id)
    name = next(seat.player for seat in view.seats if seat.seat == view.hand.to_act)
    own = ann.as_player(name)
    mine = await own.table(table_id)
    await own.act(table_id, mine.hand.offer.turn_id, mild_action(mine.hand.offer, own_cards(mine)))


async def holding(ann: Caller, table_id: str) -> dict[str, list[int]]:
    """The cards of everybody, as each is shown his own."""
    return {name: own_cards(await ann.as_player(name).table(table_id)) for name in NAMES}
