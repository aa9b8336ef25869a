"""Composition root of the timers: the only place that builds the adapters and the Celery worker."""

from __future__ import annotations

import sys
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Final

import structlog

from servito_history.streams import Streams
from servito_history.writing import Archive
from servito_platform.clients import blocking_client, blocking_state_client
from servito_platform.grpc_channel import open_blocking_channel
from servito_platform.keys import Keys
from servito_platform.metrics import serve_metrics
from servito_platform.process import announce_ready, settings_or_exit
from servito_platform.safety.settings import Uses
from servito_platform.settings import SettingsError
from servito_platform.tracer import Traces
from servito_platform.trust import channel_credentials
from servito_timers.adapters.deadlines import RedisDeadlines
from servito_timers.adapters.drain import SqlArchive, StateWaiting
from servito_timers.adapters.drain_metrics import DrainMetrics
from servito_timers.adapters.health import HealthServer
from servito_timers.adapters.looks import Looks
from servito_timers.adapters.metrics import Metrics
from servito_timers.adapters.table import GrpcTable
from servito_timers.adapters.tracing import traced_dispatcher, traced_table, traced_task
from servito_timers.adapters.witness import RedisWitness
from servito_timers.app.drain import Drainer
from servito_timers.app.expiry import Expiry
from servito_timers.app.in_flight import InFlight
from servito_timers.app.look import Looker
from servito_timers.app.reach import Reach
from servito_timers.app.station import Station
from servito_timers.app.sweep import Sweeper
from servito_timers.app.tempo import Tempo
from servito_timers.app.way import BrokerWay
from servito_timers.settings import TimersSettings
from servito_timers.tasks.celery_app import new_celery
from servito_timers.tasks.expire import Publisher, register
from servito_timers.tasks.worker import Stopping, run_worker

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

NAME = "timers"
_USES = Uses(serves=False, calls=True, queues=True)
"""Nobody calls a worker: its server tells health alone."""
_SPANS_SHARE = 0.1
"""Part of the drain's time for sending what is left of traces."""
_TABLE_SERVICE = "servito.table.v1.TableService"
_LOOK_PATIENCE: Final = 5.0
"""Seconds that the state server may take for all that a partition holds."""
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


def main() -> None:
    """Run a worker until it is told to stop."""
    settings, registry = settings_or_exit(NAME, TimersSettings, _USES)
    try:
        with ExitStack() as stack:
            code = _run(settings, stack, registry)
    except (OSError, SettingsError) as error:  # an address that is taken, a file that cannot be used
        sys.stderr.write(f"{NAME} cannot start:\n  {error}\n")
        code = 2
    sys.exit(code)


def _run(settings: TimersSettings, stack: ExitStack, registry: CollectorRegistry) -> int:
    metrics = Metrics(registry)
    station = _station(settings, stack, metrics)
    traces = Traces(NAME, settings, registry)
    stack.callback(traces.close, settings.drain_seconds * _SPANS_SHARE)
    expiry = Expiry(station, traced_table(_table(settings, stack), traces.tracing))
    app = new_celery(settings.broker)
    task = register(app, traced_task(expiry.run_task, traces.tracing))
    broker = Publisher(app, task, worker=station.worker, seconds=settings.timers_broker_seconds)
    stack.callback(broker.close)
    dispatcher = traced_dispatcher(station, broker, expiry, traces.tracing)
    sweeper = Sweeper(
        station, dispatcher, partitions=settings.partitions, pause=settings.timers_sweep_seconds
    )
    metrics.watch(
        age=lambda: sweeper.age,
        in_flight=lambda: station.in_flight.count,
        broker_good=lambda: station.way.good,
    )
    _look(settings, stack, registry, station.worker)
    _drain(settings, stack, registry, station.worker)
    stopping = Stopping(settings.drain_seconds)
    announce = _serving(
        settings,
        stack,
        registry,
        lively=lambda: sweeper.still < settings.timers_stale_seconds and not stopping.requested,
        sweeping=lambda: sweeper.age < settings.timers_stale_seconds and not stopping.requested,
    )

    def swept() -> None:
        announce()
        if station.way.deaf_seconds > settings.timers_deaf_seconds:
            stopping.fail("the broker takes messages that nobody hears")

    return run_worker(
        app,
        worker=station.worker,
        # Once every thread was busy Celery looks for messages only after its polling interval, so there are
        # threads to spare; the worker makes no more claims for that.
        concurrency=2 * settings.timers_claims,
        sweep=lambda: sweeper.run(swept),
        stop_sweep=sweeper.stop,
        stopping=stopping,
    )


def _look(settings: TimersSettings, stack: ExitStack, registry: CollectorRegistry, worker: str) -> None:
    """Look at what is stored, in a thread that ends with the stack."""
    seconds = settings.timers_look_seconds
    client = stack.enter_context(blocking_client(settings.state, _LOOK_PATIENCE))
    witness = RedisWitness(client, Keys(settings.partitions), worker=worker, hold_seconds=3 * seconds)
    looks = Looks(registry)
    looker = Looker(witness, looks, partitions=settings.partitions, seconds=seconds, clock=monotonic)
    looks.watch(lambda: looker.age)
    thread = Thread(target=looker.run, name="look", daemon=True)
    thread.start()
    stack.callback(thread.join, _LOOK_PATIENCE)
    stack.callback(looker.stop)


def _drain(settings: TimersSettings, stack: ExitStack, registry: CollectorRegistry, worker: str) -> None:
    """Drain to the archive, in a thread that ends with the stack. Not a task of Celery's: one that waits for
    the archive would take a thread of the deadlines'.
    """
    client = stack.enter_context(blocking_client(settings.state, _LOOK_PATIENCE))
    streams = Streams(
        client, Keys(settings.partitions), worker=worker, lease_seconds=settings.history_lease_seconds
    )
    archive, place = None, settings.history
    if place is not None:
        archive = Archive(place, seconds=settings.history_seconds, connections=settings.history_connections)
        stack.callback(archive.close)
    tally = DrainMetrics(registry)
    drainer = Drainer(
        StateWaiting(streams),
        None if archive is None else SqlArchive(archive),
        tally,
        pause=settings.history_pause_seconds,
        batch=settings.history_batch,
        clock=monotonic,
    )
    tally.watch(None if archive is None else streams.behind, monotonic)
    thread = Thread(target=drainer.run, name="drain", daemon=True)
    thread.start()
    stack.callback(thread.join, settings.history_seconds)
    stack.callback(drainer.stop)


def _station(settings: TimersSettings, stack: ExitStack, metrics: Metrics) -> Station:
    worker = uuid.uuid4().hex[:12]
    client = stack.enter_context(blocking_state_client(settings))
    deadlines = RedisDeadlines(
        client,
        Keys(settings.partitions),
        worker=worker,
        lease_seconds=settings.timers_lease_seconds,
        outage_ms=settings.outage_ms,
        clock=monotonic,
    )
    in_flight = InFlight(settings.timers_claims, patience=settings.timers_lease_seconds, clock=monotonic)
    tempo = Tempo(settings.timers_claim_members, settings.timers_lease_seconds)
    return Station(
        worker, deadlines, metrics, in_flight, BrokerWay(monotonic), monotonic, Reach(monotonic), tempo
    )


def _table(settings: TimersSettings, stack: ExitStack) -> GrpcTable:
    # A call may be sent again: each deadline is carried out once whatever is asked.
    credentials = channel_credentials(settings)
    try:
        token = settings.own_token()
    except (OSError, ValueError) as error:
        raise SettingsError(f"SERVITO_TIMERS_TOKEN_FILE: {error}") from error
    channel = stack.enter_context(
        open_blocking_channel(settings.table_target, repeatable=[_TABLE_SERVICE], credentials=credentials)
    )
    return GrpcTable(channel, shows=token.metadata, seconds=settings.timers_call_seconds)


def _serving(
    settings: TimersSettings,
    stack: ExitStack,
    registry: CollectorRegistry,
    *,
    lively: Callable[[], bool],
    sweeping: Callable[[], bool],
) -> Callable[[], None]:
    """Serve metrics and health; what to call when the worker does its work, so that it is announced once."""
    page = serve_metrics(registry, settings.metrics_bind)
    stack.callback(page.close)
    health = HealthServer(settings.grpc_bind, lively=lively, sweeping=sweeping)
    stack.callback(health.close)
    announced = False

    def announce() -> None:
        nonlocal announced
        if not announced:
            announced = True
            announce_ready(NAME, grpc=health.address, metrics=page.address)

    return announce
