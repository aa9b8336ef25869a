"""Spans: what happened, from when to when, on whose behalf. There is a `Tracing` only where traces are on.

Here: beginning and ending spans, the decision whether a trace is recorded, and the closed list of what a span
may say. Not here: sending them away (trace_export.py), the calls themselves (trace_layer.py, traced_lane.py
and the `tracing` modules of the services, which wrap what they trace, so that without traces there is nothing
in the way).

A span is described by `Attribute`s only. **No card, no token, no text of an exception, no message of ours
ever is one**; nothing that a caller wrote but ids, whose form has been checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING, Final

from opentelemetry import trace as api
from opentelemetry.context import Context
from opentelemetry.trace import (
    Link,
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)

from servito_platform.log_context import belonging, current_trace
from servito_platform.trace_context import TraceContext

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

Value = str | int


class Attribute(StrEnum):
    """All that a span may say."""

    TABLE = "servito.table_id"
    HAND = "servito.hand_id"
    TURN = "servito.turn"
    VERSION = "servito.version"
    """Of the table, after what was done."""
    ACTION = "servito.action"
    """The word for what a player asks for, from a closed list; never what he has chosen for later."""
    OUTCOME = "servito.outcome"
    REFUSAL = "servito.refusal"
    """The reason, from a closed list."""
    PARTITION = "servito.partition"
    DEADLINES = "servito.deadlines"
    """How many, of a claim."""
    ROUTE = "servito.route"
    EVENTS = "servito.events"
    """How many, of a commit."""
    RPC_SYSTEM = "rpc.system.name"
    RPC_METHOD = "rpc.method"
    RPC_CODE = "rpc.response.status_code"
    DB_SYSTEM = "db.system.name"
    DB_SCRIPT = "db.stored_procedure.name"
    DB_COMMAND = "db.operation.name"
    ERROR = "error.type"
    """The name of a class, never its text."""


_OF_IDS: Final = (("table_id", Attribute.TABLE), ("hand_id", Attribute.HAND))
Attributes = Mapping[Attribute, Value]


@dataclass(slots=True)
class Span(TraceContext):
    """A span under way. One that is not recorded forgets what it is told."""

    recorded: api.Span | None = None

    def note(self, attribute: Attribute, value: Value) -> None:
        """Say something of it."""
        if self.recorded is not None:
            self.recorded.set_attribute(attribute.value, value)

    def about(self, ids: Mapping[str, str]) -> None:
        """Say of which table and hand it is."""
        for name, attribute in _OF_IDS:
            if self.recorded is not None and name in ids:
                self.recorded.set_attribute(attribute.value, ids[name])

    def failed(self, error: str) -> None:
        """It did not do what it was to do; `error` is the name of a class or a code."""
        if self.recorded is not None:
            self.recorded.set_attribute(Attribute.ERROR.value, error)
            self.recorded.set_status(Status(StatusCode.ERROR))


class Tracing:
    """Makes spans. `ratio`: of the traces that begin here, the part that is recorded."""

    def __init__(self, provider: TracerProvider, ratio: float, rng: Random | None = None) -> None:
        self._tracer = provider.get_tracer("servito")
        self._ratio = ratio
        self._rng = rng or Random()  # noqa: S311 - which traces are recorded is no secret

    @contextmanager
    def root(
        self,
        name: str,
        kind: SpanKind,
        attributes: Attributes,
        *,
        links: Iterable[TraceContext] = (),
        began: int | None = None,
        answers: tuple[type[BaseException], ...] = (),
    ) -> Iterator[Span]:
        """A span that begins a trace, whatever is under way. `began`: nanoseconds since 1970, if not now;
        `links`: what it comes from all the same; `answers`: exceptions that are no failure of it.
        """
        if self._rng.random() < self._ratio:
            linked = [Link(_context(link)) for link in links]
            recorded = self._tracer.start_span(name, Context(), kind, _told(attributes), linked, began)
            with _inside(recorded, answers) as span:
                yield span
        else:
            span = Span(self._rng.getrandbits(128) or 1, self._rng.getrandbits(64) or 1, sampled=False)
            with belonging(trace=span):
                yield span

    @contextmanager
    def span(
        self,
        name: str,
        kind: SpanKind,
        attributes: Attributes,
        *,
        parent: TraceContext | None = None,
        answers: tuple[type[BaseException], ...] = (),
    ) -> Iterator[Span]:
        """A span under `parent`, or under the one that is under way; if there is none, it begins a trace."""
        parent = parent or current_trace()
        if parent is None:
            with self.root(name, kind, attributes, answers=answers) as span:
                yield span
        elif parent.sampled:
            recorded = self._tracer.start_span(name, _under(parent), kind, _told(attributes))
            with _inside(recorded, answers) as span:
                yield span
        else:
            with belonging(trace=parent):
                yield Span(parent.trace_id, parent.span_id, sampled=False)


@contextmanager
def _inside(recorded: api.Span, answers: tuple[type[BaseException], ...]) -> Iterator[Span]:
    context = recorded.get_span_context()
    span = Span(context.trace_id, context.span_id, sampled=True, recorded=recorded)
    try:
        with belonging(trace=span):
            yield span
    except answers:
        raise
    except BaseException as error:
        span.failed(type(error).__name__)
        raise
    finally:
        recorded.end()


def _told(attributes: Attributes) -> dict[str, Value]:
    return {attribute.value: value for attribute, value in attributes.items()}


def _under(parent: TraceContext) -> Context:
    own = parent.recorded if isinstance(parent, Span) else None
    return set_span_in_context(own or NonRecordingSpan(_context(parent)), Context())


def _context(of: TraceContext) -> SpanContext:
    return SpanContext(of.trace_id, of.span_id, is_remote=True, trace_flags=TraceFlags(of.sampled))
