"""The task `expire_deadlines`, and its publication."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import kombu.exceptions
import redis
import structlog
from celery import Celery

from servito_platform.log_context import belonging, trace_metadata
from servito_platform.trace_context import TraceContext
from servito_timers.app.ports import BrokerAway
from servito_timers.tasks.celery_app import QUEUE

if TYPE_CHECKING:
    from celery.app.task import Task

RunTask = Callable[[str, str, Sequence[str]], None]
"""Carries out a claim: the worker that made it, its name, its members."""

_NO_ANSWER: Final = (kombu.exceptions.KombuError, redis.RedisError, OSError)
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


def register(app: Celery, run: RunTask) -> Task[Any, Any]:
    """Give `app` the task."""

    @app.task(name="servito.timers.expire_deadlines")
    def expire_deadlines(
        worker: str, claim: str, members: list[str], traceparent: str = "", **_later: object
    ) -> None:
        # Releases run side by side: what a newer one adds goes by name, and an older one leaves it be.
        with belonging(trace=TraceContext.read(traceparent)):
            run(worker, claim, members)

    return expire_deadlines


class Publisher:
    """See `app.ports.Broker`. One for each thread.

    It has a connection of its own, quick to give up, because the sweeper waits for it; the consumer's is
    patient.
    """

    def __init__(self, app: Celery, task: Task[Any, Any], *, worker: str, seconds: float) -> None:
        self._app = app
        self._task = task
        self._worker = worker
        options = dict(app.conf.broker_transport_options) | {
            "socket_timeout": seconds,
            "socket_connect_timeout": seconds,
            "max_retries": 0,
        }
        self._connection = app.connection_for_write(connect_timeout=seconds, transport_options=options)
        self._producer: Any = None

    def publish(self, claim: str, members: Sequence[str]) -> None:
        """See Broker."""
        try:
            if self._producer is None:
                self._producer = self._app.amqp.Producer(self._connection)
            self._task.apply_async(
                (self._worker, claim, list(members)),
                dict(trace_metadata()),
                producer=self._producer,
                queue=QUEUE,
                retry=False,
            )
        except _NO_ANSWER as error:
            _log.warning("broker_away", problem=type(error).__name__)
            self.close()
            raise BrokerAway from error

    def close(self) -> None:
        """Drop the connection; the next publication makes a new one."""
        self._producer = None
        with suppress(*_NO_ANSWER):  # it is being dropped because it may be broken
            self._connection.release()
