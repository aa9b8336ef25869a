"""House rules over the wire: both calls against the running service, success and every refusal."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from servito.table.v1 import table_pb2 as pb
from tests.table.caller import CONFIG, Caller, fresh, refusal_from
from tests.table.playing import turn_at


class Table:
    """Two players at a table whose first hand runs."""

    def __init__(self, table_id: str, ann: Caller, bob: Caller) -> None:
        self.id = table_id
        self.ann, self.bob = ann, bob

    async def view(self) -> pb.TableView:
        """As the first one sees it."""
        return await self.ann.table(self.id)


async def seated(ann: Caller, config: pb.TableConfig = CONFIG) -> Table:
    """A table with two players."""
    table_id = await ann.create(config)
    players = [ann.as_player(f"{name}-{table_id[:8]}") for name in "ab"]
    for player in players:
        await player.sit(table_id)
    await turn_at(ann, table_id)
    return Table(table_id, *players)


@pytest.fixture
async def table(ann: Caller) -> Table:
    """Such a table."""
    return await seated(ann)


async def refused(table: Table, reason: str, call: Any) -> str:
    """Await `call`, which must be refused for `reason` and change nothing; what it says."""
    before = (await table.view()).version
    told = await refusal_from(call)
    assert told.reason == reason, told
    assert (await table.view()).version == before
    return told.message


async def test_a_proposal_is_shown_and_answered(table: Table) -> None:
    """Everybody sees who proposes what, who agreed and how long it is open; the last answer accepts it."""
    made = await table.ann.propose(table.id, bet_limit="none", ante="2")
    shown = (await table.bob.table(table.id, made.version)).proposal
    assert (shown.proposal_id, shown.seat, shown.player) == (made.proposal_id, 0, table.ann.name)
    assert [(c.option, c.before, c.after) for c in shown.changes] == [
        ("ante", "1", "2"),
        ("bet.limit", "pot", "none"),
    ]
    assert (list(shown.agreed), shown.accepted) == ([0], False)
    assert 55_000 < shown.remaining_ms <= 60_000
    answered = await table.bob.answer(table.id, made.proposal_id)
    view = await table.ann.table(table.id, answered.version)
    assert (list(view.proposal.agreed), view.proposal.accepted) == ([0, 1], True)
    assert view.proposal.remaining_ms == 0
    assert not view.config.options


async def test_each_step_is_told(table: Table) -> None:
    """A spectator's stream carries proposal, refusal and lapse; the snapshot afterwards shows none."""
    watch: Any = table.ann.stub.Watch(pb.WatchRequest(table_id=table.id), timeout=30)
    assert (await watch.read()).HasField("snapshot")
    number = (await table.ann.propose(table.id, bet_limit="none")).proposal_id
    await table.bob.answer(table.id, number, agree=False)
    told: list[str | None] = []
    while "rules_lapsed" not in told:
        updates = (await watch.read()).updates
        told += [event.WhichOneof("event") for update in updates for event in update.events]
    watch.cancel()
    assert [kind for kind in told if kind and kind.startswith("rules")] == [
        "rules_proposed",
        "rules_refused",
        "rules_lapsed",
    ]
    assert not (await table.view()).HasField("proposal")


async def test_refusals_of_proposing(table: Table) -> None:
    """Every reason of ProposeRules."""
    ann, table_id = table.ann, table.id
    await refused(table, "MALFORMED", ann.propose(table_id))
    await refused(table, "MALFORMED", ann.propose(table_id, **{f"o{i}": "1" for i in range(101)}))
    await refused(table, "MALFORMED", ann.propose("no such/id", ante="2"))
    await refused(table, "MALFORMED", ann.propose(table_id, request_id="a b", ante="2"))
    await refused(table, "UNKNOWN_TABLE", ann.propose("nowhere", ante="2"))
    request = pb.ProposeRulesRequest(table_id=table_id, request_id=fresh(), changes={"ante": "2"})
    await refused(table, "UNAUTHENTICATED", ann.stub.ProposeRules(request))
    await refused(table, "NOT_PERMITTED", ann.as_player("service:timers").propose(table_id, ante="2"))
    await refused(table, "NOT_SEATED", ann.as_player("eve").propose(table_id, ante="2"))
    await refused(table, "INVALID_CONFIG", ann.propose(table_id, ante="1"))
    message = await refused(
        table, "INVALID_CONFIG", ann.propose(table_id, ante="0", bet_limit="fixed", x="1")
    )
    assert "ante" in message
    assert "x" in message
    used = fresh()
    await ann.propose(table_id, used, ante="2")
    await refused(table, "PROPOSAL_OPEN", table.bob.propose(table_id, ante="3"))
    await refused(table, "REQUEST_ID_REUSED", ann.propose(table_id, used, ante="3"))
    repeated = await ann.propose(table_id, used, ante="2")
    assert repeated.proposal_id == (await table.view()).proposal.proposal_id


async def test_refusals_of_answering(table: Table) -> None:
    """Every reason of AnswerProposal but the clock's."""
    ann, bob, table_id = table.ann, table.bob, table.id
    await refused(table, "NO_PROPOSAL", bob.answer(table_id, 1))
    number = (await ann.propose(table_id, ante="2")).proposal_id
    await refused(table, "MALFORMED", bob.answer("", number))
    await refused(table, "MALFORMED", bob.answer(table_id, number, "x" * 65))
    await refused(table, "UNKNOWN_TABLE", bob.answer("nowhere", number))
    request = pb.AnswerProposalRequest(table_id=table_id, request_id=fresh(), proposal_id=number)
    await refused(table, "UNAUTHENTICATED", ann.stub.AnswerProposal(request))
    await refused(table, "NOT_PERMITTED", ann.as_player("service:timers").answer(table_id, number))
    await refused(table, "NOT_SEATED", ann.as_player("eve").answer(table_id, number))
    await refused(table, "STALE_PROPOSAL", bob.answer(table_id, number + 1))
    await refused(table, "ALREADY_ANSWERED", ann.answer(table_id, number))
    used = fresh()
    first = await bob.answer(table_id, number, used)
    assert await bob.answer(table_id, number, used) == first
    await refused(table, "REQUEST_ID_REUSED", bob.answer(table_id, number, used, agree=False))
    await refused(table, "STALE_PROPOSAL", bob.answer(table_id, number, agree=False))


async def test_the_clock(ann: Caller) -> None:
    """An answer after the grace is TOO_LATE; the timers end the proposal by its name, once."""
    config = pb.TableConfig()
    config.CopyFrom(CONFIG)
    config.proposal_ms = 1_000
    table = await seated(ann, config)
    number = (await table.ann.propose(table.id, ante="2")).proposal_id
    timers, member = ann.as_player("service:timers"), f"{table.id}:p{number}"
    other = await seated(ann)
    open_ = (await other.ann.propose(other.id, ante="2")).proposal_id
    assert await timers.expire(f"{other.id}:p{open_}") == [pb.EXPIRE_RESULT_NOT_DUE]
    await asyncio.sleep(1.35)
    await refused(table, "TOO_LATE", table.bob.answer(table.id, number))
    assert await timers.expire(member) == [pb.EXPIRE_RESULT_EXPIRED]
    assert await timers.expire(member) == [pb.EXPIRE_RESULT_STALE]
    await refused(table, "NO_PROPOSAL", table.bob.answer(table.id, number))


@pytest.mark.parametrize("milliseconds", [999, 600_001])
async def test_the_time_of_a_proposal_is_bounded(table: Table, milliseconds: int) -> None:
    """Between a second and ten minutes; none given is a minute."""
    config = pb.TableConfig()
    config.CopyFrom(CONFIG)
    config.proposal_ms = milliseconds
    message = await refused(table, "INVALID_CONFIG", table.ann.create(config))
    assert "1000..600000" in message
    assert (await table.view()).config.proposal_ms == 60_000


@pytest.mark.parametrize("method", ["ProposeRules", "AnswerProposal"])
async def test_bytes_that_are_no_message(table: Table, table_channel: Any, method: str) -> None:
    """Raw bytes instead of a message: MALFORMED, not an internal error."""
    call = table_channel.unary_unary(f"/servito.table.v1.TableService/{method}")
    await refused(table, "MALFORMED", call(b"\xff\xff\xff", metadata=table.ann.metadata))
