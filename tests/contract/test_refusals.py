"""Every rpc refuses for every reason that its comment names, in the form that refusal.proto states, and
changes nothing by it.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import pytest
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito_wire import dealer, evaluator
from servito_wire.refusals import ROWS, Row, WireRefusal, refusal_from_proto, refusal_of
from tests.contract.damage import frozen
from tests.contract.general import GENERAL, table_of
from tests.contract.promises import DEALER, EVALUATOR, TABLE, Rpc, promises
from tests.contract.registry import Asked, registry

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from tests.contract.stage import Stage

RPCS: Final = promises()
BY_STATUS_OF_PLAY: Final = RPCS["Watch"].refusals | {"UNAUTHENTICATED", "NOT_PERMITTED"}
IN_ANSWERS_OF_PLAY: Final = RPCS["Act"].refusals - {"UNAUTHENTICATED", "NOT_PERMITTED", "UNKNOWN_TABLE"}
TRIES: Final = 5
"""How often the state server is stopped anew where a look of the process itself was under way."""
HOW_TO: Final = (
    "write it in tests/contract/cases: @refuses({rpc!r}, {reason!r}); see tests/contract/registry.py"
)


@pytest.mark.parametrize(
    ("rpc", "reason"),
    [(rpc.name, reason) for rpc in RPCS.values() for reason in sorted(rpc.refusals) if rpc.name != "Play"],
)
async def test_refused(stage: Stage, rpc: str, reason: str) -> None:
    """The reason arrives as the table of refusals says, and nothing that is stored has changed."""
    found = 0
    async for asked in asked_for(stage, RPCS[rpc], reason):
        found += 1
        before = await held(stage, asked)
        refused = await refusal(stage, RPCS[rpc], asked)
        if was_not_sent(reason, refused):
            assert await held(stage, asked) == before
            refused = await unknown_at_last(stage, RPCS[rpc], lambda again: refusal(stage, RPCS[rpc], again))
        assert refused.reason == reason, (refused, asked.request)
        check_form(RPCS[rpc].service, refused)
        assert await held(stage, asked) == before or reason == "OUTCOME_UNKNOWN"
    if not found and (rpc, reason) not in registry().impossible:
        pytest.fail(
            f"the comment of {rpc} promises {reason} and there is no case of it: "
            + HOW_TO.format(rpc=rpc, reason=reason)
        )


@pytest.mark.parametrize("reason", sorted(BY_STATUS_OF_PLAY))
async def test_play_refuses_to_begin(stage: Stage, reason: str) -> None:
    """What is wrong with joining ends the stream."""
    join = RPCS["Play"]
    found = 0
    async for asked in asked_for(stage, join, reason):
        found += 1
        refused = await refusal(stage, join, asked)
        assert refused.reason == reason, refused
        check_form(TABLE, refused)
    assert found, HOW_TO.format(rpc="Play", reason=reason)


@pytest.mark.parametrize("reason", sorted(IN_ANSWERS_OF_PLAY))
async def test_play_answers_with_refusals(stage: Stage, reason: str) -> None:
    """What is wrong with an act is answered as by Act, and the stream goes on."""
    async for asked in asked_for(stage, RPCS["Act"], reason):
        if asked.raw is None and table_of(asked) in ("", "no such/id"):
            continue  # it names no table that could be joined
        before = await held(stage, asked)
        refused = await refusal_by_play(stage, asked)
        if was_not_sent(reason, refused):
            assert await held(stage, asked) == before
            refused = await unknown_at_last(stage, RPCS["Act"], lambda again: refusal_by_play(stage, again))
        assert refused.reason == reason, refused
        check_form(TABLE, refused)


async def test_what_waits_behind_a_question_was_not_done(stage: Stage) -> None:
    """An act that waits in the process for the answer to what was asked before it is refused as UNAVAILABLE
    when none comes, because it was not sent: the table is as it was, and the same act is accepted then.
    """
    asked = await registry().successes["Act"](stage)
    asked = replace(asked, hasty=True)
    look = Asked(pb.GetTableRequest(table_id=table_of(asked)), "owner", hasty=True)
    await stage.ask(RPCS["GetTable"], look)
    before = await held(stage, asked)
    async with frozen(stage):
        question = asyncio.ensure_future(refusal(stage, RPCS["GetTable"], look))
        await asyncio.sleep(0.02)
        refused = await refusal(stage, RPCS["Act"], asked)
        await question
    assert refused.reason == "UNAVAILABLE"
    assert await held(stage, asked) == before
    await stage.ask(RPCS["Act"], replace(asked, hasty=False))


@pytest.mark.parametrize(
    ("service", "reasons"),
    [
        (TABLE, set(ROWS)),
        (DEALER, {*dealer.REFUSALS, "INTERNAL"}),
        (EVALUATOR, {evaluator.MALFORMED, "INTERNAL"}),
    ],
)
def test_every_reason_is_somebodys(service: str, reasons: set[str]) -> None:
    """A reason that no rpc answers is none; one that is in no list cannot be answered."""
    promised = [rpc.refusals for rpc in RPCS.values() if rpc.service == service]
    assert set().union(*promised) == reasons


def test_no_case_is_of_another_contract() -> None:
    """A case of what no comment promises would be tried by nobody."""
    for rpc, reason in (*registry().refusals, *registry().impossible):
        assert reason in RPCS[rpc].refusals, f"the comment of {rpc} does not name {reason}"
    assert not [rpc for rpc in registry().successes if rpc not in RPCS]


async def asked_for(stage: Stage, rpc: Rpc, reason: str) -> AsyncIterator[Asked]:
    """What is to be refused: the cases of the registry, and for a general reason the altered successes."""
    for case in registry().refusals.get((rpc.name, reason), []):
        yield await case(stage)
    special = registry().alone | set(registry().impossible)
    if reason in rpc.general and (rpc.name, reason) not in special:
        success = registry().successes.get(rpc.name)
        if success is None:
            pytest.fail(
                f"no case of success of {rpc.name}: write @succeeds({rpc.name!r}) in tests/contract/cases"
            )
        async for asked in GENERAL[reason](stage, rpc, await success(stage)):
            yield asked


def was_not_sent(reason: str, refused: WireRefusal) -> bool:
    """Whether a commit whose outcome was to be unknown was refused without being sent: it waited behind a
    look that the process takes now and then, of its own accord, when the state server stopped.
    """
    return reason == "OUTCOME_UNKNOWN" and refused.reason == "UNAVAILABLE"


async def unknown_at_last(
    stage: Stage, rpc: Rpc, ask: Callable[[Asked], Awaitable[WireRefusal]]
) -> WireRefusal:
    """What is answered when the same is provoked again, until it is not met by such a look."""
    for _ in range(TRIES):
        async for asked in asked_for(stage, rpc, "OUTCOME_UNKNOWN"):
            before = await held(stage, asked)
            refused = await ask(asked)
            if not was_not_sent("OUTCOME_UNKNOWN", refused):
                return refused
            assert await held(stage, asked) == before
    pytest.fail(f"{TRIES} times {rpc.name} was not sent")


async def refusal_by_play(stage: Stage, asked: Asked) -> WireRefusal:
    """The same over a stream."""
    answer = await stage.play(asked)
    assert answer.HasField("refused"), answer
    return refusal_from_proto(answer.refused)


async def refusal(stage: Stage, rpc: Rpc, asked: Asked) -> WireRefusal:
    """Ask for what must be refused."""
    with pytest.raises(aio.AioRpcError) as caught:
        await stage.ask(rpc, asked)
    refused = refusal_of(caught.value)
    assert refused is not None, f"no ErrorInfo of ours: {caught.value.code()} {caught.value.details()}"
    return refused


async def held(stage: Stage, asked: Asked) -> dict[bytes, bytes]:
    """What is stored of the table that is named, if there is one."""
    table_id = table_of(asked)
    known = table_id and "/" not in table_id and await stage.state.exists(stage.keys.table(table_id))
    return await stage.stored(table_id) if known else {}


def check_form(service: str, refused: WireRefusal) -> None:
    """Code, fault and retry are those of the tables; there is a text, and it fits into trailers."""
    row = row_of(service, refused.reason)
    assert (refused.code, refused.retry_after) == (row.code, row.retry_after), refused
    if service == TABLE:
        assert refused.fault is row.fault
    assert 0 < len(refused.message) <= 1500


def row_of(service: str, reason: str) -> Row:
    """What goes with a reason."""
    if service == TABLE or reason == "INTERNAL":
        return ROWS[reason]
    if service == DEALER:
        status = dealer.REFUSALS[reason]
        return Row(status.code, ROWS["INTERNAL"].fault, status.retry_after)
    assert reason == evaluator.MALFORMED
    return Row(evaluator.MALFORMED_CODE, ROWS["INTERNAL"].fault)
