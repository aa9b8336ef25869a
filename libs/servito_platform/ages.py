"""How old connections and streams grow, so that replicas that came later get their share (PITFALLS G5).

A connection is given up by its server after a while, and whoever wants something then looks up the addresses
anew. That leaves its streams alone, but not for ever: so servers end their streams themselves, in good order,
well before. Here: the numbers. Who ends a stream: carrying.py and the table's streams.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from random import uniform
from typing import Final

_SHORTEST: Final = 0.5
_LONGEST: Final = 0.9
"""Life of a stream, as parts of a connection's: spread out, or all would come back together."""
_GRACE_SECONDS: Final = 30.0
"""What is under way on a connection that is too old may take so much longer than any stream lives."""


@dataclass(frozen=True, slots=True)
class Ages:
    """By the age at which connections are given up; gRPC spreads that by a tenth."""

    connection_seconds: float

    def options(self) -> tuple[tuple[str, int], ...]:
        """What a server is told."""
        grace = self.connection_seconds + _GRACE_SECONDS
        return (
            ("grpc.max_connection_age_ms", round(self.connection_seconds * 1000)),
            ("grpc.max_connection_age_grace_ms", round(grace * 1000)),
        )

    @contextmanager
    def limit(self, end: Callable[[], None]) -> Iterator[None]:
        """Have `end` called when the stream that lives in this context is old enough, if it is there then."""
        seconds = self.connection_seconds * uniform(_SHORTEST, _LONGEST)  # noqa: S311 - no secret
        timer = asyncio.get_running_loop().call_later(seconds, end)
        try:
            yield
        finally:
            timer.cancel()
