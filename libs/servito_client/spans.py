"""Spans of a player's calls, for a program that traces itself with OpenTelemetry and gives its tracer.

The program's own tracer provider decides what is recorded and where it goes; spans are children of what is
under way in it. The table service goes on with the trace if it is told to follow its callers
(SERVITO_TRACES_FOLLOW_PLAYERS), and links to it otherwise. What a span says is written down here: never a
card, a token, or what a player chooses for later.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from servito.table.v1.table_pb2 import ActionKind, ActRequest
from servito_client.errors import Refusal, TableError
from servito_platform.trace_context import METADATA, TraceContext

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer

_SERVICE: Final = "TableService"


@contextmanager
def calling(tracer: Tracer, request: Any, where: str = "", table_id: str = "") -> Iterator[str]:
    """A span around everything that is done for `request`, repeats included; its `traceparent`."""
    from opentelemetry.trace import SpanKind

    what = where or type(request).__name__.removesuffix("Request")
    about = {
        "rpc.system.name": "grpc",
        "rpc.method": f"servito.table.v1.{_SERVICE}/{what.partition(' ')[0]}",
        **_described(request, table_id),
    }
    with tracer.start_as_current_span(
        f"{_SERVICE}/{what}",
        kind=SpanKind.CLIENT,
        attributes=about,
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        try:
            yield _traceparent(span)
        except TableError as error:
            _tell(span, error)
            raise


def opening() -> tuple[tuple[str, str], ...]:
    """Metadata of a stream that is opened now: it belongs to what is under way in the program."""
    from opentelemetry.trace import get_current_span

    traceparent = _traceparent(get_current_span())
    return ((METADATA, traceparent),) if traceparent else ()


def _described(request: Any, table_id: str) -> dict[str, str | int]:
    about: dict[str, str | int] = {}
    if table_id or getattr(request, "table_id", ""):
        about["servito.table_id"] = table_id or request.table_id
    if isinstance(request, ActRequest):
        about["servito.action"] = ActionKind.Name(request.action.kind).removeprefix("ACTION_KIND_").lower()
        about["servito.turn"] = request.turn_id
        about["servito.hand_id"] = request.hand_id
    return about


def _traceparent(span: Span) -> str:
    context = span.get_span_context()
    if not context.is_valid:
        return ""
    return TraceContext(context.trace_id, context.span_id, context.trace_flags.sampled).traceparent


def _tell(span: Span, error: TableError) -> None:
    from opentelemetry.trace import Status, StatusCode

    if isinstance(error, Refusal):
        span.set_attribute("servito.refusal", error.reason.lower())
    else:
        span.set_attribute("error.type", type(error).__name__)
        span.set_status(Status(StatusCode.ERROR))
