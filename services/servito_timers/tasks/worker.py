"""The Celery worker: started, sweeping, stopped in bounded time."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from typing import Any, Final

import structlog
from celery import Celery, bootsteps
from celery.worker import state as worker_state

from servito_platform.drain import LastResort
from servito_timers.tasks.celery_app import QUEUE

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_FAILURE: Final = 1


class Stopping:
    """Ends the worker: by SIGTERM and SIGINT with exit code 0, by `fail` with 1.

    What does not end within `seconds`, or within one after the second signal, is ended: nothing here is worth
    a longer wait. Celery waits for a broker that does not answer; claims under way come back by their leases.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._last_resort: LastResort | None = None
        self._stop_sweep: Callable[[], None] = _nothing

    @property
    def requested(self) -> bool:
        """Whether the worker is stopping."""
        return worker_state.should_stop is not None

    def watch_signals(self, stop_sweep: Callable[[], None]) -> None:
        """Take the place of Celery's handlers, by which SIGINT is a failure and a second signal says nothing.

        `stop_sweep` is called at once: what is claimed from then on, nobody here would carry out.
        """
        self._stop_sweep = stop_sweep
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._on_signal)

    def fail(self, reason: str) -> None:
        """End with exit code 1, so that whoever supervises the process starts it anew."""
        if not self.requested:
            _log.error("worker_gives_up", reason=reason)
            self._end(_FAILURE)

    def _on_signal(self, *_: object) -> None:
        self._end(0)

    def _end(self, code: int) -> None:
        if self._last_resort is not None:
            self._last_resort.arm(hurry=True)
            return
        worker_state.should_stop = code  # type: ignore[assignment]  # its stub says None
        self._stop_sweep()
        self._last_resort = LastResort(self._seconds, code)
        self._last_resort.arm()


def _nothing() -> None:
    """Nothing to stop yet."""


def run_worker(
    app: Celery,
    *,
    worker: str,
    concurrency: int,
    sweep: Callable[[], None],
    stop_sweep: Callable[[], None],
    stopping: Stopping,
) -> int:
    """Run a worker in this thread until it is told to stop, and `sweep` in another one; the exit code."""

    def guarded() -> None:
        try:
            sweep()
        except Exception:  # noqa: BLE001 - any fault at all: see below
            # Without its sweeper the worker is worth nothing: it ends, told apart by its exit code.
            _log.exception("sweeper_died")
            stopping.fail("the sweeper died")

    app.steps["worker"].add(_sweeping(guarded, stop_sweep, stopping))
    controller: Any = app.Worker(
        hostname=f"{worker}@timers",
        pool="threads",
        concurrency=concurrency,
        queues=[QUEUE],
        quiet=True,
        without_gossip=True,
        without_mingle=True,
        without_heartbeat=True,
    )
    controller.start()
    return int(controller.exitcode or 0)


def _sweeping(
    sweep: Callable[[], None], stop_sweep: Callable[[], None], stopping: Stopping
) -> type[bootsteps.StartStopStep]:
    class Sweeping(bootsteps.StartStopStep):
        """The sweeper's thread: begins before the consumer looks for its broker, ends before the pool."""

        requires = ("celery.worker.components:Pool",)

        def __init__(self, parent: Any, **options: Any) -> None:
            super().__init__(parent, **options)
            self._thread = threading.Thread(target=sweep, name="sweeper", daemon=True)

        def start(self, parent: Any) -> None:  # noqa: ARG002 - Celery's signature
            stopping.watch_signals(stop_sweep)  # Celery's own handlers are there by now
            self._thread.start()

        def stop(self, parent: Any) -> None:  # noqa: ARG002 - Celery's signature
            stop_sweep()
            self._thread.join()

        terminate = stop

    return Sweeping
