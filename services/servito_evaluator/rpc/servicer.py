"""EvaluatorService: reads a request, asks the use cases, writes the answer; refusals become statuses.

Not here: judging, and what a readable request is (`servito_wire.evaluator`). Changes with `evaluator.proto`.
"""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from servito.evaluator.v1 import evaluator_pb2_grpc
from servito_core.ranking import NotAHandError
from servito_platform.errors import RpcError
from servito_wire import evaluator as wire
from servito_wire import odds as odds_wire
from servito_wire.ranking import Malformed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from servito.evaluator.v1 import evaluator_pb2 as pb
    from servito_core.values import HandValue
    from servito_evaluator.app.judgement import Judgements
    from servito_evaluator.app.odds import Odds

SERVICE: Final = "servito.evaluator.v1.EvaluatorService"

_AT_ONCE: Final = 512
"""Hands named before other calls get their turn: a few milliseconds."""


class EvaluatorServicer(evaluator_pb2_grpc.EvaluatorServiceServicer):
    """The RPCs; see the proto for what each promises."""

    def __init__(self, judgements: Judgements, odds: Odds) -> None:
        self._judgements = judgements
        self._odds = odds

    async def RankHands(self, request: pb.RankHandsRequest, context: Any) -> pb.RankHandsResponse:
        """See the proto."""
        with _refusing():
            asked = wire.read_rank_request(request)
            values: list[HandValue] = []
            for begin in range(0, len(asked.hands), _AT_ONCE):
                some = asked.hands[begin : begin + _AT_ONCE]
                values += self._judgements.rank(some, asked.rules, asked.lowest)
                await asyncio.sleep(0)
            return wire.rank_response(values)

    async def FindOpeners(self, request: pb.FindOpenersRequest, context: Any) -> pb.FindOpenersResponse:
        """See the proto."""
        with _refusing():
            asked = wire.read_openers_request(request)
            openers = self._judgements.openers(
                asked.holdings, asked.requirement, asked.draw, asked.rules, asked.lowest
            )
            return wire.openers_response(openers)

    async def FindWinners(self, request: pb.FindWinnersRequest, context: Any) -> pb.FindWinnersResponse:
        """See the proto."""
        with _refusing():
            asked = wire.read_winners_request(request)
            sets, values = self._judgements.winners(asked.hands, asked.contests, asked.rules, asked.lowest)
            return wire.winners_response(wire.Judgement(sets, values))

    async def CountDraws(self, request: pb.CountDrawsRequest, context: Any) -> pb.CountDrawsResponse:
        """See the proto."""
        with _refusing():
            rules, lowest, hand, kept, dead = odds_wire.read_draws_request(request)
            return odds_wire.draws_response(await self._odds.after_draw(hand, kept, dead, rules, lowest))

    async def CountOpeners(self, request: pb.CountOpenersRequest, context: Any) -> pb.CountOpenersResponse:
        """See the proto."""
        with _refusing():
            asked = odds_wire.read_openers_odds_request(request)
            chances = await self._odds.some_opens(
                asked.known, asked.opponents, asked.requirement, asked.draw, asked.rules, asked.lowest
            )
            return odds_wire.openers_odds_response(chances)


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except (Malformed, NotAHandError) as error:
        raise RpcError(wire.MALFORMED_CODE, wire.MALFORMED, str(error)) from None
