"""Work whose caller has gone away: it ends, its refusal concerns nobody, and a fault is still told."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
from structlog.testing import capture_logs

from servito_table.app.refusals import NotDue, Unavailable
from servito_table.app.tasks import Tasks


async def _abandoned(error: Exception | None) -> tuple[list[str], list[Any]]:
    """What is logged, and what asyncio complains about, when work ends with `error` after its caller left."""
    complaints: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
    tasks, go, ended = Tasks(Unavailable, NotDue), asyncio.Event(), []

    async def work() -> None:
        await go.wait()
        ended.append(True)
        if error is not None:
            raise error

    with capture_logs() as logged:
        caller = asyncio.create_task(tasks.finish(work()))
        await asyncio.sleep(0)
        caller.cancel()
        with pytest.raises(asyncio.CancelledError):
            await caller
        go.set()
        await tasks.drain()
        await asyncio.sleep(0)
        gc.collect()
    assert ended
    return [entry["event"] for entry in logged], complaints


@pytest.mark.parametrize("answer", [None, Unavailable("the dealer"), NotDue()])
async def test_an_answer_without_a_caller_is_dropped(answer: Exception | None) -> None:
    """A refusal is for who asked; when he is gone it is no fault, in no log."""
    assert await _abandoned(answer) == ([], [])


async def test_a_fault_without_a_caller_is_told() -> None:
    """What would have become an incident of the call is logged all the same, once."""
    assert await _abandoned(KeyError("x")) == (["task_failed_unheard"], [])
