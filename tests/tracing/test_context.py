"""`traceparent`, and what the lines of the log belong to."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace

import pytest

from servito_platform.log_context import (
    add_ids,
    apart,
    belonging,
    current_ids,
    current_trace,
    enter,
    leave,
    trace_metadata,
)
from servito_platform.trace_context import TraceContext

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
SOME = TraceContext(int(TRACE, 16), int(SPAN, 16), sampled=True)


def line() -> dict[str, object]:
    """A line that is logged now."""
    return dict(add_ids(None, "info", {"event": "x"}))


@pytest.mark.parametrize("sampled", [False, True])
def test_a_traceparent_is_read_as_it_is_written(sampled: bool) -> None:
    """Both ways; of the flags only whether it is recorded counts."""
    context = TraceContext(int(TRACE, 16), int(SPAN, 16), sampled)
    assert context.traceparent == f"00-{TRACE}-{SPAN}-{int(sampled):02}"
    assert TraceContext.read(context.traceparent) == context
    assert TraceContext.read(f"00-{TRACE}-{SPAN}-{0xF2 | sampled:02x}") == context
    assert TraceContext.read(f"cc-{TRACE}-{SPAN}-{int(sampled):02}-what-comes-later") == context


@pytest.mark.parametrize(
    "text",
    [
        "",
        "00",
        f"00-{TRACE}-{SPAN}",
        f"00-{TRACE}-{SPAN}-01-more",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE[1:]}-{SPAN}-01",
        f" 00-{TRACE}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-01\n",
        f"cc-{TRACE}-{SPAN}-01-{'x' * 300}",
    ],
)
def test_what_is_no_traceparent_is_nothing(text: str) -> None:
    """By the form of W3C Trace Context; a client's mistake costs it its trace and nothing else."""
    assert TraceContext.read(text) is None


def test_a_line_belongs_to_the_innermost() -> None:
    """Ids that are said explicitly, those that the request names, those of what is around; and no others."""
    request = SimpleNamespace(request_id="r-1", table_id="sala", player="anna", cards=[1, 2])
    with (
        belonging(request_id="r-0", hand_id="sala-7"),
        belonging(message=request),
        belonging(trace=SOME),
    ):
        assert line() == {
            "event": "x",
            "request_id": "r-1",
            "table_id": "sala",
            "hand_id": "sala-7",
            "trace_id": TRACE,
            "span_id": SPAN,
        }
        assert add_ids(None, "info", {"event": "x", "table_id": "own"})["table_id"] == "own"
        assert trace_metadata() == (("traceparent", SOME.traceparent),)
    assert line() == {"event": "x"}
    assert trace_metadata() == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("table_id", "a table"),
        ("table_id", "x" * 65),
        ("hand_id", "sala"),
        ("hand_id", "sala-7\n"),
        ("request_id", "two words"),
        ("request_id", "x" * 65),
        ("request_id", ""),
    ],
)
def test_what_has_not_the_form_of_an_id_is_not_written(name: str, text: str) -> None:
    """Callers choose them: none gets a text of his own into our log."""
    with belonging(message=SimpleNamespace(**{name: text})):
        assert json.loads(json.dumps(line())) == {"event": "x"}


def test_what_is_left_is_left_whole() -> None:
    """With all that was entered inside of it: one call's ids are never those of the next."""
    entered = enter(rpc="servito.table.v1.TableService/Act")
    enter(hand_id="sala-7")
    assert line() == {"event": "x", "rpc": "servito.table.v1.TableService/Act", "hand_id": "sala-7"}
    leave(entered)
    assert line() == {"event": "x"}


async def test_a_task_belongs_to_where_it_comes_from() -> None:
    """What a task enters holds in that task alone; work that is set apart knows the ids and the trace."""

    async def work() -> dict[str, str]:
        enter(hand_id="sala-8")
        return current_ids()

    with belonging(message=SimpleNamespace(table_id="sala"), trace=SOME):
        assert await asyncio.create_task(work()) == {"table_id": "sala", "hand_id": "sala-8"}
        assert current_ids() == {"table_id": "sala"}
        other = apart()
    assert current_trace() is None
    assert other.run(current_ids) == {"table_id": "sala"}
    assert other.run(current_trace) == SOME
    assert len(other) == 1
