"""What the timers do, as spans, from the sweep that claims a deadline to the call that carries it out. Only
where traces are on; each thing takes the place of another.

A sweep that finds nothing has no span: there are ten of them a second. A claim carries many deadlines, and
the table service makes a span of each under that of the claim's call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from opentelemetry.trace import SpanKind

from servito_platform.tracing import Attribute, Tracing, Value
from servito_timers.app.dispatch import Dispatcher
from servito_timers.app.ports import BrokerAway, Route, TableAway

if TYPE_CHECKING:
    from servito_timers.adapters.tracing import RunTask
    from servito_timers.app.ports import Broker, Result, Table


class TracedDispatcher(Dispatcher):
    """Begins a trace where a sweep has claimed something."""

    def __init__(self, tracing: Tracing, *as_dispatcher: Any) -> None:
        super().__init__(*as_dispatcher)
        self._tracing = tracing

    def send(self, members: Sequence[str]) -> None:
        """See Dispatcher."""
        if not members:
            super().send(members)
            return
        with self._tracing.root("timers sweep", SpanKind.INTERNAL, {Attribute.DEADLINES: len(members)}):
            super().send(members)


class TracedBroker:
    """Implements `app.ports.Broker`; the span of a message is the parent of the one that carries it out."""

    def __init__(self, broker: Broker, tracing: Tracing) -> None:
        self._broker = broker
        self._tracing = tracing

    def publish(self, claim: str, members: Sequence[str]) -> None:
        """See `app.ports.Broker`."""
        if not members:  # a trial of the broker
            self._broker.publish(claim, members)
            return
        about: dict[Attribute, Value] = {
            Attribute.DEADLINES: len(members),
            Attribute.ROUTE: Route.BROKER.value,
        }
        with self._tracing.span("timers publish", SpanKind.PRODUCER, about) as span:
            try:
                self._broker.publish(claim, members)
            except BrokerAway:
                span.note(Attribute.OUTCOME, "broker_away")
                raise


class TracedTable:
    """Implements `app.ports.Table`."""

    def __init__(self, table: Table, tracing: Tracing) -> None:
        self._table = table
        self._tracing = tracing

    def expire(self, members: Sequence[str]) -> Sequence[Result]:
        """See `app.ports.Table`."""
        about: dict[Attribute, Value] = {
            Attribute.RPC_SYSTEM: "grpc",
            Attribute.RPC_METHOD: "servito.table.v1.TableService/ExpireDeadlines",
            Attribute.DEADLINES: len(members),
        }
        with self._tracing.span("TableService/ExpireDeadlines", SpanKind.CLIENT, about) as span:
            try:
                return self._table.expire(members)
            except TableAway:
                span.note(Attribute.OUTCOME, "table_away")
                raise


def spanned_task(run: RunTask, tracing: Tracing) -> RunTask:
    """What carries out a claim that came through the broker, under the span of its message."""

    def traced(worker: str, claim: str, members: Sequence[str]) -> None:
        if not members:
            run(worker, claim, members)
            return
        with tracing.span("timers expire", SpanKind.CONSUMER, {Attribute.DEADLINES: len(members)}):
            run(worker, claim, members)

    return traced
