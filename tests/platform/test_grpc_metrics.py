"""Every call is counted once, under names from a closed set."""

from __future__ import annotations

import grpc
import pytest
from grpc import aio
from grpc_health.v1 import health
from prometheus_client import generate_latest
from prometheus_client.parser import text_string_to_metric_families

from tests.local.parts import until
from tests.platform.echo import SERVICE, Running

HEALTH = health.SERVICE_NAME
"""What the clients of these tests follow, as all of ours do; it is counted like any other."""


def samples(running: Running, name: str) -> dict[tuple[str, ...], float]:
    """The samples of a metric by its labels' values, read from the text that Prometheus gets."""
    text = generate_latest(running.registry).decode()
    return {
        tuple(value for _, value in sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == name and sample.labels["grpc_service"] != HEALTH
    }


async def test_a_call_counts_by_the_code_that_its_client_saw(running: Running) -> None:
    """Success, refusal and fault are three codes of one method."""
    await running.client.unary(b"x")
    for request in (b"refuse", b"refuse", b"crash", b"who"):
        with pytest.raises(aio.AioRpcError):
            await running.client.unary(request)
    assert samples(running, "grpc_server_handled_total") == {
        ("OK", "Unary", SERVICE, "unary"): 1,
        ("FAILED_PRECONDITION", "Unary", SERVICE, "unary"): 2,
        ("INTERNAL", "Unary", SERVICE, "unary"): 1,
        ("UNAUTHENTICATED", "Unary", SERVICE, "unary"): 1,
    }
    assert samples(running, "grpc_server_started_total") == {("Unary", SERVICE, "unary"): 5}
    assert samples(running, "grpc_server_handling_seconds_count") == {("Unary", SERVICE, "unary"): 5}


async def test_a_call_that_its_deadline_ended_is_counted_as_handled(running: Running) -> None:
    """DEADLINE_EXCEEDED is seen on the server too, and told from a client's cancellation."""
    call = running.client.unary(b"never", timeout=20)
    await until(lambda: running.started("Unary", "unary") == 1, 20)
    call.cancel()
    await until(lambda: running.handled("Unary", "unary", "CANCELLED") == 1, 20)
    late = running.client.unary(b"never", timeout=2)
    await until(lambda: running.started("Unary", "unary") == 2 or late.done(), 20)
    with pytest.raises(aio.AioRpcError) as caught:
        await late
    assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED
    await until(lambda: running.handled("Unary", "unary", "DEADLINE_EXCEEDED") == 1, 20)
    assert running.handled("Unary", "unary", "CANCELLED") == 1


async def test_the_four_kinds_have_their_names(running: Running) -> None:
    """grpc_type is unary, server_stream, client_stream or bidi_stream."""
    await running.client.unary(b"x")
    await running.client.client_stream(iter([b"a"]))
    both = running.client.bidi_stream(iter([b"b"]))
    assert [answer async for answer in both] == [b"b"]
    running.echo.last_word.set()
    assert [answer async for answer in running.client.server_stream(b"x")] == [b"x", b"resume at 17"]
    kinds = {labels[-1] for labels in samples(running, "grpc_server_handled_total")}
    assert kinds == {"unary", "client_stream", "bidi_stream", "server_stream"}


async def test_made_up_names_make_no_series(running: Running) -> None:
    """A hundred invented methods are one series: a stranger cannot fill the server's memory (PITFALLS P2)."""
    for number in range(100):
        with pytest.raises(aio.AioRpcError):
            await running.client.method(f"/{SERVICE}/Made{number}")(b"")
    assert samples(running, "grpc_server_handled_total") == {
        ("UNIMPLEMENTED", "unknown", "unknown", "unary"): 100
    }


async def test_the_page_tells_of_the_process(running: Running) -> None:
    """Processor time, memory and open files of this process are on the page."""
    names = {
        family.name for family in text_string_to_metric_families(generate_latest(running.registry).decode())
    }
    assert {
        "process_cpu_seconds",
        "process_resident_memory_bytes",
        "process_open_fds",
        "python_info",
    } <= names
