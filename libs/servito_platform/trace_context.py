"""Where something belongs in a trace, and how that is written: W3C Trace Context, `traceparent`.

Here: the value and its text form, in which it travels in metadata and in our own messages. Not here: spans
(tracing.py), which request a log line belongs to (log_context.py). `tracestate` and baggage are not read and
not passed on: they are others' data without a bound.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Self

METADATA: Final = "traceparent"
_FORM: Final = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_FIRST_VERSION: Final = "00"
_NO_VERSION: Final = "ff"
_LONGEST: Final = 256
_SAMPLED: Final = 1


@dataclass(slots=True)
class TraceContext:
    """A span of a trace by its numbers, neither of them 0; `sampled`: its spans are recorded. Read-only."""

    trace_id: int
    span_id: int
    sampled: bool

    @property
    def traceparent(self) -> str:
        """As it travels."""
        return f"00-{self.trace_id:032x}-{self.span_id:016x}-{self.sampled:02x}"

    def about(self, ids: Mapping[str, str]) -> None:
        """Told of which table and hand what is done here turns out to be; a span under way says so."""

    @classmethod
    def read(cls, text: str) -> Self | None:
        """The opposite of `traceparent`; None for what is none, which is as good as nothing.

        What later versions of the form append is left out, as W3C asks for.
        """
        match = _FORM.fullmatch(text) if 0 < len(text) <= _LONGEST else None
        if match is None or match[1] == _NO_VERSION or (match[1] == _FIRST_VERSION and match[5]):
            return None
        trace_id, span_id = int(match[2], 16), int(match[3], 16)
        return cls(trace_id, span_id, bool(int(match[4], 16) & _SAMPLED)) if trace_id and span_id else None
