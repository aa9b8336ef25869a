"""The evaluator service: implements `app.ports.Evaluator`. The table's seats are the evaluator's slots.

It is stateless: any replica answers, and a repeat is harmless. What it refuses as malformed it refuses for
good: such a hand can never be judged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from servito.evaluator.v1.evaluator_pb2 import FindOpenersResponse, FindWinnersResponse
from servito_core.commands import SupplyOpeners, SupplyWinners
from servito_core.state import OpenersNeeded, WinnersNeeded
from servito_platform.errors import RpcError
from servito_table.adapters.services import answered
from servito_table.app.ports import NeverJudged
from servito_wire.evaluator import (
    MALFORMED,
    OpenersRequest,
    WinnersRequest,
    openers_request,
    read_openers_response,
    read_winners_response,
    winners_request,
)

if TYPE_CHECKING:
    from servito_core.rules import RuleSet
    from servito_core.rules.ruleset import OpenDraw, Requirement
    from servito_core.state import HandState
    from servito_platform.carrier import Carrier
    from servito_table.adapters.meters import Meters
    from servito_table.app.decide import Judgement

EVALUATOR: Final = "servito.evaluator.v1.EvaluatorService"
_WHO: Final = "the evaluator"
_FINAL: Final = frozenset({MALFORMED})


class EvaluatorClient:
    """See the module."""

    def __init__(self, carrier: Carrier, meters: Meters) -> None:
        self._find_openers = carrier.method(f"/{EVALUATOR}/FindOpeners", FindOpenersResponse)
        self._find_winners = carrier.method(f"/{EVALUATOR}/FindWinners", FindWinnersResponse)
        self._seconds = meters.evaluator_seconds

    async def judge(self, hand: HandState, needed: OpenersNeeded | WinnersNeeded) -> Judgement:
        """See `app.ports.Evaluator`."""
        try:
            if isinstance(needed, OpenersNeeded):
                return await self._openers(hand, needed)
            return await self._winners(hand, needed)
        except RpcError as refused:
            raise NeverJudged(refused.reason) from None

    async def _openers(self, hand: HandState, needed: OpenersNeeded) -> SupplyOpeners:
        held = {seat: cards for seat, cards in needed.hands.items() if cards}
        if not held:  # an opener who throws all five cards away: the evaluator judges one card at least
            return SupplyOpeners({})
        asked = OpenersRequest(
            hand.rules,
            hand.lowest_rank,
            cast("Requirement", needed.requirement),
            _draw_that_opens(hand.rules, raised=needed.raised),
            held,
        )
        response = await answered(_WHO, self._seconds, self._find_openers(openers_request(asked)), _FINAL)
        return SupplyOpeners(read_openers_response(response))

    async def _winners(self, hand: HandState, needed: WinnersNeeded) -> SupplyWinners:
        asked = WinnersRequest(hand.rules, hand.lowest_rank, dict(needed.hands), list(needed.contests))
        response = await answered(_WHO, self._seconds, self._find_winners(winners_request(asked)), _FINAL)
        judgement = read_winners_response(response, asked)
        return SupplyWinners(tuple(judgement.winner_sets), judgement.values)


def _draw_that_opens(rules: RuleSet, *, raised: bool) -> OpenDraw:
    """The draws that count in this deal (RULES.md B2, `open.draw_in_raised_deals`)."""
    return "none" if raised and not rules.open_draw_in_raised_deals else rules.open_draw
