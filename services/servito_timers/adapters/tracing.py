"""Which parts of a worker have spans around them: those of traced.py where traces are on, none where they are
off; then nothing of OpenTelemetry is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from servito_timers.app.dispatch import Dispatcher

if TYPE_CHECKING:
    from servito_platform.tracing import Tracing
    from servito_timers.app.expiry import Expiry
    from servito_timers.app.ports import Broker, Table
    from servito_timers.app.station import Station

RunTask = Callable[[str, str, Sequence[str]], None]


def traced_table(table: Table, tracing: Tracing | None) -> Table:
    """What calls the table service."""
    if tracing is None:
        return table
    from servito_timers.adapters.traced import TracedTable

    return TracedTable(table, tracing)


def traced_task(run: RunTask, tracing: Tracing | None) -> RunTask:
    """What carries out a claim that came through the broker."""
    if tracing is None:
        return run
    from servito_timers.adapters.traced import spanned_task

    return spanned_task(run, tracing)


def traced_dispatcher(
    station: Station, broker: Broker, expiry: Expiry, tracing: Tracing | None
) -> Dispatcher:
    """What sends claims on their way."""
    if tracing is None:
        return Dispatcher(station, broker, expiry)
    from servito_timers.adapters.traced import TracedBroker, TracedDispatcher

    return TracedDispatcher(tracing, station, TracedBroker(broker, tracing), expiry)
