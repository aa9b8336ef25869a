"""The evaluator as a process: its RPCs, refusals, metrics and drain, over a real connection."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import urllib.request
from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from servito.evaluator.v1 import evaluator_pb2 as pb
from servito.evaluator.v1 import evaluator_pb2_grpc
from servito_core.cards import parse_cards
from servito_core.events import PotAwarded
from servito_core.hand import play, waiting_for
from servito_core.openers import qualifying_cards
from servito_core.ranking import rank, winners
from servito_core.rules import RankingRules
from servito_core.state import WinnersNeeded
from servito_core.values import Category
from servito_platform.carrier import Carrier
from servito_platform.errors import RpcError
from servito_platform.grpc_channel import open_channel
from servito_platform.metrics import new_registry
from servito_table.adapters.evaluator import EvaluatorClient
from servito_table.adapters.meters import Meters
from servito_wire import evaluator as wire
from servito_wire import odds as odds_wire
from tests.core.hand.driven import Driven

RULES = RankingRules()
MIN, MED, MAX = map(parse_cards, ("As 7s 8s 9s Ts", "8d 9d Td Jd Qd", "Th Jh Qh Kh Ah"))


class Evaluator:
    """A running evaluator process and a client of it."""

    def __init__(self, process: asyncio.subprocess.Process, ready: dict[str, Any]) -> None:
        self.process = process
        self.metrics_address = ready["metrics"]
        self.channel = open_channel(ready["grpc"], timeout=10)
        self.stub = evaluator_pb2_grpc.EvaluatorServiceStub(self.channel)

    async def metrics(self) -> str:
        """The metrics page."""
        url = f"http://{self.metrics_address}/metrics"
        return await asyncio.to_thread(lambda: urllib.request.urlopen(url, timeout=5).read().decode())


@pytest.fixture
async def evaluator() -> AsyncIterator[Evaluator]:
    """`python -m servito_evaluator` on free ports; it must end by itself, with 0, when it is told to."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "servito_evaluator",
        env=os.environ | {"SERVITO_DRAIN_SECONDS": "2"},
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout
    try:
        ready = json.loads(await asyncio.wait_for(process.stdout.readline(), 30))
        running = Evaluator(process, ready)
        yield running
        await running.channel.close()
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), 30) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _refused(call: grpc.aio.UnaryUnaryCall[Any, Any]) -> RpcError:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return RpcError.from_call(caught.value)


async def test_the_service_answers_as_the_plain_definition(evaluator: Evaluator) -> None:
    """Names, openers and winner sets over the wire; what was judged is counted."""
    ranked = await evaluator.stub.RankHands(wire.rank_request(wire.RankRequest(RULES, 7, [MIN, MED, MAX])))
    assert wire.read_rank_response(ranked) == [rank(cards, RULES, 7) for cards in (MIN, MED, MAX)]

    holdings = {0: parse_cards("Js Jd 9c 8h 7s"), 4: parse_cards("Ts Td 9c 8h 7d"), 9: parse_cards("As Ad")}
    found = await evaluator.stub.FindOpeners(
        wire.openers_request(wire.OpenersRequest(RULES, 7, "JJ", "none", holdings))
    )
    plain = {slot: qualifying_cards(cards, "JJ", "none", RULES, 7) for slot, cards in holdings.items()}
    assert wire.read_openers_response(found) == {slot: cards for slot, cards in plain.items() if cards}

    asked = wire.WinnersRequest(RULES, 7, {2: MIN, 5: MED, 7: MAX}, [(2, 5, 7), (2, 7)])
    judged = wire.read_winners_response(await evaluator.stub.FindWinners(wire.winners_request(asked)), asked)
    assert judged.winner_sets == [winners(asked.hands, RULES, 7), {2}]

    page = await evaluator.metrics()
    for purpose, hands in (("rank", 3), ("open", 3), ("win", 3)):
        assert f'servito_evaluator_hands_total{{purpose="{purpose}"}} {float(hands)}' in page
    assert 'grpc_method="FindWinners"' in page


async def test_what_a_table_hears_divides_a_tied_standoff(evaluator: Evaluator) -> None:
    """RULES.md B7: the table asks, and pays thirds by kind, also where two minime tie without suits."""
    hands = {0: "Ac 7c 8c 9c Tc", 1: "As 7s 8s 9s Ts", 2: "Th Jh Qh Kh Ah", 3: "9d Td Jd Qd Kd"}
    game = Driven({"suit_tiebreak": "none"}, [5, 100, 100, 100], hands=hands)
    game.do("0 open 4", "1 call", "2 call", "3 call", *(f"{seat} draw" for seat in range(4)))
    game.do("1 bet 5", "2 call")
    _, hand = play(game.hand, game.command("3 call"))
    needed = waiting_for(hand)
    assert isinstance(needed, WinnersNeeded)
    async with Carrier(evaluator.channel, timeout=10) as carrier:
        answer = await EvaluatorClient(carrier, Meters(new_registry())).judge(hand, needed)
    events, _ = play(hand, answer)
    shares = [event.shares for event in events if isinstance(event, PotAwarded)]
    assert shares == [{0: 4, 1: 3, 2: 7, 3: 6}, {1: 5, 2: 5, 3: 5}]


async def test_many_hands_in_one_request(evaluator: Evaluator) -> None:
    """As many as the proto allows; other calls are answered meanwhile."""
    many = evaluator.stub.RankHands(
        wire.rank_request(wire.RankRequest(RULES, 7, [MIN, MED] * 8192)), timeout=30
    )
    one = evaluator.stub.RankHands(wire.rank_request(wire.RankRequest(RULES, 7, [MAX])))
    assert len((await one).values) == 1
    values = wire.read_rank_response(await many)
    assert len(values) == 16_384
    assert set(values[::2]) == {rank(MIN, RULES, 7)}


async def test_what_may_come_is_counted(evaluator: Evaluator) -> None:
    """A pair of aces draws three; one of three opponents may open. Meanwhile others are answered."""
    hand = parse_cards("As Ad 9c 8h 7s")
    chances = odds_wire.OpenersOddsRequest(RULES, 7, "JJ", "none", hand, 3)
    counting = evaluator.stub.CountOpeners(odds_wire.openers_odds_request(chances), timeout=30)
    ranked = await evaluator.stub.RankHands(wire.rank_request(wire.RankRequest(RULES, 7, [MAX])))
    assert len(ranked.values) == 1

    found = odds_wire.read_openers_odds_response(await counting)
    assert [total for _, total in found] == [80_730, 80_730 * 26_334, 80_730 * 26_334 * 6_188]
    rates = [favourable / total for favourable, total in found]
    assert 0.3 < rates[0] < rates[1] < rates[2] < 0.9

    draws = odds_wire.DrawsRequest(RULES, 7, hand, hand[:2], ())
    counts = odds_wire.read_draws_response(
        await evaluator.stub.CountDraws(odds_wire.draws_request(draws), timeout=30)
    )
    assert sum(counts.values()) == 2_925
    assert counts[Category.FOUR_OF_A_KIND, None] == 25
    assert f'{{purpose="odds"}} {80_730 + 2_925:.1f}' in await evaluator.metrics()


async def test_what_cannot_be_judged_is_refused_with_a_reason(evaluator: Evaluator) -> None:
    """INVALID_ARGUMENT, reason MALFORMED, and a text that says what is wrong but names no card held."""
    stub = evaluator.stub
    request = wire.rank_request(wire.RankRequest(RULES, 7, [MIN[:4]]))
    refusals = [
        (await _refused(stub.RankHands(pb.RankHandsRequest())), "rules.lowest_rank must be 2 to 9, not 0"),
        (await _refused(stub.RankHands(request)), "a hand is five cards"),
    ]
    clash = wire.WinnersRequest(RULES, 7, {0: MIN, 1: parse_cards("As Kd Qd Jc 9h")}, [(0, 1)])
    refusals.append((await _refused(stub.FindWinners(wire.winners_request(clash))), "a card is held twice"))
    nothing = wire.OpenersRequest(RULES, 7, "JJ", "none", {0: ()})
    refusals.append((await _refused(stub.FindOpeners(wire.openers_request(nothing))), "one to five cards"))
    foreign = odds_wire.DrawsRequest(RULES, 7, MIN, MED[:1], ())
    refusals.append((await _refused(stub.CountDraws(odds_wire.draws_request(foreign))), "cards of the hand"))
    crowd = odds_wire.OpenersOddsRequest(RULES, 7, "JJ", "none", MIN, 6)
    refusals.append((await _refused(stub.CountOpeners(odds_wire.openers_odds_request(crowd))), "6 opponents"))
    for refusal, text in refusals:
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
        assert text in refusal.text
        assert "As" not in refusal.text
    assert "servito_evaluator_hands_total{purpose=" not in await evaluator.metrics()
