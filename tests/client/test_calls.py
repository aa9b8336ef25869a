"""Single calls: who asks, what is asked again, and what a refusal becomes."""

from __future__ import annotations

from typing import Any

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_client.actions import bet
from servito_client.client import Seated
from servito_client.errors import Refusal, Unanswered
from servito_client.messages import Offer, TableConfig
from servito_client.pre_actions import call_exactly
from tests.client.scripted import GIVES_UP, ScriptedTable, Served, Why, broken, failure


def answering(*answers: Any) -> ScriptedTable:
    """Gives these answers, one a call; an exception is raised."""
    left = list(answers)

    def answer(_request: Any) -> Any:
        now = left.pop(0)
        if isinstance(now, Exception):
            raise now
        return now

    return ScriptedTable(unary=answer)


async def test_a_call_carries_the_player_and_a_request_id() -> None:
    """Identity travels as metadata, never in the message; every change has a request id of its own."""
    table = answering(pb.SitResponse(seat=2, version=5), pb.StandResponse(version=6, cashed_out=40))
    async with Served(table, player="bruno") as servito:
        assert await servito.sit("t1", buy_in=40) == Seated(seat=2, version=5)
        assert await servito.stand("t1") == 40
    assert table.callers == ["bruno", "bruno"]
    sit, stand = table.asked
    assert (sit.buy_in, sit.HasField("seat")) == (40, False)
    assert sit.request_id
    assert stand.request_id
    assert sit.request_id != stand.request_id


async def test_several_callers_share_a_channel() -> None:
    """Another caller over the same connection is known as himself, and counts into the same effort."""
    table = answering(pb.GetTableResponse(), pb.GetTableResponse(), pb.GetTableResponse())
    async with Served(table) as servito:
        carla = servito.acting_as("carla")
        await carla.table("t1")
        await carla.close()
        await servito.table("t1")
        await servito.acting_as(None).table("t1")
        assert carla.effort is servito.effort
    assert table.callers == ["carla", "anna", None]


async def test_house_rules_are_proposed_and_answered() -> None:
    """The changes travel by name, each call with its request id; the proposal's id is what comes back."""
    table = answering(
        pb.ProposeRulesResponse(version=3, proposal_id=9),
        pb.AnswerProposalResponse(version=4),
        pb.AnswerProposalResponse(version=5),
    )
    async with Served(table) as servito:
        assert await servito.propose_rules("t1", {"bet.limit": "none"}) == 9
        assert await servito.answer_proposal("t1", 9, agree=True) == 4
        assert await servito.answer_proposal("t1", 9, agree=False) == 5
    proposed, *answers = table.asked
    assert dict(proposed.changes) == {"bet.limit": "none"}
    assert [(answer.proposal_id, answer.agree) for answer in answers] == [(9, True), (9, False)]
    assert len({asked.request_id for asked in table.asked} - {""}) == 3


async def test_an_owner_pauses_resumes_and_closes() -> None:
    """Each call names the table and has its own request id; the version is what comes back."""
    table = answering(
        pb.PauseTableResponse(version=3), pb.ResumeTableResponse(version=4), pb.CloseTableResponse(version=5)
    )
    async with Served(table) as servito:
        done = [
            await servito.pause_table("t1"),
            await servito.resume_table("t1"),
            await servito.close_table("t1"),
        ]
    assert done == [3, 4, 5]
    kinds = [pb.PauseTableRequest, pb.ResumeTableRequest, pb.CloseTableRequest]
    assert [type(asked) for asked in table.asked] == kinds
    assert {asked.table_id for asked in table.asked} == {"t1"}
    assert len({asked.request_id for asked in table.asked} - {""}) == 3


async def test_a_pre_action_names_the_moment_of_the_view_that_it_was_decided_on() -> None:
    """Hand and turn come from the view; without a pre-action the one of before is taken back."""
    table = answering(pb.SetPreActionResponse(version=4), pb.SetPreActionResponse(version=5))
    view = pb.TableView(table_id="t1", hand=pb.HandView(hand_id="t1-3", turn_id=12))
    async with Served(table) as servito:
        assert await servito.set_pre_action(view, call_exactly(6)) == 4
        assert await servito.set_pre_action(view, None) == 5
    wanted, back = table.asked
    assert (wanted.table_id, wanted.hand_id, wanted.turn_id) == ("t1", "t1-3", 12)
    assert wanted.pre_action == pb.PreAction(kind=pb.PRE_ACTION_KIND_CALL, amount=6)
    assert not back.HasField("pre_action")
    assert wanted.request_id != back.request_id


async def test_what_may_succeed_later_is_asked_again_with_the_same_request_id() -> None:
    """Lost connections and refusals marked so cost a pause each; the request does not change."""
    table = answering(broken(), failure(Why.CONTENDED), pb.ActResponse(version=8))
    async with Served(table) as servito:
        assert await servito.act("t1", Offer(turn_id=7, hand_id="t1-3"), bet(4)) == 8
        assert servito.effort.retries == 2
    assert table.asked[0] == table.asked[1] == table.asked[2]
    assert table.asked[0].request_id
    assert (table.asked[0].turn_id, table.asked[0].hand_id) == (7, "t1-3")


async def test_a_refusal_is_raised_at_once_with_its_reason() -> None:
    """What can not succeed is asked once."""
    table = answering(failure(Why.SEAT_TAKEN, "seat 2 is taken"))
    async with Served(table) as servito:
        with pytest.raises(Refusal, match="seat 2 is taken") as refusal:
            await servito.sit("t1", buy_in=40, seat=2)
        assert servito.effort.retries == 0
    assert (refusal.value.reason, refusal.value.retryable) == ("SEAT_TAKEN", False)
    assert len(table.asked) == 1


async def test_trying_again_ends_within_the_policy() -> None:
    """A server that never answers well is given up, and the last failure is what is raised."""
    table = answering(*[broken() for _ in range(1000)])
    async with Served(table, policy=GIVES_UP) as servito:
        with pytest.raises(Unanswered):
            await servito.create_table(TableConfig())
    assert 2 < len(table.asked) < 100


async def test_templates_are_put_deleted_and_listed() -> None:
    """What is wished for travels whole; every page is asked for with the token of the one before."""
    sala, aula = pb.TemplateView(template_id="sala"), pb.TemplateView(template_id="aula")
    table = answering(
        pb.PutTemplateResponse(template=sala),
        pb.DeleteTemplateResponse(),
        pb.ListTemplatesResponse(templates=[aula], next_page_token="more"),
        pb.ListTemplatesResponse(templates=[sala]),
    )
    async with Served(table) as servito:
        config = TableConfig(name="Sala", preset="italiana")
        assert await servito.put_template("sala", config, 3) == sala
        await servito.delete_template("sala")
        assert [template async for template in servito.list_templates(page_size=1)] == [aula, sala]
    put, delete, *pages = table.asked
    assert (put.template_id, put.config, put.open_tables) == ("sala", config, 3)
    assert delete.template_id == "sala"
    assert [(page.page_size, page.page_token) for page in pages] == [(1, ""), (1, "more")]


async def test_tables_are_listed_page_by_page() -> None:
    """Every page is asked for with the token of the one before, and only when it is needed."""

    def page(request: pb.ListTablesRequest) -> pb.ListTablesResponse:
        start = int(request.page_token or 0)
        summaries = [pb.TableSummary(table_id=str(n)) for n in range(start, min(start + 2, 5))]
        return pb.ListTablesResponse(tables=summaries, next_page_token=str(start + 2) if start < 4 else "")

    table = ScriptedTable(unary=page)
    async with Served(table) as servito:
        tables = servito.list_tables(page_size=2)
        assert (await anext(tables)).table_id == "0"
        assert len(table.asked) == 1
        assert [summary.table_id async for summary in tables] == ["1", "2", "3", "4"]
        assert [request.page_token for request in table.asked] == ["", "2", "4"]
        free = servito.list_tables(preset="pagat", with_free_seat=True, least_buy_in=50)
        assert len([summary async for summary in free]) == 5
    for request in table.asked[3:]:
        assert (request.preset, request.with_free_seat, request.least_buy_in) == ("pagat", True, 50)


async def test_a_seat_is_left_out_taken_up_and_filled() -> None:
    """Each call has its own request id; chips that follow after the hand are told apart from those put in."""
    table = answering(
        pb.SitOutResponse(version=3),
        pb.SitInResponse(version=4),
        pb.TopUpResponse(version=5, added=40),
        pb.TopUpResponse(version=6),
    )
    async with Served(table) as servito:
        assert (await servito.sit_out("t1"), await servito.sit_in("t1")) == (3, 4)
        assert await servito.top_up("t1", 40) == 40
        assert await servito.top_up("t1", 40) is None
    assert {asked.table_id for asked in table.asked} == {"t1"}
    assert [asked.amount for asked in table.asked[2:]] == [40, 40]
    assert len({asked.request_id for asked in table.asked} - {""}) == 4


async def test_waiting_for_a_seat() -> None:
    """The place in the list is what comes back."""
    table = answering(pb.JoinWaitingListResponse(version=3, place=2), pb.LeaveWaitingListResponse(version=4))
    async with Served(table) as servito:
        assert await servito.join_waiting_list("t1") == 2
        assert await servito.leave_waiting_list("t1") == 4
    assert len({asked.request_id for asked in table.asked} - {""}) == 2


async def test_recent_hands_are_listed_across_pages() -> None:
    """The next page is asked for when the one before is used up, with its token and the same table."""
    table = answering(
        pb.ListHandsResponse(hands=[pb.HandSummary(number=9), pb.HandSummary(number=8)], next_page_token="x"),
        pb.ListHandsResponse(hands=[pb.HandSummary(number=7)]),
        pb.GetHandResponse(hand=pb.HandRecord(hand_id="t1-8", finished=True)),
    )
    async with Served(table) as servito:
        assert [hand.number async for hand in servito.list_hands("t1", page_size=2)] == [9, 8, 7]
        assert (await servito.hand("t1-8")).finished
    first, second, get = table.asked
    assert (first.table_id, first.page_size, first.page_token) == ("t1", 2, "")
    assert (second.table_id, second.page_size, second.page_token) == ("t1", 2, "x")
    assert get.hand_id == "t1-8"
