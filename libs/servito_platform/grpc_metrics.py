"""Metrics of every call that a server handles, under the usual grpc_server_* names.

Labels hold known services and methods only; all others count under "unknown". A call that the client
cancelled, that ran past its deadline or whose peer vanished is counted as handled like any other.
"""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import Any, cast

import grpc
from grpc import aio
from prometheus_client import CollectorRegistry, Gauge

from servito_platform.grpc_handlers import Behaviour, Context, Method, time_left
from servito_platform.loop_metrics import Counter, Histogram

_LABELS = ("grpc_type", "grpc_service", "grpc_method")
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_UNKNOWN = Method("unknown", "unknown", "unary")
_AT_THE_DEADLINE = 0.02
"""With so few seconds left, a call that is cut off has met its deadline: the timers of both ends differ."""


class MetricsLayer:
    """See the module."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._started = Counter("grpc_server_started_total", "Calls that began.", _LABELS, registry=registry)
        self._handled = Counter(
            "grpc_server_handled_total",
            "Calls that ended, by status code.",
            (*_LABELS, "grpc_code"),
            registry=registry,
        )
        self._seconds = Histogram(
            "grpc_server_handling_seconds",
            "From beginning to end.",
            _LABELS,
            buckets=_SECONDS,
            registry=registry,
        )
        self._open = Gauge(
            "grpc_server_open_streams",
            "Streams open now.",
            ("grpc_service", "grpc_method"),
            registry=registry,
        )

    def around(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """`behaviour`, counted."""
        counted = self._counted(method, behaviour)
        return counted if method.kind == "unary" else self._open_while(method, counted)

    def _counted(self, method: Method, behaviour: Behaviour) -> Behaviour:
        labels = (method.kind, method.service, method.name)
        started, seconds = self._started.labels(*labels), self._seconds.labels(*labels)
        handled = _ByCode(self._handled, labels)

        async def counted(request: Any, context: Context) -> Any:
            started.inc()
            begin = perf_counter()
            code = grpc.StatusCode.OK
            try:
                response = await behaviour(request, context)
                code = _set_code(context) or code
                return response
            except BaseException as error:
                code = code_of(error, context)
                raise
            finally:
                seconds.observe(perf_counter() - begin)
                handled[code].inc()

        return counted

    def _open_while(self, method: Method, behaviour: Behaviour) -> Behaviour:
        streams = self._open.labels(method.service, method.name)

        async def opened(request: Any, context: Context) -> Any:
            with streams.track_inprogress():
                return await behaviour(request, context)

        return opened

    def count_unknown(self) -> None:
        """Counted, but not under the name that the client made up."""
        labels = (_UNKNOWN.kind, _UNKNOWN.service, _UNKNOWN.name)
        self._started.labels(*labels).inc()
        self._handled.labels(*labels, grpc.StatusCode.UNIMPLEMENTED.name).inc()


class _ByCode(dict[grpc.StatusCode, Counter]):
    """The counters of one method; looking one up by its labels each time would cost more than counting."""

    def __init__(self, handled: Counter, labels: tuple[str, ...]) -> None:
        super().__init__()
        self._handled = handled
        self._labels = labels

    def __missing__(self, code: grpc.StatusCode) -> Counter:
        counter = self[code] = self._handled.labels(*self._labels, code.name)
        return counter


def _set_code(context: Context) -> grpc.StatusCode | None:
    """The code that the handler chose; the published type leaves out that there may be none."""
    return cast("grpc.StatusCode | None", context.code())


def code_of(error: BaseException, context: Context) -> grpc.StatusCode:
    """How a call ended that raised `error`, seen from outside of ErrorLayer."""
    if isinstance(error, aio.AbortError):
        return context.code()
    if isinstance(error, (asyncio.CancelledError, aio.BaseError)):
        left = time_left(context)
        late = left is not None and left <= _AT_THE_DEADLINE
        return grpc.StatusCode.DEADLINE_EXCEEDED if late else grpc.StatusCode.CANCELLED
    return grpc.StatusCode.UNKNOWN
