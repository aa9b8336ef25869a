"""Deadlines are delivered twice, late, early and out of order: past the timers, and through their queue.

Members are read from the sorted sets and kept, so old ones come again long after their turns are over, and
turns that still run are asked to end too.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from uuid import uuid4

import kombu.exceptions
import redis
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.table_pb2_grpc import TableServiceStub
from servito_platform.grpc_channel import open_channel
from servito_platform.place import read_place
from servito_timers.tasks.celery_app import QUEUE, new_celery
from tests.chaos.faults.kind import kind

if TYPE_CHECKING:
    from random import Random

    from tests.chaos.stage import Stage

_ROUNDS: Final = 12
_PAUSE: Final = 0.25
_EXPIRES: Final = 5.0
_AUTHORIZED: Final = (("authorization", "Bearer dev:service:timers"),)


@kind("deadlines delivered again", short=True)
async def delivered_again(stage: Stage, rng: Random) -> None:
    """Straight to the table: every claim up to three times at once, shuffled, with members of long ago."""
    async with open_channel(stage.world.table_target, timeout=5) as channel:
        stub = TableServiceStub(channel)

        async def deliver(members: list[str]) -> None:
            with suppress(aio.AioRpcError):  # a delivery may be lost, too
                await stub.ExpireDeadlines(pb.ExpireDeadlinesRequest(members=members), metadata=_AUTHORIZED)

        calls: set[asyncio.Task[None]] = set()
        for _ in range(_ROUNDS):
            members = await stage.members(rng)
            for _ in range(rng.randint(1, 3)):
                rng.shuffle(members)
                calls.add(asyncio.create_task(deliver(list(members))))
                stage.delivered += len(members)
            await stage.pause(_PAUSE)
        await asyncio.wait(calls)


@kind("tasks delivered again", short=True)
async def tasks_again(stage: Stage, rng: Random) -> None:
    """Through the broker, as tasks of workers that never were."""
    app = new_celery(read_place(stage.world.broker_url))
    with app.connection_for_write(transport_options=dict(app.conf.broker_transport_options)) as connection:
        producer = app.amqp.Producer(connection)
        for _ in range(_ROUNDS):
            members = await stage.members(rng)
            for _ in range(rng.randint(1, 3)):
                rng.shuffle(members)
                with suppress(kombu.exceptions.KombuError, redis.RedisError, OSError):
                    await asyncio.to_thread(
                        app.send_task,
                        "servito.timers.expire_deadlines",
                        (uuid4().hex[:12], uuid4().hex[:12], list(members)),
                        producer=producer,
                        queue=QUEUE,
                        expires=_EXPIRES,
                        retry=False,
                    )
                stage.delivered += len(members)
            await stage.pause(_PAUSE)
