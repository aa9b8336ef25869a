"""Spans of this process, and the search for cards in them: who runs the collector of traces reads them all.

Ids are drawn from a seed, so that two runs that are alike have the same; times are left out.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.id_generator import IdGenerator

from servito_platform.tracing import Attribute, Tracing
from tests.taint.detector import Finding, in_logs

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import ReadableSpan

    from tests.taint.truth import Truth

NUMBERS: Final = {
    Attribute.TURN,
    Attribute.VERSION,
    Attribute.EVENTS,
    Attribute.PARTITION,
    Attribute.DEADLINES,
}
"""Attributes that are numbers and tell of no card."""


class _Ids(IdGenerator):
    def __init__(self) -> None:
        self._random = random.Random("spans")

    def generate_span_id(self) -> int:
        """As of every generator."""
        return self._random.getrandbits(64) or 1

    def generate_trace_id(self) -> int:
        """Likewise."""
        return self._random.getrandbits(128) or 1


class Spans:
    """What is made with `tracing` is kept."""

    def __init__(self) -> None:
        self._exporter = InMemorySpanExporter()
        provider = TracerProvider(id_generator=_Ids(), shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self.tracing = Tracing(provider, 1.0)

    def lines(self) -> list[str]:
        """Each as a line: its name and all that it says of itself, its events and its status included."""
        return [_line(span) for span in self._exporter.get_finished_spans()]

    def findings(self, truth: Truth) -> Iterator[Finding]:
        """Cards in them, and numbers of which nobody knows what they are."""
        for span in self._exporter.get_finished_spans():
            numbers = {name for name, value in (span.attributes or {}).items() if not isinstance(value, str)}
            if numbers - NUMBERS:
                yield Finding("span", "operator", f"{span.name}: {sorted(numbers - NUMBERS)}")
        found = in_logs(self.lines(), truth)
        yield from (Finding(each.kind, each.viewer, f"span: {each.where}") for each in found)


def _line(span: ReadableSpan) -> str:
    about = span.attributes or {}
    texts = {name: value for name, value in about.items() if name not in NUMBERS}
    events = [(event.name, dict(event.attributes or {})) for event in span.events]
    told = {"span": span.name, "status": str(span.status.description), "events": str(events)}
    return json.dumps({**told, **{name: str(value) for name, value in texts.items()}})
