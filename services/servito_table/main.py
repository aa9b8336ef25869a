"""Composition root of the table service: the only place that builds its adapters."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING, Any

from servito_platform.audit_seal import AuditSealer
from servito_platform.clock import ServerClock
from servito_platform.firm import new_firm_lane
from servito_platform.grpc_channel import open_channel
from servito_platform.keys import Keys
from servito_platform.process import Service, run_service
from servito_platform.safety.settings import Uses
from servito_platform.seals import Seals
from servito_platform.settings import SettingsError
from servito_platform.state import new_ear, new_lane
from servito_platform.traced import traced_carrier, traced_firm_lane, traced_lane
from servito_platform.trust import channel_credentials
from servito_table.adapters.backlog import watch_backlog
from servito_table.adapters.codec import Codec
from servito_table.adapters.dealer import DealerClient
from servito_table.adapters.evaluator import EvaluatorClient
from servito_table.adapters.feed import RedisFeed
from servito_table.adapters.hands import RedisHands
from servito_table.adapters.hub import Hub
from servito_table.adapters.index import RedisIndex
from servito_table.adapters.maintenance import RedisMarks
from servito_table.adapters.mender import RedisMender
from servito_table.adapters.meters import Meters
from servito_table.adapters.safety import ReplicaSafety
from servito_table.adapters.sealing import PURPOSE, Sealing
from servito_table.adapters.store import RedisStore
from servito_table.adapters.templates import RedisTemplates
from servito_table.app.announcing import Announcers
from servito_table.app.archive import Archive
from servito_table.app.keeping import Keeper
from servito_table.app.maintenance import Follower, Gate
from servito_table.app.mending import mend
from servito_table.app.play import Play
from servito_table.app.sweeping import sweep
from servito_table.rpc.methods import SERVICE, add_methods
from servito_table.rpc.refusing import Refusals
from servito_table.rpc.servicer import TableServicer
from servito_table.rpc.streams import StreamServicer
from servito_table.settings import TableSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine

    from servito_platform.carrier import Carrier
    from servito_platform.tracing import Tracing


@asynccontextmanager
async def assemble(service: Service[TableSettings]) -> AsyncIterator[None]:
    """Join use cases, adapters and servicers; at the end let what runs finish, and close the connections."""
    settings = service.settings
    keys, clock = Keys(settings.partitions), ServerClock()
    meters, seconds = Meters(service.registry), settings.state_timeout
    codec = Codec(
        settings.written_schema, meters.unreadable, _sealing(settings, meters), settings.table_oldest_schema
    )
    async with AsyncExitStack() as stack:
        lane = traced_lane(new_lane(settings.state, seconds), service.tracing)
        stack.push_async_callback(lane.close)
        dealer, evaluator = await _carriers(stack, settings, service.tracing)

        store = RedisStore(lane, keys, codec, clock, meters, settings.outage_ms, settings.table_audit_backlog)
        ear = new_ear(settings.state, seconds)
        hub = Hub(
            store,
            RedisFeed(lane, ear, keys, codec),
            clock,
            meters,
            store.origin,
            settings.table_pace_ms / 1000,
        )
        told, deck = Announcers(hub), DealerClient(dealer, meters)
        firm = traced_firm_lane(
            new_firm_lane(settings.state, seconds, settings.replicas, service.registry), service.tracing
        )
        if firm is not None:
            stack.push_async_callback(firm.close)
        marks = RedisMarks(lane, firm, keys, settings.written_schema)
        gate = Gate(marks, meters, monotonic)
        play = _play(service.tracing)(
            store,
            EvaluatorClient(evaluator, meters),
            deck,
            told,
            meters,
            settings.table_remembered,
            None if firm is None else ReplicaSafety(firm, keys),
            gate,
        )
        stack.push_async_callback(play.tasks.drain)
        index = RedisIndex(lane, keys, codec)
        templates = RedisTemplates(lane, keys)
        keeper = Keeper(
            templates,
            index,
            store,
            play,
            meters,
            linger=settings.table_linger_seconds,
            seconds=monotonic,
            seed=lambda: token_hex(16),
        )
        told.also(keeper)
        archive = Archive(play, RedisHands(lane, keys, codec), deck)
        servicer = TableServicer(play, store, index, clock, meters, keeper, templates, archive)
        servicer.gate = gate
        servicer.only_operators_create = settings.only_operators_create
        refusals = Refusals(meters)
        streams = _streams(service)(play, hub, refusals, service.ages)
        add_methods(service.server, servicer, streams, refusals)
        service.serves(SERVICE)
        service.drain.on_drain(hub.farewell)
        service.drain.on_drain(streams.farewell)
        service.health.check(lane.check)
        await stack.enter_async_context(_running(hub.look_around()))
        await stack.enter_async_context(_running(ear.listen(hub.hear, hub.look_now)))
        await stack.enter_async_context(_running(keeper.keep()))
        await stack.enter_async_context(_running(sweep(index)))
        mending = mend(RedisMender(lane, keys), settings.partitions, meters.mended)
        await stack.enter_async_context(_running(mending))
        follower = Follower(gate, marks, index, play, monotonic)
        await stack.enter_async_context(_running(follower.keep()))
        await stack.enter_async_context(_running(watch_backlog(lane, keys, meters)))
        yield


def _sealing(settings: TableSettings, meters: Meters) -> Sealing:
    auditor = settings.auditor_key()
    sealer = None if auditor is None else AuditSealer(*auditor)
    return Sealing(Seals(settings.seal_keys(), PURPOSE), sealer, meters.seal_broken)


async def _carriers(
    stack: AsyncExitStack, settings: TableSettings, tracing: Tracing | None
) -> tuple[Carrier, Carrier]:
    """What asks dealer and evaluator, as long as `stack` is open."""
    seconds, credentials = settings.table_call_seconds, channel_credentials(settings)
    try:
        token = settings.own_token()
    except (OSError, ValueError) as error:
        raise SettingsError(f"SERVITO_TABLE_TOKEN_FILE: {error}") from error

    async def carrier(target: str) -> Carrier:
        channel = open_channel(target, timeout=seconds, credentials=credentials)
        await stack.enter_async_context(channel)
        asking = traced_carrier(channel, tracing, timeout=seconds, metadata=token.metadata)
        return await stack.enter_async_context(asking)

    return await carrier(settings.dealer_target), await carrier(settings.evaluator_target)


def _play(tracing: Tracing | None) -> Callable[..., Play]:
    if tracing is None:
        return Play
    from servito_table.adapters.traced import TracedPlay

    return partial(TracedPlay, tracing)


def _streams(service: Service[TableSettings]) -> Callable[..., StreamServicer]:
    if service.tracing is None:
        return StreamServicer
    from servito_platform.trace_layer import Entrance
    from servito_table.rpc.traced import TracedStreams

    entrance = Entrance(service.tracing, follow_players=service.settings.follows_players)
    return partial(TracedStreams, entrance)


@asynccontextmanager
async def _running(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """`work` in a task for as long as the service lives."""
    task = asyncio.create_task(work)
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def main() -> None:
    """Run the table service until it is told to stop."""
    run_service("table", TableSettings, assemble, uses=Uses(calls=True, wakes=True))
