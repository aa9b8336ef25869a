"""What the use cases of one worker share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event

from servito_timers.app.in_flight import InFlight
from servito_timers.app.ports import Deadlines, Tally
from servito_timers.app.reach import Reach
from servito_timers.app.tempo import Tempo
from servito_timers.app.way import BrokerWay


@dataclass(frozen=True)
class Station:
    """One worker: its name, its claims under way, its view of the broker, and its ports."""

    worker: str
    deadlines: Deadlines
    tally: Tally
    in_flight: InFlight
    way: BrokerWay
    clock: Callable[[], float]
    """Seconds, monotonic."""
    reach: Reach
    tempo: Tempo
    changed: Event = field(default_factory=Event)
    """Set by whoever begins or ends a claim: then the sweeper looks again without waiting for its pause."""
