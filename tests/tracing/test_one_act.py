"""What a client does, and what a clock brings about, is one trace from its beginning to the commit, and all
processes log under its id: over real processes, to a real receiver.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from servito_client import Servito, TableConfig, Update
from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import uniform
from servito_client.messages import SeatActed
from servito_platform.tracing import Attribute
from tests.docs.blocks import blocks
from tests.taint.detector import in_logs
from tests.tracing.collector import Seen, Tree, tree
from tests.tracing.house import House, house

if TYPE_CHECKING:
    from servito_client.bots.own_cards import OwnCards

PLAYERS = ("anna", "bruno")
HANDS = 6
ACT = "servito-table: TableService/Play act"
COMMITTED: Tree = {"servito-table: redis commit.lua": {}, "servito-table: table announce": {}}
DRAWN: Tree = {
    "servito-table: table Act": {
        **COMMITTED,
        "servito-table: table GoOn": {
            **COMMITTED,
            "servito-table: DealerService/Draw": {
                "servito-dealer: DealerService/Draw": {"servito-dealer: redis append.lua": {}}
            },
        },
    }
}
JUDGED: Tree = {
    "servito-table: EvaluatorService/FindWinners": {"servito-evaluator: EvaluatorService/FindWinners": {}}
}


@dataclass
class Played:
    """What came of some hands and an expired turn."""

    running: House
    table_id: str
    spans: list[Seen]
    silent: str
    """The table at which nobody acts."""
    held: set[frozenset[int]] = field(default_factory=set)

    def of_trace(self, trace: str) -> list[Seen]:
        """All its spans."""
        return [span for span in self.spans if span.trace == trace]

    def lines(self, service: str, trace: str) -> list[dict[str, Any]]:
        """What a service logged under it."""
        return [line for line in self.running.lines(service) if line.get("trace_id") == trace]


def config(**changes: int) -> TableConfig:
    """Two players; nobody waits between hands."""
    wanted = {"seats": 2, "min_buy_in": 50, "max_buy_in": 50, "turn_ms": 15_000, "pause_ms": 0, **changes}
    return TableConfig(
        name="Tracce", preset="italiana", options={"open.requirement": "none"}, **cast("Any", wanted)
    )


async def play(running: House, held: set[frozenset[int]]) -> str:
    """Bots play over Play, traced; the table's id. `held` gets every five cards that somebody had."""
    async with Servito(running.table, "anna", tracer=running.provider.get_tracer("bots")) as anna:
        table_id, ended = await anna.create_table(config()), asyncio.Semaphore(0)

        def listen(_seat: int, cards: OwnCards) -> None:
            held.update(frozenset(each) for each in (cards.dealt, cards.held) if len(each) == 5)
            ended.release()

        bots = [
            Bot(
                anna.acting_as(name),
                table_id,
                strategy=uniform,
                rng=Random(number),
                buy_in=50,
                report=Report(),
                listener=listen,
            )
            for number, name in enumerate(PLAYERS)
        ]
        tasks = [asyncio.create_task(bot.play()) for bot in bots]
        async with asyncio.timeout(60):
            for _ in range(len(PLAYERS) * HANDS):
                await ended.acquire()
            await asyncio.gather(*(bot.leave() for bot in bots))
            await asyncio.gather(*tasks)
    return table_id


async def be_silent(running: House) -> str:
    """Two sit down, untraced, and do nothing until a clock has acted for one; the table's id."""
    async with Servito(running.table, "carla") as carla:
        table_id = await carla.create_table(config(turn_ms=1_000))
        for player in (carla, carla.acting_as("dario")):
            await player.sit(table_id, buy_in=50)
        view = await carla.table(table_id)
        async with asyncio.timeout(20):
            async for told in carla.watch(table_id, view.version):
                if isinstance(told, Update) and any(isinstance(each, SeatActed) for each in told.events):
                    return table_id
    raise AssertionError("the stream ended")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """One system for all tests here, after all that they look at has happened."""
    with house(tmp_path_factory.mktemp("house")) as running:
        held: set[frozenset[int]] = set()

        async def both() -> tuple[str, str]:
            return await play(running, held), await be_silent(running)

        table_id, silent = asyncio.run(both())
        spans = running.collected.waited_for(
            lambda spans: ended(spans, silent) and len(streams(spans)) == len(PLAYERS)
        )
        yield Played(running, table_id, spans, silent, held)


def ended(spans: list[Seen], table_id: str) -> bool:
    """Whether a turn's end by its clock has come with everything from the sweep on."""
    traces = {span.trace for span in spans if expired(span, table_id)}
    last = {"timers sweep", "timers expire"}
    return {span.name for span in spans if span.trace in traces} >= last


def expired(span: Seen, table_id: str) -> bool:
    """Whether that is the end of a turn by its clock."""
    about = span.attributes
    return span.name == "table Expire" and about[Attribute.TABLE] == table_id and Attribute.VERSION in about


def streams(spans: list[Seen]) -> list[Seen]:
    """The streams of the players: the last that ends."""
    return [span for span in spans if span.name == "TableService/Play" and span.kind == "SERVER"]


def acts(played: Played) -> list[Seen]:
    """The clients' acts."""
    return [span for span in played.spans if span.service == "client" and span.name.endswith("Play act")]


def test_an_act_is_one_trace_from_the_client_to_the_commit(played: Played) -> None:
    """Each act of each player: his span, the table's under it, under that the commit and its
    announcement; a refused one has no commit, and both ends say why.
    """
    assert len(acts(played)) > 2 * HANDS
    for act in acts(played):
        assert act.parent == ""
        spans = played.of_trace(act.trace)
        [(name, below)] = tree(spans, act).items()
        assert name == ACT
        [command] = [span for span in spans if span.name == "table Act"]
        refused = act.attributes.get(Attribute.REFUSAL)
        assert command.attributes.get(Attribute.REFUSAL) == refused
        # One that seems illegal is only refused once the store has confirmed what we know.
        assert ("servito-table: redis commit.lua" in below["servito-table: table Act"]) is not bool(refused)
        for attribute in (Attribute.TABLE, Attribute.HAND, Attribute.TURN, Attribute.ACTION):
            assert command.attributes[attribute] == act.attributes[attribute]
        assert {span.id for span in spans} >= {span.parent for span in spans} - {""}


def test_cards_come_in_the_trace_of_who_drew_them(played: Played) -> None:
    """What a player's draw leads to belongs to it, the dealer's record of it included."""
    draws = [act for act in acts(played) if act.attributes["servito.action"] == "draw"]
    assert DRAWN in [tree(played.of_trace(act.trace), act)[ACT] for act in draws]


def test_the_judgement_is_in_the_trace_of_the_last_act(played: Played) -> None:
    """Who calls last has the evaluator in his trace."""
    found = [tree(played.of_trace(act.trace), act)[ACT]["servito-table: table Act"] for act in acts(played)]
    assert any(JUDGED.items() <= below.items() for below in found)


def test_every_process_logs_under_the_id_of_the_trace(played: Played) -> None:
    """The lines of table and dealer that belong to an act name its trace, its request and its hand; the
    evaluator's too.
    """
    [draw, *_] = [act for act in acts(played) if tree(played.of_trace(act.trace), act)[ACT] == DRAWN]
    table, dealer = played.lines("table", draw.trace), played.lines("dealer", draw.trace)
    assert {line["event"] for line in table} == {"act_accepted"}
    assert {line["rpc"] for line in dealer} == {"servito.dealer.v1.DealerService/Draw"}
    assert {line["hand_id"] for line in (*table, *dealer)} == {draw.attributes["servito.hand_id"]}
    assert len({line["request_id"] for line in (*table, *dealer)}) == 1
    judged = [span for span in played.spans if span.service == "servito-evaluator"]
    assert judged
    for span in judged:
        [line] = played.lines("evaluator", span.trace)
        assert (line["span_id"], line["event"], line["code"]) == (span.id, "call_ended", "OK")
        assert line["hand_id"].startswith(f"{played.table_id}-")


def test_the_trace_of_an_expired_turn_begins_in_the_timers(played: Played) -> None:
    """From the sweep that found it over the broker to the commit, which names table and turn."""
    end = next(span for span in played.spans if expired(span, played.silent))
    spans = played.of_trace(end.trace)
    [root] = [span for span in spans if not span.parent]
    assert root.service == "servito-timers"
    assert root.name == "timers sweep"
    step = tree(spans, root)
    for name in (
        "servito-timers: timers publish",
        "servito-timers: timers expire",
        "servito-timers: TableService/ExpireDeadlines",
        "servito-table: TableService/ExpireDeadlines",
        "servito-table: table Expire",
    ):
        step = step[name]
    assert COMMITTED.items() <= step.items()
    assert isinstance(end.attributes[Attribute.TURN], int)
    assert {line["event"] for line in played.lines("timers", end.trace)} == {"deadlines_carried_out"}
    assert "call_ended" in {line["event"] for line in played.lines("table", end.trace)}


def test_a_stream_has_a_span_of_its_own(played: Played) -> None:
    """From its beginning to its end, with the table; the client's leaving is no failure."""
    assert {span.attributes[Attribute.TABLE] for span in streams(played.spans)} == {played.table_id}
    assert not any(span.failed for span in streams(played.spans))


def test_spans_say_what_may_be_said_and_name_no_card(played: Played) -> None:
    """Of every span of all hands: attributes of the closed list only, nothing else that could say something;
    and not a card of anybody.
    """
    assert len(played.held) > HANDS
    truth = SimpleNamespace(hands={1: SimpleNamespace(sets=[(0, five) for five in played.held])})
    assert list(in_logs([span.line() for span in played.spans], cast("Any", truth))) == []
    for span in played.spans:
        assert span.attributes.keys() <= set(Attribute), span
        assert list(span.raw.events) == []
        assert (span.raw.status.message, span.raw.trace_state) == ("", "")
    assert {
        span.attributes[Attribute.TABLE] for span in played.spans if Attribute.TABLE in span.attributes
    } == {
        played.table_id,
        played.silent,
    }


def test_logs_name_no_card(played: Played) -> None:
    """At their most talkative."""
    truth = SimpleNamespace(hands={1: SimpleNamespace(sets=[(0, five) for five in played.held])})
    for service, path in played.running.logs.items():
        assert list(in_logs(path.read_text().splitlines(), cast("Any", truth))) == [], service


def test_a_span_says_which_process_made_it(played: Played) -> None:
    """Service, version and instance."""
    ours = {span.service: span.resource for span in played.spans if span.service != "client"}
    assert set(ours) == {"servito-table", "servito-dealer", "servito-evaluator", "servito-timers"}
    for service, resource in ours.items():
        assert resource["service.namespace"] == "servito"
        assert resource["service.version"] not in ("", "unknown")
        pid = played.running.processes[service.removeprefix("servito-")].pid
        assert str(resource["service.instance.id"]).endswith(f"-{pid}")


def test_the_guides_program_traces_itself(played: Played) -> None:
    """As it stands in docs/operations/traces.md, but for addresses: what it asks is under its own span."""
    [block] = [each for each in blocks("docs/operations/traces.md") if each.language == "python"]
    assert block.told == "tests/tracing/test_one_act.py"
    running = played.running
    code = block.code.replace("127.0.0.1:4317", running.collected.address)
    code = code.replace("127.0.0.1:50053", running.table)
    command = [sys.executable, "-c", code]
    asked = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert {played.table_id, played.silent} <= set(asked.stdout.split())
    spans = running.collected.waited_for(lambda spans: sum(map(_lists, spans)) == 2)
    client, server = sorted(filter(_lists, spans), key=lambda span: span.began)
    assert (client.kind, server.kind) == ("CLIENT", "SERVER")
    assert (server.trace, server.parent) == (client.trace, client.id)


def _lists(span: Seen) -> bool:
    return span.name == "TableService/ListTables"
