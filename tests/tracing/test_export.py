"""Spans on their way: a queue with a bound, a collector that is away, an end that comes in time."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

import pytest
from opentelemetry.exporter.otlp.proto.grpc.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.trace import SpanKind
from prometheus_client import CollectorRegistry

from servito_platform.trace_export import SpanQueue, quiet_exporter
from servito_platform.trace_meters import SpanCounts, SpanOutcome
from servito_platform.tracing import Tracing
from tests.tracing.collector import collecting

AWAY = "http://127.0.0.1:9"


class Held(SpanExporter):
    """A collector that does not answer before it is let."""

    def __init__(self) -> None:
        self.let = threading.Event()
        self.came: list[int] = []
        self.asked = threading.Event()

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """See SpanExporter."""
        self.asked.set()
        self.let.wait(20)
        self.came.append(len(spans))
        return SpanExportResult.SUCCESS

    def shutdown(self) -> None:
        """Whoever waits is let go."""
        self.let.set()


class Spans:
    """A queue in front of an exporter."""

    def __init__(self, exporter: SpanExporter, limit: int = 100) -> None:
        self._registry = CollectorRegistry()
        self.queue = SpanQueue(exporter, SpanCounts(self._registry), limit)
        provider = TracerProvider(shutdown_on_exit=False)
        provider.add_span_processor(self.queue)
        self.tracing = Tracing(provider, 1.0)

    def make(self, number: int) -> float:
        """So many spans; the seconds that the slowest took."""
        slowest = 0.0
        for _ in range(number):
            begun = time.perf_counter()
            with self.tracing.root("x", SpanKind.INTERNAL, {}):
                pass
            slowest = max(slowest, time.perf_counter() - begun)
        return slowest

    def counted(self, outcome: SpanOutcome) -> int:
        """What the metric says."""
        value = self._registry.get_sample_value("servito_traces_spans_total", {"outcome": outcome.value})
        assert value is not None
        return int(value)


@pytest.fixture(autouse=True)
def quiet() -> None:
    """As in a service."""
    quiet_exporter()


def test_a_full_queue_drops_and_counts() -> None:
    """Who makes spans is never held up by a collector that hangs; none is lost without being counted."""
    held = Held()
    spans = Spans(held, limit=100)
    spans.make(1)
    assert held.asked.wait(20)  # the first one is on its way, and hangs
    assert spans.make(250) < 1.0
    assert spans.counted(SpanOutcome.DROPPED) == 150
    held.let.set()
    spans.queue.close(20)
    assert sum(held.came) == 101
    assert spans.counted(SpanOutcome.EXPORTED) == 101


def test_a_collector_that_is_away_is_no_error() -> None:
    """Its spans are counted as failed, and those come that are made when it is there again."""
    spans = Spans(OTLPSpanExporter(endpoint=AWAY, timeout=0.2))
    assert spans.make(10) < 1.0
    spans.queue.close(20)
    assert spans.counted(SpanOutcome.FAILED) == 10
    with collecting() as got:
        others = Spans(OTLPSpanExporter(endpoint=f"http://{got.address}", timeout=5))
        others.make(10)
        assert others.queue.force_flush(20_000)
        got.waited_for(lambda seen: len(seen) == 10)
        others.queue.close(20)
    assert others.counted(SpanOutcome.EXPORTED) == 10


def test_the_end_comes_in_time_whatever_the_collector_does() -> None:
    """With a collector that hangs, closing takes as long as it was given, and the rest is counted."""
    held = Held()
    spans = Spans(held)
    spans.make(1)
    assert held.asked.wait(20)
    spans.make(50)
    begun = time.monotonic()
    spans.queue.close(0.3)
    assert time.monotonic() - begun < 2
    assert spans.counted(SpanOutcome.DROPPED) + spans.counted(SpanOutcome.EXPORTED) >= 50
    spans.make(1)
    assert spans.counted(SpanOutcome.DROPPED) >= 1


def test_an_exporter_that_fails_does_not_end_the_thread() -> None:
    """Whatever it raises: the next batch is sent."""

    class Failing(Held):
        def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
            self.came.append(len(spans))
            raise RuntimeError("of some kind")

    failing = Failing()
    spans = Spans(failing)
    for expected in (1, 2):
        spans.make(1)
        assert spans.queue.force_flush(20_000)
        until = time.monotonic() + 20
        while spans.counted(SpanOutcome.FAILED) < expected and time.monotonic() < until:
            time.sleep(0.01)
        assert spans.counted(SpanOutcome.FAILED) == expected
    spans.queue.close(5)
