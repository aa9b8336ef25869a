"""What the table service does, as spans. Only where traces are on; each class takes the place of another.

What a span says is in `servito_platform.tracing.Attribute`: which table, hand and turn, what was asked for,
and how it ended. Never what a player holds, draws or has chosen for later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from opentelemetry.trace import SpanKind

from servito_platform.log_context import current_ids, current_trace
from servito_platform.tracing import Attribute, Tracing, Value
from servito_table.app.plan import kind_of
from servito_table.app.play import Play
from servito_table.app.refusals import NotDue, TableReason, TableRefused

if TYPE_CHECKING:
    from servito_table.app.commands import TableCommand
    from servito_table.app.commits import Answer, Known, Request
    from servito_table.app.events import TableEvent
    from servito_table.app.ports import Announcer

_OURS = frozenset({TableReason.INTERNAL, TableReason.UNAVAILABLE, TableReason.OUTCOME_UNKNOWN})
"""Refusals that are no answer to what was asked."""


class TracedPlay(Play):
    """The use case, with a span around every command: those of players, of timers, and what follows by
    itself, which belongs to what it follows from.
    """

    def __init__(self, tracing: Tracing, *as_play: Any) -> None:
        super().__init__(*as_play)
        self._tracing = tracing
        self._announcer = TracedAnnouncer(self._announcer, tracing)

    async def _run(self, table_id: str, command: TableCommand, request: Request | None) -> Answer:
        about: dict[Attribute, Value] = {Attribute.TABLE: table_id}
        turn = getattr(command, "turn", None)
        if isinstance(turn, int):
            about[Attribute.TURN] = turn
        kind = kind_of(command)
        if kind is not None:
            about[Attribute.ACTION] = kind
        name = f"table {type(command).__name__}"
        with self._tracing.span(name, SpanKind.INTERNAL, about, answers=(TableRefused, NotDue)) as span:
            try:
                answer = await super()._run(table_id, command, request)
                span.note(Attribute.VERSION, answer.version)
                return answer
            except TableRefused as refused:
                span.note(Attribute.REFUSAL, refused.reason.value)
                if refused.reason in _OURS:
                    span.failed(refused.reason.value)
                raise
            except NotDue:
                span.note(Attribute.OUTCOME, "not_due")
                raise
            finally:
                span.about(current_ids())


class TracedAnnouncer:
    """Implements `app.ports.Announcer`: the handing over of a commit to the streams of this process, which
    send it by themselves.
    """

    def __init__(self, announcer: Announcer, tracing: Tracing) -> None:
        self._announcer = announcer
        self._tracing = tracing

    def committed(self, known: Known, events: tuple[TableEvent, ...]) -> None:
        """See `app.ports.Announcer`."""
        trace = current_trace()
        if trace is None or not trace.sampled:
            self._announcer.committed(known, events)
            return
        about = {Attribute.VERSION: known.version, Attribute.EVENTS: len(events)}
        with self._tracing.span("table announce", SpanKind.INTERNAL, about) as span:
            span.about(current_ids())
            self._announcer.committed(known, events)
