"""House rules: proposals and the answers to them."""

from __future__ import annotations

import asyncio

from servito.table.v1 import table_pb2 as pb
from tests.contract.registry import Asked, refuses, succeeds
from tests.contract.stage import Seats, Stage
from tests.table.caller import fresh


def propose(table_id: str, player: str, **changes: str) -> Asked:
    """A player wants other rules."""
    request = pb.ProposeRulesRequest(table_id=table_id, request_id=fresh(), changes=changes or {"ante": "2"})
    return Asked(request, player)


def answer(table_id: str, player: str, proposal_id: int = 1) -> Asked:
    """A player agrees."""
    request = pb.AnswerProposalRequest(
        table_id=table_id, request_id=fresh(), proposal_id=proposal_id, agree=True
    )
    return Asked(request, player)


async def _proposed(stage: Stage, players: int = 2, proposal_ms: int = 60_000) -> Seats:
    """A table where the first player proposed a rule; the others are asked."""
    seats = await stage.hand(players, proposal_ms=proposal_ms)
    await stage.table.as_player(seats.players[0]).propose(seats.table_id, ante="2")
    return seats


@succeeds("ProposeRules")
async def another_ante(stage: Stage) -> Asked:
    """Two players, a running hand."""
    seats = await stage.hand()
    return propose(seats.table_id, seats.players[0])


@refuses("ProposeRules", "NOT_SEATED")
async def rules_of_a_stranger(stage: Stage) -> Asked:
    """Whoever has no seat has no say."""
    return propose((await stage.hand()).table_id, stage.name())


@refuses("ProposeRules", "PROPOSAL_OPEN")
async def a_second_proposal(stage: Stage) -> Asked:
    """One at a time."""
    seats = await _proposed(stage)
    return propose(seats.table_id, seats.players[1], ante="3")


@refuses("ProposeRules", "INVALID_CONFIG")
async def rules_that_cannot_be_played(stage: Stage) -> Asked:
    """An option that does not exist."""
    seats = await stage.hand()
    return propose(seats.table_id, seats.players[0], jokers="2")


@succeeds("AnswerProposal")
async def agreeing(stage: Stage) -> Asked:
    """One of the two who are asked."""
    seats = await _proposed(stage, 3)
    return answer(seats.table_id, seats.players[1])


@refuses("AnswerProposal", "NOT_SEATED")
async def a_stranger_agrees(stage: Stage) -> Asked:
    """Nobody asked him."""
    return answer((await _proposed(stage)).table_id, stage.name())


@refuses("AnswerProposal", "NO_PROPOSAL")
async def nothing_proposed(stage: Stage) -> Asked:
    """Nothing to agree to."""
    seats = await stage.hand()
    return answer(seats.table_id, seats.players[0])


@refuses("AnswerProposal", "STALE_PROPOSAL")
async def another_proposal(stage: Stage) -> Asked:
    """There is one, and it is not that."""
    seats = await _proposed(stage)
    return answer(seats.table_id, seats.players[1], 7)


@refuses("AnswerProposal", "ALREADY_ANSWERED")
async def agreeing_twice(stage: Stage) -> Asked:
    """The proposer agrees by proposing."""
    seats = await _proposed(stage, 3)
    return answer(seats.table_id, seats.players[0])


@refuses("AnswerProposal", "TOO_LATE")
async def after_it_lapsed(stage: Stage) -> Asked:
    """Its time is up and the timers have not come yet."""
    seats = await _proposed(stage, proposal_ms=1_000)
    await asyncio.sleep(1.5)
    return answer(seats.table_id, seats.players[1])
