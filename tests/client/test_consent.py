"""What bots answer to proposals of other rules: once, as they were told, and only where they are asked."""

from __future__ import annotations

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_client.bots.consent import Consent
from servito_client.errors import Refusal
from servito_client.messages import RulesAccepted, RulesLapsed, RulesProposed, TableView
from tests.client.scripted import ScriptedTable, Served, Why, failure

PROPOSED = RulesProposed(proposal_id=4, seat=0, player="anna")
OWN = 2


@pytest.mark.parametrize("agree", [True, False])
async def test_a_proposal_is_answered_once_as_the_setting_says(agree: bool) -> None:
    """It came as an event, or was open when the bot sat down."""
    table = ScriptedTable(unary=lambda _: pb.AnswerProposalResponse(version=5))
    async with Served(table) as servito:
        consent = Consent(servito, "t1")
        await consent.answer(agree=agree)
        consent.event(PROPOSED, OWN)
        await consent.answer(agree=agree)
        await consent.answer(agree=agree)
        view = TableView(proposal=pb.ProposalView(proposal_id=7, agreed=[0]))
        consent.snapshot(view, OWN)
        await consent.answer(agree=agree)
    assert [(asked.table_id, asked.proposal_id, asked.agree) for asked in table.asked] == [
        ("t1", 4, agree),
        ("t1", 7, agree),
    ]


async def test_who_is_not_asked_says_nothing() -> None:
    """The bot proposed itself, agreed already, has no seat, or it is settled meanwhile."""
    table = ScriptedTable()
    async with Served(table) as servito:
        consent = Consent(servito, "t1")
        consent.event(PROPOSED, 0)
        await consent.answer(agree=True)
        for settled in (RulesLapsed(proposal_id=4), RulesAccepted(proposal_id=4)):
            consent.event(PROPOSED, OWN)
            consent.event(settled, OWN)
            await consent.answer(agree=True)
        for proposal, seat in (
            (pb.ProposalView(proposal_id=7, agreed=[OWN]), OWN),
            (pb.ProposalView(proposal_id=7, accepted=True), OWN),
            (pb.ProposalView(proposal_id=7), None),
        ):
            consent.snapshot(TableView(proposal=proposal), seat)
            await consent.answer(agree=True)
        consent.snapshot(TableView(), OWN)
        await consent.answer(agree=True)
    assert table.asked == []


async def test_what_others_settled_first_is_no_fault() -> None:
    """An answer that comes too late is nothing; a defect comes out."""
    refusals = [failure(Why.STALE_PROPOSAL), failure(Why.UNKNOWN_TABLE)]

    def answer(_: object) -> pb.AnswerProposalResponse:
        raise refusals.pop(0)

    async with Served(ScriptedTable(unary=answer)) as servito:
        consent = Consent(servito, "t1")
        consent.event(PROPOSED, OWN)
        await consent.answer(agree=True)
        consent.event(PROPOSED, OWN)
        with pytest.raises(Refusal):
            await consent.answer(agree=True)
