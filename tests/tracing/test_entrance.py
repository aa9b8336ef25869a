"""Whose trace a call belongs to: services bring theirs, and players where that is wished for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from typing import Any

import grpc
import pytest
from grpc import aio
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from servito_platform.caller import development_tokens
from servito_platform.grpc_channel import open_channel
from servito_platform.grpc_server import layered_server, listen, new_layers
from servito_platform.health import Health
from servito_platform.metrics import new_registry
from servito_platform.settings import ServiceSettings
from servito_platform.trace_layer import Entrance, TraceLayer
from servito_platform.tracing import Tracing
from tests.platform.echo import Echo, EchoClient

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
PLAYER, SERVICE = "Bearer dev:anna", "Bearer dev:service:table"


class Traced:
    """An Echo with traces, and the spans that it made."""

    def __init__(self, client: EchoClient, memory: InMemorySpanExporter) -> None:
        self.client = client
        self._memory = memory

    async def asked(self, who: str, traceparent: str, what: bytes = b"hello") -> list[ReadableSpan]:
        """The spans of one call."""
        self._memory.clear()
        refused: AbstractContextManager[Any] = nullcontext()
        if what in (b"refuse", b"crash"):
            refused = pytest.raises(aio.AioRpcError)
        with refused:
            await self.client.unary(what, metadata=(("authorization", who), ("traceparent", traceparent)))
        return list(self._memory.get_finished_spans())


@asynccontextmanager
async def echo(*, ratio: float, follow: bool) -> AsyncIterator[Traced]:
    """The server, in this process."""
    memory, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(memory))
    layer = TraceLayer(Entrance(Tracing(provider, ratio), follow_players=follow))
    server = layered_server(new_layers(new_registry(), development_tokens, layer))
    Echo().add_to(server)
    Health().serve_on(server)
    address = listen(server, "127.0.0.1:0")
    await server.start()
    try:
        async with open_channel(address, timeout=5) as channel:
            yield Traced(EchoClient(channel), memory)
    finally:
        await server.stop(0)


def parent(span: ReadableSpan) -> tuple[str, str] | None:
    """Trace and span that it is under."""
    return None if span.parent is None else (f"{span.parent.trace_id:032x}", f"{span.parent.span_id:016x}")


@pytest.mark.parametrize("follow", [True, False])
@pytest.mark.parametrize("sampled", [True, False])
async def test_a_service_brings_its_trace(follow: bool, sampled: bool) -> None:
    """It has decided whether it is recorded, whatever is decided here."""
    async with echo(ratio=0.0 if sampled else 1.0, follow=follow) as traced:
        spans = await traced.asked(SERVICE, f"00-{TRACE}-{SPAN}-0{int(sampled)}")
        assert [parent(span) for span in spans] == ([(TRACE, SPAN)] if sampled else [])


async def test_a_players_trace_is_linked_and_not_gone_on_with() -> None:
    """Nobody outside writes into a trace of ours, or makes us record: not even with the flag set."""
    async with echo(ratio=1.0, follow=False) as traced:
        [span] = await traced.asked(PLAYER, f"00-{TRACE}-{SPAN}-00")
        assert span.parent is None
        assert [(f"{link.context.trace_id:032x}", f"{link.context.span_id:016x}") for link in span.links] == [
            (TRACE, SPAN)
        ]
        assert span.context is not None
        assert f"{span.context.trace_id:032x}" != TRACE
    async with echo(ratio=0.0, follow=False) as traced:
        assert await traced.asked(PLAYER, f"00-{TRACE}-{SPAN}-01") == []


async def test_a_players_trace_is_gone_on_with_where_that_is_wished_for() -> None:
    """By SERVITO_TRACES_FOLLOW_PLAYERS, in development without it."""
    async with echo(ratio=0.0, follow=True) as traced:
        [span] = await traced.asked(PLAYER, f"00-{TRACE}-{SPAN}-01")
        assert parent(span) == (TRACE, SPAN)
        assert await traced.asked(PLAYER, f"00-{TRACE}-{SPAN}-00") == []
    assert ServiceSettings().follows_players
    assert not ServiceSettings(mode="production", traces_follow_players=None).follows_players


@pytest.mark.parametrize(
    "wrong", ["", "00-1-2-01", f"00-{TRACE}-{SPAN}-01, 00-{TRACE}-{SPAN}-01", "x" * 4_000]
)
async def test_a_traceparent_that_is_none_costs_nothing(wrong: str) -> None:
    """The call is answered and begins a trace."""
    async with echo(ratio=1.0, follow=True) as traced:
        [span] = await traced.asked(PLAYER, wrong)
        assert (span.parent, list(span.links)) == (None, [])


@pytest.mark.parametrize(
    ("what", "code", "status"),
    [
        (b"refuse", grpc.StatusCode.FAILED_PRECONDITION, StatusCode.UNSET),
        (b"crash", grpc.StatusCode.INTERNAL, StatusCode.ERROR),
    ],
)
async def test_a_span_says_how_its_call_ended(what: bytes, code: grpc.StatusCode, status: StatusCode) -> None:
    """A refusal is an answer; a fault of ours is none, and its text is nowhere."""
    async with echo(ratio=1.0, follow=True) as traced:
        [span] = await traced.asked(PLAYER, "", what)
        assert span.attributes is not None
        assert span.attributes["rpc.response.status_code"] == code.name
        assert (span.status.status_code, span.status.description) == (status, None)
        assert list(span.events) == []
        assert "Ah" not in span.to_json()


async def test_probes_leave_no_spans() -> None:
    """Health and reflection are asked all the time."""
    async with echo(ratio=1.0, follow=True) as traced:
        call: Any = traced.client.method("/grpc.health.v1.Health/Check")
        assert await call(b"", metadata=())
        assert [span.name for span in await traced.asked(PLAYER, "")] == ["Echo/Unary"]
