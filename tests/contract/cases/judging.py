"""The evaluator: it knows one reason to refuse. It keeps nothing and asks nobody, so nothing can be damaged
from outside that would make it fail.
"""

from __future__ import annotations

from servito.evaluator.v1 import evaluator_pb2 as pb
from servito_core.cards import parse_cards
from servito_core.rules import RankingRules
from servito_wire import evaluator as wire
from servito_wire import odds
from tests.contract.registry import Asked, cannot, refuses, succeeds
from tests.contract.stage import Stage

RULES = RankingRules()
HAND, OTHER = parse_cards("As Ad 9c 8h 7s"), parse_cards("Ks Kd Qc Jh Ts")
STATELESS = "it keeps nothing and asks nobody: no damage from outside can make it fail"

for _rpc in ("RankHands", "FindOpeners", "FindWinners", "CountDraws", "CountOpeners"):
    cannot(_rpc, "INTERNAL", STATELESS)


@succeeds("RankHands")
async def a_name(stage: Stage) -> Asked:
    """Of one hand."""
    return Asked(wire.rank_request(wire.RankRequest(RULES, 7, [HAND])), None)


@refuses("RankHands", "MALFORMED")
async def four_cards(stage: Stage) -> Asked:
    """A hand is five."""
    return Asked(wire.rank_request(wire.RankRequest(RULES, 7, [HAND[:4]])), None)


@succeeds("FindOpeners")
async def openers(stage: Stage) -> Asked:
    """A pair of aces."""
    return Asked(wire.openers_request(wire.OpenersRequest(RULES, 7, "JJ", "none", {0: HAND})), None)


@refuses("FindOpeners", "MALFORMED")
async def an_empty_holding(stage: Stage) -> Asked:
    """Somebody who holds nothing."""
    return Asked(wire.openers_request(wire.OpenersRequest(RULES, 7, "JJ", "none", {0: ()})), None)


@succeeds("FindWinners")
async def a_showdown(stage: Stage) -> Asked:
    """Of two."""
    asked = wire.WinnersRequest(RULES, 7, {0: HAND, 1: OTHER}, [(0, 1)])
    return Asked(wire.winners_request(asked), None)


@refuses("FindWinners", "MALFORMED")
async def a_card_in_two_hands(stage: Stage) -> Asked:
    """Of one deal."""
    asked = wire.WinnersRequest(RULES, 7, {0: HAND, 1: HAND}, [(0, 1)])
    return Asked(wire.winners_request(asked), None)


@succeeds("CountDraws")
async def a_draw_of_three(stage: Stage) -> Asked:
    """Of a deck of 32."""
    return Asked(odds.draws_request(odds.DrawsRequest(RULES, 7, HAND, HAND[:2], ())), None)


@refuses("CountDraws", "MALFORMED")
async def a_card_kept_that_is_not_held(stage: Stage) -> Asked:
    """Of another hand."""
    return Asked(odds.draws_request(odds.DrawsRequest(RULES, 7, HAND, OTHER[:1], ())), None)


@succeeds("CountOpeners")
async def one_opponent(stage: Stage) -> Asked:
    """Who may hold what is not seen."""
    return Asked(odds.openers_odds_request(odds.OpenersOddsRequest(RULES, 7, "JJ", "none", HAND, 1)), None)


@refuses("CountOpeners", "MALFORMED")
async def nobody_to_open(stage: Stage) -> Asked:
    """No opponent at all."""
    return Asked(pb.CountOpenersRequest(), None)
