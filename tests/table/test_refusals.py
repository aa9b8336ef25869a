"""Every reason that a caller can meet over the wire: its own reason and code, and nothing is changed by
it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from servito.table.v1 import refusal_pb2
from servito.table.v1 import table_pb2 as pb
from servito_core.refusals import Reason
from servito_table.app.refusals import TableReason
from servito_table.rpc.reading import LARGEST, MEMBERS
from servito_wire.refusals import PREFIX, ROWS
from tests.table.caller import CONFIG, Caller, fresh, refusal_from
from tests.table.playing import mild_action, own_cards, turn_at

LONG = "x" * 65
SERVICE = "servito.table.v1.TableService"
METHODS = pb.DESCRIPTOR.services_by_name["TableService"].methods


class Scene:
    """A running hand: who is to act, who is not, and what is offered."""

    def __init__(self, ann: Caller, table_id: str, players: list[Caller], view: pb.TableView) -> None:
        self.ann = ann
        self.table_id = table_id
        self.actor = players[view.hand.to_act]
        self.other = next(player for player in players if player is not self.actor)
        self.turn = view.hand.turn_id
        self.version = view.version

    async def refused(self, reason: str, call: Awaitable[object], code: grpc.StatusCode | None = None) -> str:
        """Await `call`, which must be refused for `reason` and change nothing; what it says."""
        told = await refusal_from(call)
        assert told.reason == reason, told
        assert told.code is (code or ROWS[reason].code)
        assert (await self.ann.table(self.table_id)).version == self.version
        return told.message


@pytest.fixture
async def scene(ann: Caller) -> Scene:
    """Two players, the first hand dealt."""
    table_id = await ann.create()
    players = [ann.as_player(f"{name}-{table_id[:8]}") for name in "ab"]
    for player in players:
        await player.sit(table_id)
    return Scene(ann, table_id, players, await turn_at(ann, table_id))


def test_reasons_are_the_same_everywhere() -> None:
    """Core, table, proto and wire have one list: a reason that is added in one place is missed in the
    others.
    """
    proto = {name.removeprefix(PREFIX) for name, number in refusal_pb2.RefusalReason.items() if number}
    assert {reason.name for reason in TableReason} == proto == set(ROWS)
    assert {reason.name for reason in Reason} <= proto


async def test_act_out_of_turn(scene: Scene) -> None:
    """The other seat, in the right turn."""
    call = scene.other.act(scene.table_id, scene.turn, pb.Action(kind=pb.ACTION_KIND_PASS))
    await scene.refused("NOT_YOUR_TURN", call)


async def test_a_stale_turn(scene: Scene) -> None:
    """The turn before, and the one after."""
    for turn in (scene.turn - 1, scene.turn + 1, 0, 2**64 - 1):
        call = scene.actor.act(scene.table_id, turn, pb.Action(kind=pb.ACTION_KIND_PASS))
        await scene.refused("STALE_TURN", call)


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (pb.Action(kind=pb.ACTION_KIND_CHECK), "ACTION_NOT_AVAILABLE"),
        (pb.Action(kind=pb.ACTION_KIND_FOLD), "ACTION_NOT_AVAILABLE"),
        (pb.Action(kind=pb.ACTION_KIND_DRAW), "ACTION_NOT_AVAILABLE"),
        (pb.Action(), "MALFORMED"),
        (pb.Action(kind=99), "MALFORMED"),  # type: ignore[arg-type]  # a kind of a newer client
        (pb.Action(kind=pb.ACTION_KIND_PASS, to=5), "MALFORMED"),
        (pb.Action(kind=pb.ACTION_KIND_PASS, discards=[3]), "MALFORMED"),
    ],
)
async def test_actions_that_are_not_offered(scene: Scene, action: pb.Action, reason: str) -> None:
    """A legal kind at the wrong time, no kind, an unknown one, fields that are not for the kind."""
    await scene.refused(reason, scene.actor.act(scene.table_id, scene.turn, action))


async def test_amounts_out_of_range(ann: Caller) -> None:
    """Below the least and above the greatest that were offered, no amount, a negative one."""
    table_id, players = await _opener_to_act(ann)
    view = await turn_at(ann, table_id)
    scene = Scene(ann, table_id, players, view)
    offer = (await scene.actor.table(table_id)).hand.offer
    legal = next(action for action in offer.actions if action.kind == pb.ACTION_KIND_OPEN)
    for to, reason in (
        (legal.least - 1, "BELOW_MINIMUM"),
        (legal.greatest + 1, "ABOVE_MAXIMUM"),
        (2**63 - 1, "ABOVE_MAXIMUM"),
        (-1, "MALFORMED"),
        (None, "MALFORMED"),
    ):
        action = pb.Action(kind=pb.ACTION_KIND_OPEN, to=to)
        await scene.refused(reason, scene.actor.act(table_id, scene.turn, action))


async def test_discards_that_cannot_be(ann: Caller) -> None:
    """Five cards, a card that is not held, a card twice, a number that is no card."""
    table_id, players = await _opener_to_act(ann)
    while True:
        view = await turn_at(ann, table_id)
        scene = Scene(ann, table_id, players, view)
        own = await scene.actor.table(table_id)
        if view.hand.phase == pb.PHASE_DRAW:
            break
        await scene.actor.act(table_id, scene.turn, mild_action(own.hand.offer, []))
    cards = own_cards(own)
    foreign = next(card for card in range(51, -1, -1) if card not in cards)
    for discards, reason in (
        (cards, "TOO_MANY_DISCARDS"),
        ([cards[0], foreign], "CARD_NOT_HELD"),
        ([cards[0], cards[0]], "DUPLICATE_CARD"),
        ([52], "MALFORMED"),
        ([2**32 - 1], "MALFORMED"),
    ):
        action = pb.Action(kind=pb.ACTION_KIND_DRAW, discards=discards)
        message = await scene.refused(reason, scene.actor.act(table_id, scene.turn, action))
        assert str(foreign) not in message


async def test_unknown_tables(scene: Scene) -> None:
    """Every call that names a table says that it does not exist."""
    ann, action = scene.ann, pb.Action(kind=pb.ACTION_KIND_PASS)
    for call in (
        ann.sit("nowhere"),
        ann.stand("nowhere"),
        ann.act("nowhere", 1, action),
        ann.table("nowhere"),
        _first(ann.stub.Watch(pb.WatchRequest(table_id="nowhere"))),
    ):
        await scene.refused("UNKNOWN_TABLE", call)


async def test_seats(scene: Scene) -> None:
    """A taken seat, none of this number, a second one, too few and too many chips, no seat to leave."""
    ann, table_id = scene.ann.as_player("new"), scene.table_id
    await scene.refused("SEAT_TAKEN", ann.sit(table_id, 0))
    await scene.refused("NO_SUCH_SEAT", ann.sit(table_id, 6))
    await scene.refused("NO_SUCH_SEAT", ann.sit(table_id, 2**32 - 1))
    await scene.refused("ALREADY_SEATED", scene.actor.sit(table_id, 3))
    for buy_in in (9, 201, 0, -50, 2**63 - 1):
        message = await scene.refused("BUY_IN_OUT_OF_LIMITS", ann.sit(table_id, 3, buy_in))
        assert "10..200" in message
    await scene.refused("NOT_SEATED", ann.stand(table_id))
    await scene.refused("NOT_SEATED", ann.act(table_id, scene.turn, pb.Action(kind=pb.ACTION_KIND_PASS)))


async def _act_without(ann: Caller, table_id: str) -> object:
    request = pb.ActRequest(table_id=table_id, request_id=fresh(), turn_id=1)
    return await ann.stub.Act(request, metadata=ann.metadata)


async def _create_without(ann: Caller) -> object:
    return await ann.stub.CreateTable(pb.CreateTableRequest(request_id=fresh()), metadata=ann.metadata)


Build = Callable[[Caller, str], Awaitable[object]]

GARBAGE: dict[str, Build] = {
    "table_id": lambda ann, _: ann.sit("no such/id"),
    "table_id of act": lambda ann, _: ann.act("", 1, pb.Action(kind=pb.ACTION_KIND_PASS)),
    "table_id of watch": lambda ann, _: _first(ann.stub.Watch(pb.WatchRequest(table_id="{p001}:t:x"))),
    "table_id of view": lambda ann, _: ann.table("\n"),
    "request_id": lambda ann, table: ann.sit(table, request_id=LONG),
    "request_id of act": lambda ann, table: ann.act(table, 1, pb.Action(kind=pb.ACTION_KIND_PASS), "a b"),
    "request_id of create": lambda ann, _: ann.create(CONFIG, "tab\t"),
    "action": _act_without,
    "config": lambda ann, _: _create_without(ann),
    "page_size": lambda ann, _: ann.stub.ListTables(pb.ListTablesRequest(page_size=201)),
    "page_token": lambda ann, _: ann.stub.ListTables(pb.ListTablesRequest(page_token="AAAA")),
    "page_token without sense": lambda ann, _: ann.stub.ListTables(pb.ListTablesRequest(page_token="~")),
    "page_token in unicode": lambda ann, _: ann.stub.ListTables(pb.ListTablesRequest(page_token="é")),
    "members": lambda ann, _: ann.as_player("service:timers").expire("garbage"),
    "members, too many": lambda ann, _: ann.as_player("service:timers").expire(*["t:1"] * 257),
}


@pytest.mark.parametrize("field", GARBAGE)
async def test_garbage_names_its_field(scene: Scene, field: str) -> None:
    """What cannot be read is MALFORMED, says which field is wrong, and changes nothing."""
    message = await scene.refused("MALFORMED", GARBAGE[field](scene.ann, scene.table_id))
    assert field.split(",", maxsplit=1)[0].split(" ", maxsplit=1)[0] in message


@pytest.mark.parametrize("method", ["CreateTable", "ListTables", "GetTable", "Sit", "Stand", "Act", "Watch"])
async def test_bytes_that_are_no_message(scene: Scene, table_channel: Any, method: str) -> None:
    """Raw bytes instead of a message: MALFORMED, not an internal error."""
    path = f"/servito.table.v1.TableService/{method}"
    metadata = scene.ann.metadata
    if method == "Watch":
        stream = table_channel.unary_stream(path)(b"\xff\xff\xff\xff", metadata=metadata)
        await scene.refused("MALFORMED", _first(stream))
    else:
        await scene.refused("MALFORMED", table_channel.unary_unary(path)(b"\xff\xff\xff", metadata=metadata))


def padded(message: Message, size: int) -> bytes:
    """The message with a field that nobody knows, so that it has so many bytes."""
    sent = message.SerializeToString()
    rest = size - len(sent) - 5
    return sent + b"\xfa\x3f" + bytes((rest & 127 | 128, rest >> 7 & 127 | 128, rest >> 14)) + b"x" * rest


async def test_what_is_too_large_is_not_read(scene: Scene, table_channel: Any) -> None:
    """MALFORMED from one byte above the limit on, by every call: one message full of options, or of cards,
    held up all tables of the process. At the limit it is read as always.
    """
    for method in METHODS:
        if not method.server_streaming:
            who = "service:timers" if method.name == "ExpireDeadlines" else scene.ann.name
            call = table_channel.unary_unary(f"/{SERVICE}/{method.name}")
            large = padded(getattr(pb, method.input_type.name)(), LARGEST + 1)
            refused = call(large, metadata=Caller(scene.ann.stub, who).metadata)
            assert str(LARGEST) in await scene.refused("MALFORMED", refused)
    asked = padded(pb.GetTableRequest(table_id=scene.table_id), LARGEST)
    answer = await table_channel.unary_unary(f"/{SERVICE}/GetTable")(asked, metadata=scene.ann.metadata)
    assert pb.GetTableResponse.FromString(answer).table.version == scene.version


async def test_what_is_too_large_in_a_stream(scene: Scene, table_channel: Any) -> None:
    """Refused as in calls: as the first message by the status, and as an act in its answer."""
    join = pb.PlayRequest(join=pb.WatchRequest(table_id=scene.table_id))
    metadata = scene.ann.metadata
    watch = table_channel.unary_stream(f"/{SERVICE}/Watch")(padded(join.join, LARGEST + 1), metadata=metadata)
    assert str(LARGEST) in await scene.refused("MALFORMED", _first(watch))
    play = table_channel.stream_stream(f"/{SERVICE}/Play")(metadata=metadata)
    await play.write(padded(join, LARGEST + 1))
    assert str(LARGEST) in await scene.refused("MALFORMED", _first(play))
    play = table_channel.stream_stream(f"/{SERVICE}/Play")(metadata=metadata)
    for message in (padded(join, LARGEST), padded(pb.PlayRequest(act=pb.ActRequest()), LARGEST + 1)):
        await play.write(message)
    async with asyncio.timeout(20):
        while not (answers := pb.PlayResponse.FromString(await play.read()).answers):
            pass
    play.cancel()
    assert answers[0].refused.reason == refusal_pb2.REFUSAL_REASON_MALFORMED
    assert str(LARGEST) in answers[0].refused.message


def test_the_largest_request_that_there_is_is_not_too_large() -> None:
    """A full claim of deadlines, of tables with the longest names."""
    claim = pb.ExpireDeadlinesRequest(members=[f"{'x' * 64}:r{10**18 - 1}"] * MEMBERS)
    assert len(claim.SerializeToString()) < LARGEST // 2


async def test_play_has_to_begin_with_join(scene: Scene, table_channel: Any) -> None:
    """A stream that begins with an act, with nothing, or with bytes that are no message."""
    act = pb.PlayRequest(act=pb.ActRequest(request_id=fresh(), turn_id=1)).SerializeToString()
    for first in (act, b"", b"\xff\xff"):
        call = table_channel.stream_stream("/servito.table.v1.TableService/Play")(metadata=scene.ann.metadata)
        await call.write(first)
        await scene.refused("MALFORMED", _first(call))
    empty = table_channel.stream_stream("/servito.table.v1.TableService/Play")(metadata=scene.ann.metadata)
    await empty.done_writing()
    assert "closed before its first message" in await scene.refused("MALFORMED", _first(empty))


async def test_configurations_that_contradict_themselves(scene: Scene) -> None:
    """Every defect is named, however long the list; the message still travels."""
    config = pb.TableConfig(
        preset="texas", options={"ante": "0", **{f"o{i}": "x" * 50 for i in range(300)}}, seats=1
    )
    message = await scene.refused("INVALID_CONFIG", scene.ann.create(config))
    assert "texas" in message or "seats" in message
    assert len(message) <= 1500
    reused = fresh()
    await scene.ann.create(CONFIG, reused)
    other = pb.TableConfig()
    other.CopyFrom(CONFIG)
    other.seats = 3
    await scene.refused("REQUEST_ID_REUSED", scene.ann.create(other, reused))


async def test_who_calls(scene: Scene) -> None:
    """No token, a token that names nobody, a service that plays, a player who ends other people's turns."""
    stub, table_id = scene.ann.stub, scene.table_id
    sit = pb.SitRequest(table_id=table_id, request_id=fresh(), buy_in=50)
    for metadata in ((), (("authorization", "Bearer dev:"),), (("authorization", "Basic x"),)):
        await scene.refused("UNAUTHENTICATED", stub.Sit(sit, metadata=metadata))
    for call in (stub.GetTable(pb.GetTableRequest(table_id=table_id)), _first(_watch(stub, table_id))):
        await call  # a spectator needs no token
    bad = (("authorization", "Bearer dev:a b"),)
    look = stub.GetTable(pb.GetTableRequest(table_id=table_id), metadata=bad)
    for call in (look, _first(_watch(stub, table_id, bad))):
        assert "`Bearer dev:<player>`" in await scene.refused("UNAUTHENTICATED", call)
    await scene.refused("NOT_PERMITTED", scene.ann.as_player("service:timers").sit(table_id))
    await scene.refused("NOT_PERMITTED", scene.ann.expire(f"{table_id}:{scene.turn}"))
    await scene.refused("NOT_PERMITTED", scene.ann.as_player("service:other").expire("t:1"))


async def test_a_version_that_the_table_does_not_have(scene: Scene) -> None:
    """A view that must not be older than a version of the future is refused for now."""
    assert (await scene.ann.table(scene.table_id, scene.version)).version == scene.version
    told = await refusal_from(scene.ann.table(scene.table_id, scene.version + 1))
    assert (told.reason, told.version) == ("UNAVAILABLE", scene.version)


async def _opener_to_act(ann: Caller) -> tuple[str, list[Caller]]:
    """A table where the seat to act may open; deals without one are passed out."""
    table_id = await ann.create()
    players = [ann.as_player(f"{name}-{table_id[:8]}") for name in "ab"]
    for player in players:
        await player.sit(table_id)
    for _ in range(100):
        view = await turn_at(ann, table_id)
        actor = players[view.hand.to_act]
        offer = (await actor.table(table_id)).hand.offer
        if any(action.kind == pb.ACTION_KIND_OPEN for action in offer.actions):
            return table_id, players
        await actor.act(table_id, offer.turn_id, mild_action(offer, []))
    raise AssertionError("nobody held openers in a hundred turns")


async def _first(stream: Any) -> object:
    """The first message of a stream of either kind."""
    return await stream.read()


def _watch(stub: Any, table_id: str, metadata: tuple[tuple[str, str], ...] = ()) -> Any:
    return stub.Watch(pb.WatchRequest(table_id=table_id), metadata=metadata)
