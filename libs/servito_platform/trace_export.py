"""Sending spans away: OTLP over gRPC to a collector, by a thread of its own, from a queue with a bound.

Here: what stands between a span that has ended and the collector. Theory: who ends a span puts it into the
queue, or drops it when the queue is full, and goes on; nothing ever waits for a collector. What it does not
take within seconds is lost and counted. Traces are for looking at, not for accounting.
"""

from __future__ import annotations

import logging
import threading
from collections import deque
from time import monotonic
from typing import TYPE_CHECKING, Final

import structlog
from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.sdk.trace.export import SpanExportResult

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import Span
    from opentelemetry.sdk.trace.export import SpanExporter

    from servito_platform.trace_meters import SpanCounts

QUEUE: Final = 4_096
"""Spans that may wait, some kilobytes each."""
BATCH: Final = 512
EVERY_SECONDS: Final = 1.0
"""How long a span waits for others to be sent with."""
EXPORT_SECONDS: Final = 2.0
"""How long the collector may take for a batch, with what the exporter tries again."""

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class SpanQueue(SpanProcessor):
    """See the module. To be closed when no span begins any more."""

    def __init__(self, exporter: SpanExporter, counts: SpanCounts, limit: int = QUEUE) -> None:
        self._exporter = exporter
        self._counts = counts
        self._limit = limit
        self._waiting: deque[ReadableSpan] = deque()
        self._news = threading.Event()
        self._closing = threading.Event()
        self._well = True
        self._thread = threading.Thread(target=self._run, name="spans", daemon=True)
        self._thread.start()

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """See SpanProcessor."""

    def on_end(self, span: ReadableSpan) -> None:
        """Queue it, or drop it."""
        if len(self._waiting) >= self._limit or self._closing.is_set():
            self._counts.dropped.inc()
            return
        self._waiting.append(span)
        if len(self._waiting) >= BATCH:
            self._news.set()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Have what waits sent now; whether nothing waits any more."""
        until = monotonic() + timeout_millis / 1000
        while self._waiting and monotonic() < until:
            self._news.set()
            self._closing.wait(0.01)
        return not self._waiting

    def close(self, seconds: float) -> None:
        """Send what waits and end, within `seconds`; what cannot be sent by then is dropped."""
        self._closing.set()
        self._news.set()
        self._thread.join(seconds)
        # Ends an export under way, too.
        self._exporter.shutdown()
        left, self._waiting = len(self._waiting), deque()
        self._counts.dropped.inc(left)

    def shutdown(self) -> None:
        """See SpanProcessor."""
        if not self._closing.is_set():
            self.close(EXPORT_SECONDS)

    def _run(self) -> None:
        while not self._closing.is_set():
            self._news.wait(EVERY_SECONDS)
            self._news.clear()
            self._send_all()
        self._send_all()

    def _send_all(self) -> None:
        while self._waiting:
            batch = [self._waiting.popleft() for _ in range(min(BATCH, len(self._waiting)))]
            try:
                well = self._exporter.export(batch) is SpanExportResult.SUCCESS
            except Exception:  # noqa: BLE001 - of whatever kind it is, the next batch may be sent
                if not self._closing.is_set():  # else the exporter was closed under it
                    _log.exception("traces_export_failed")
                well = False
            (self._counts.exported if well else self._counts.failed).inc(len(batch))
            if well is not self._well:
                self._well = well
                (_log.info if well else _log.warning)("traces_exported", well=well)
            if not well and self._closing.is_set():
                return  # nobody is there to take the rest


def quiet_exporter() -> None:
    """Let the exporter keep to itself what `traces_exported` says once."""
    logging.getLogger("opentelemetry.exporter.otlp.proto.grpc").setLevel(logging.CRITICAL)
