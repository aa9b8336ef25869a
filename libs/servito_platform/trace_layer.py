"""A span around every call that a server of ours handles, under that of who calls.

Here: which trace a call belongs to. Services are believed. Players are strangers: their trace, and their wish
to have it recorded, counts only where `follow_players` says so; otherwise the call begins a trace of its own
that is linked to theirs, so that nobody fills our collector, or writes into the traces of others. To be put
inside of CallerLayer, and outside of ErrorLayer, whose lines of the log belong to the span.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, Final

from grpc import StatusCode
from opentelemetry.trace import SpanKind

from servito_platform.caller import caller_role
from servito_platform.grpc_handlers import Behaviour, Context, Method
from servito_platform.grpc_metrics import code_of
from servito_platform.identity import Role
from servito_platform.trace_context import METADATA, TraceContext
from servito_platform.tracing import Attribute, Attributes, Span, Tracing

_UNTRACED: Final = ("grpc.", "servito.calls.")
"""Health and reflection; and the stream that carries calls, each of which has its own span."""

_OURS: Final = frozenset(
    {
        StatusCode.UNKNOWN,
        StatusCode.DEADLINE_EXCEEDED,
        StatusCode.UNIMPLEMENTED,
        StatusCode.INTERNAL,
        StatusCode.UNAVAILABLE,
        StatusCode.DATA_LOSS,
    }
)
"""Codes by which a server failed; all others are answers to what was asked."""


class Entrance:
    """Begins the span of what comes from outside. Whether it failed is for who uses it to say."""

    def __init__(self, tracing: Tracing, *, follow_players: bool) -> None:
        self._tracing = tracing
        self._follow = follow_players

    def span(
        self, name: str, attributes: Attributes, traceparent: str, *, within: TraceContext | None = None
    ) -> AbstractContextManager[Span]:
        """The span for who calls now, and came with `traceparent`; `within`: the stream on which it came."""
        remote = TraceContext.read(traceparent)
        if remote is not None and (self._follow or caller_role() is Role.SERVICE):
            return self._tracing.span(
                name, SpanKind.SERVER, attributes, parent=remote, answers=(BaseException,)
            )
        links = [each for each in (remote, within) if each is not None]
        return self._tracing.root(name, SpanKind.SERVER, attributes, links=links, answers=(BaseException,))


class TraceLayer:
    """See the module."""

    def __init__(self, entrance: Entrance) -> None:
        self._entrance = entrance

    def around(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """`behaviour` with a span around it."""
        if method.service.startswith(_UNTRACED):
            return behaviour
        name = span_name(method.service, method.name)
        attributes = {Attribute.RPC_SYSTEM: "grpc", Attribute.RPC_METHOD: f"{method.service}/{method.name}"}

        async def traced(request: Any, context: Context) -> Any:
            with self._entrance.span(name, attributes, _traceparent(context)) as span:
                try:
                    return await behaviour(request, context)
                except BaseException as error:
                    code = code_of(error, context)
                    span.note(Attribute.RPC_CODE, code.name)
                    if code in _OURS:
                        span.failed(code.name)
                    raise

        return traced


def span_name(service: str, method: str) -> str:
    """`TableService/Act`."""
    return f"{service.rpartition('.')[2]}/{method}"


def _traceparent(context: Context) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == METADATA:
            return value if isinstance(value, str) else ""
    return ""
