"""What the lines that are logged now belong to: a call, a request, a table, a hand, a trace.

Here: one context variable, and what it adds to a line of the log (`add_ids`). Not here: how lines are written
(logs.py), spans (tracing.py). Entering costs an object; ids are looked for when a line is written, which
hardly ever happens. They come from callers, so only what has the form of an id is written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import Context, ContextVar, Token
from dataclasses import dataclass
from typing import Final, TypeAlias

from structlog.typing import EventDict, WrappedLogger

from servito_platform.keys import is_id
from servito_platform.trace_context import TraceContext

FIELDS: Final = ("request_id", "table_id", "hand_id")
"""Ids that a message may name, by the names of its fields and of those of a line."""
_REQUEST: Final = re.compile(r"[!-~]{1,64}")
_HAND: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}-[0-9]{1,18}")


@dataclass(slots=True)
class Here:
    """What lines belong to, inside of `outer`. `message`: one that may name ids. Read-only."""

    outer: Here | None
    rpc: str = ""
    message: object = None
    ids: Mapping[str, str] | None = None
    trace: TraceContext | None = None


_here: ContextVar[Here | None] = ContextVar("here", default=None)
Entered: TypeAlias = "Token[Here | None]"


def enter(rpc: str = "", message: object = None, **ids: str) -> Entered:
    """From now on the lines of this task belong to this as well, to its end or until `leave`."""
    outer = _here.get()
    return _here.set(Here(outer, rpc, message, ids or None, None if outer is None else outer.trace))


def leave(entered: Entered) -> None:
    """The lines of this task belong to what they did before `enter`."""
    _here.reset(entered)


@contextmanager
def belonging(*, message: object = None, trace: TraceContext | None = None, **ids: str) -> Iterator[None]:
    """The lines inside belong to this as well; without a `trace` to that of outside."""
    outer = _here.get()
    if trace is None and outer is not None:
        trace = outer.trace
    token = _here.set(Here(outer, "", message, ids, trace))
    try:
        yield
    finally:
        _here.reset(token)


def current_trace() -> TraceContext | None:
    """Where what is done now belongs in a trace; None: in none."""
    here = _here.get()
    return None if here is None else here.trace


def trace_metadata() -> tuple[tuple[str, str], ...]:
    """The same, as metadata of a call."""
    trace = current_trace()
    return () if trace is None else (("traceparent", trace.traceparent),)


def current_ids() -> dict[str, str]:
    """The ids of what is done now, the innermost of each kind."""
    found: dict[str, str] = {}
    here = _here.get()
    while here is not None:
        for name, text in _named(here):
            if name not in found and _is_well_formed(name, text):
                found[name] = text
        here = here.outer
    return found


def apart() -> Context:
    """A context that knows nothing of the call that it comes from, but for what its lines belong to."""
    context, here = Context(), _here.get()
    if here is not None:
        context.run(_here.set, here)
    return context


def add_ids(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """A processor of structlog: what a line belongs to, unless it says so itself."""
    here = _here.get()
    if here is None:
        return event
    for name, text in current_ids().items():
        event.setdefault(name, text)
    if here.trace is not None:
        event.setdefault("trace_id", f"{here.trace.trace_id:032x}")
        event.setdefault("span_id", f"{here.trace.span_id:016x}")
    return event


def _named(here: Here) -> Iterator[tuple[str, str]]:
    if here.ids:
        yield from here.ids.items()
    if here.rpc:
        yield "rpc", here.rpc
    if here.message is not None:
        for name in FIELDS:
            yield name, getattr(here.message, name, "")


def _is_well_formed(name: str, text: object) -> bool:
    if not isinstance(text, str):
        return False
    match name:
        case "rpc":
            return True
        case "request_id":
            return _REQUEST.fullmatch(text) is not None
        case "hand_id":
            return _HAND.fullmatch(text) is not None
        case _:
            return is_id(text)
