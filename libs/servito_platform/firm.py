"""Scripts whose writes are acknowledged by replicas before their answer counts: money and seals.

Here: a connection beside the shared one that asks for acknowledgements (`WAIT`), and what they came to. Not
here: which write needs it, and what is done without it; how many replicas (replicas.py); finding the primary
(the lanes, of which this is another kind of wire).

Theory. WAIT speaks of what its own connection wrote last (PITFALLS R7), and keeps everybody behind it on that
connection waiting; so it has a connection of its own, and scripts that come while a WAIT is under way go out
together after it, before the next one. A replica that hangs costs each script at most two waits, however many
there are. A script that wrote nothing is acknowledged by nothing: one that is to prove an earlier write must
write again what it found.

Where the primary has fewer replicas connected than wanted, a write counts as safe once those have it, with
an alarm; where it has none, nobody is there to wait for: then too, unless `strict` says otherwise. But a
primary that was replaced while it hung has none either, and does not know: so others are asked whether they
still follow it. A replica that is connected and does not acknowledge may be the next primary: that is never
safe.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import hiredis
import structlog
from prometheus_client import Counter, Histogram

from servito_platform.lane import Lane, NotSent, Wire
from servito_platform.redis import StateUnavailable
from servito_platform.state import new_lane

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from servito_platform.lane import Leads
    from servito_platform.place import Place
    from servito_platform.redis import Argument, Script
    from servito_platform.replicas import Replicas

_MOST: Final = 5_000
"""Scripts that wait for their round; more are refused before they are sent."""
_BUCKETS: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)
_NO_ANSWER: Final = (StateUnavailable, hiredis.ReplyError)
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Outcome(StrEnum):
    """What the wait for replicas came to."""

    ACKNOWLEDGED = "acknowledged"
    NO_REPLICA = "no_replica"
    """Fewer are there than wanted, and those have it; nobody else is the primary."""
    MISSING = "missing"
    """One that is connected did not say in time that it has it, or the primary is none any more or silent."""


class Firm(NamedTuple):
    """A script's answer, and whether what it wrote is safe."""

    answer: Any
    safe: bool


class Acknowledgements:
    """What the waits of this process came to, as metrics; an alarm is logged when that changes."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._outcomes = Counter(
            "servito_state_acknowledgements_total",
            "Rounds of writes that replicas were to acknowledge, by what came of it.",
            ("outcome",),
            registry=registry,
        )
        self._seconds = Histogram(
            "servito_state_acknowledgement_seconds",
            "From sending a round of writes until replicas have acknowledged it, or not.",
            buckets=_BUCKETS,
            registry=registry,
        )
        for outcome in Outcome:
            self._outcomes.labels(outcome)
        self._latest = Outcome.ACKNOWLEDGED

    def came(self, outcome: Outcome, seconds: float, connected: int) -> None:
        """A round has ended; `connected`: replicas that the primary has."""
        self._outcomes.labels(outcome).inc()
        self._seconds.observe(seconds)
        if outcome is not self._latest:
            alarm = _log.warning if outcome is Outcome.ACKNOWLEDGED else _log.error
            alarm("replicas_acknowledge", outcome=outcome, before=self._latest, connected=connected)
            self._latest = outcome


class FirmLane:
    """Runs scripts, each with the acknowledgement of what it wrote. Made by `new_firm_lane`."""

    def __init__(self, lane: Lane) -> None:
        self._lane = lane

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[Argument]) -> Firm:
        """Raises as Lane.run does; an answer that is not safe is true of the primary all the same."""
        firm: Firm = await self._lane.run(script, keys, args)
        return firm

    async def close(self) -> None:
        """Give the connection back."""
        await self._lane.close()


def new_firm_lane(
    place: Place, seconds: float, replicas: Replicas, registry: CollectorRegistry
) -> FirmLane | None:
    """A connection to where the state is; None where nobody is waited for. `seconds`: as for a lane. The
    metrics are there in any case.
    """
    told = Acknowledgements(registry)
    if not replicas.wanted:
        return None

    def make(patience: float, leads: Leads | None) -> Wire:
        return FirmWire(patience, leads, replicas, told)

    return FirmLane(new_lane(place, seconds, make))


class FirmWire(Wire):
    """One connection while it lasts; what is asked of it is answered with a Firm."""

    def __init__(
        self, seconds: float, leads: Leads | None, replicas: Replicas, told: Acknowledgements
    ) -> None:
        super().__init__(seconds + replicas.seconds)
        self._leads = leads
        self._replicas = replicas
        self._told = told
        self._connected = replicas.wanted
        self._queue: list[tuple[Sequence[Argument], asyncio.Future[Any]]] = []
        self._rounds: asyncio.Task[None] | None = None

    def ask(self, command: Sequence[Argument]) -> asyncio.Future[Any]:
        """Send a command with the next round; its Firm to await."""
        if self.broken or len(self._queue) >= _MOST:
            raise NotSent
        future = self._loop.create_future()
        self._queue.append((command, future))
        if self._rounds is None:
            self._rounds = self._loop.create_task(self._go_round())
        return future

    def give_up(self) -> None:
        """See Wire. What waits for its round was not sent."""
        super().give_up()
        queue, self._queue = self._queue, []
        for _, future in queue:
            if not future.done():
                future.set_exception(NotSent())

    async def _go_round(self) -> None:
        """Round after round while somebody waits for one."""
        try:
            while self._queue:
                asked, self._queue = self._queue, []
                answers = [Wire.ask(self, command) for command, _ in asked]
                safe = False
                try:
                    safe = await self._acknowledged()
                finally:
                    for (_, future), answer in zip(asked, answers, strict=True):
                        _settle(future, answer, safe)
        except BaseException:
            self.give_up()  # whatever it is, nobody is left to wait
            raise
        finally:
            self._rounds = None

    async def _acknowledged(self) -> bool:
        """Whether what was just sent is safe. It never raises: the scripts' own answers tell of a break."""
        began, wanted = self._loop.time(), self._replicas.wanted
        try:
            # Who was not there the last time is not waited for; if he came back since, once more with him.
            waited_for = min(wanted, self._connected)
            acknowledged, able = await self._wait(waited_for)
            if waited_for < min(wanted, self._connected):
                acknowledged, able = await self._wait(min(wanted, self._connected))
        except _NO_ANSWER as error:
            _log.error("acknowledgement_unanswered", error=type(error).__name__, said=str(error))
            self._loop.call_soon(self.give_up)  # a replica, which refuses to WAIT, is no place to stay at
            acknowledged = 0
            able = self._connected = wanted
        if acknowledged >= wanted:
            outcome = Outcome.ACKNOWLEDGED
        elif acknowledged < able:
            outcome = Outcome.MISSING
        elif self._leads is None or await self._leads():
            outcome = Outcome.NO_REPLICA
        else:
            outcome = Outcome.MISSING
            self._loop.call_soon(self.give_up)  # the next connection leads to who is the primary now
        self._told.came(outcome, self._loop.time() - began, self._connected)
        enough = acknowledged > 0 or not self._replicas.strict
        return outcome is Outcome.ACKNOWLEDGED or (outcome is Outcome.NO_REPLICA and enough)

    async def _wait(self, number: int) -> tuple[int, int]:
        """How many replicas acknowledged, waiting for so many, and how many could take over: one that has
        never acknowledged anything is only just being filled.
        """
        milliseconds = max(1, round(self._replicas.seconds * 1000))  # 0 would be for ever
        acknowledged, role = await asyncio.gather(
            Wire.ask(self, ("WAIT", number, milliseconds)), Wire.ask(self, ("ROLE",))
        )
        if role[0] != b"master":  # it has just been told that it is none any more
            self._loop.call_soon(self.give_up)
            return 0, 1
        offsets = [int(offset) for _, _, offset in role[2]]
        self._connected = len(offsets)
        return acknowledged, sum(offset > 0 for offset in offsets)


def _settle(future: asyncio.Future[Any], answer: asyncio.Future[Any], safe: bool) -> None:
    error = answer.exception() if answer.done() else StateUnavailable()
    if future.done():
        return
    if error is None:
        future.set_result(Firm(answer.result(), safe))
    else:
        future.set_exception(error)
