"""The Celery worker: started, sweeping, stopped in bounded time."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any, Final

import structlog
from celery import Celery, bootsteps, signals
from celery.worker import state as worker_state

from servito_timers.tasks.celery_app import QUEUE

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)
_FAILURE: Final = 1


class Stopping:
    """Ends the worker. What does not end within `seconds` is ended: nothing here is worth a longer wait."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._timer: threading.Timer | None = None
        signals.worker_shutting_down.connect(self._on_signal)

    def fail(self, reason: str) -> None:
        """End with exit code 1, so that whoever supervises the process starts it anew."""
        if worker_state.should_stop is None:
            _log.error("worker_gives_up", reason=reason)
            worker_state.should_stop = _FAILURE  # type: ignore[assignment]  # its stub says None
            self._end_within(_FAILURE)

    def _on_signal(self, exitcode: int = 0, **_: object) -> None:
        self._end_within(exitcode)

    def _end_within(self, code: int) -> None:
        if self._timer is None:
            self._timer = threading.Timer(self._seconds, self._end, (code,))
            self._timer.daemon = True  # a worker that ends by itself does not wait for it
            self._timer.start()

    def _end(self, code: int) -> None:
        # Celery waits for a broker that does not answer; claims under way come back by their leases.
        _log.warning("drain_cut_short", seconds=self._seconds)
        os._exit(code)


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

    app.steps["worker"].add(_sweeping(guarded, stop_sweep))
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


def _sweeping(sweep: Callable[[], None], stop_sweep: Callable[[], None]) -> type[bootsteps.StartStopStep]:
    class Sweeping(bootsteps.StartStopStep):
        """The sweeper's thread: begins before the consumer looks for its broker, ends before the pool."""

        requires = ("celery.worker.components:Pool",)

        def __init__(self, parent: Any, **options: Any) -> None:
            super().__init__(parent, **options)
            self._thread = threading.Thread(target=sweep, name="sweeper", daemon=True)

        def start(self, parent: Any) -> None:  # noqa: ARG002 - Celery's signature
            self._thread.start()

        def stop(self, parent: Any) -> None:  # noqa: ARG002 - Celery's signature
            stop_sweep()
            self._thread.join()

        terminate = stop

    return Sweeping
