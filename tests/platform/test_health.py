"""Readiness follows the dependencies; liveness does not."""

from __future__ import annotations

import asyncio

import redis.asyncio
from grpc import aio
from grpc_health.v1 import health_pb2

from servito_platform.caller import no_tokens
from servito_platform.grpc_server import listen, new_server
from servito_platform.health import Health
from servito_platform.metrics import new_registry
from tests.platform.asking import NOT_SERVING, SERVING, health_of, watch_health

SERVICE_UNKNOWN = health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


async def test_an_outage_of_a_dependency_makes_it_not_ready_but_alive(client: redis.asyncio.Redis) -> None:
    """While a check fails or hangs the service's name says NOT_SERVING, "" says SERVING; then it recovers."""
    trouble: list[str] = []

    async def check() -> None:
        await client.ping()
        if "fail" in trouble:
            raise ConnectionError
        if "hang" in trouble:
            await asyncio.sleep(60)

    health, server = Health(), new_server(new_registry(), no_tokens)
    health.serve_on(server)
    health.check(check)
    address = listen(server, "127.0.0.1:0")
    await server.start()
    watching = asyncio.create_task(health.watch(["x.v1.X"]))
    await asyncio.sleep(0.1)
    async with aio.insecure_channel(address) as channel:  # ours would leave it when it drains
        for problem in ("fail", "hang"):
            trouble[:] = [problem]
            assert not await health.refresh()
            assert (await health_of(channel, "x.v1.X"), await health_of(channel, "")) == (
                NOT_SERVING,
                SERVING,
            )
            trouble.clear()
            assert await health.refresh()
            assert (await health_of(channel, "x.v1.X"), await health_of(channel, "")) == (SERVING, SERVING)
        health.drain()
        trouble.clear()
        await health.refresh()
        assert await health_of(channel, "x.v1.X") == NOT_SERVING
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    await server.stop(0)


async def test_a_watch_ends_with_the_drain() -> None:
    """Whoever watches is told NOT_SERVING and let go, or the drain would last as long as he wishes; no later
    word, not even to who asks anew.
    """
    health, server = Health(), new_server(new_registry(), no_tokens)
    health.serve_on(server)
    address = listen(server, "127.0.0.1:0")
    await server.start()
    async with aio.insecure_channel(address) as channel:  # ours would leave it when it drains
        watches = [watch_health(channel, name) for name in ("", "x.v1.X")]
        assert [(await watch.read()).status for watch in watches] == [SERVING, SERVICE_UNKNOWN]
        health.drain()
        assert (await watches[0].read()).status == NOT_SERVING
        assert [await watch.read() for watch in watches] == [aio.EOF, aio.EOF]
        late = watch_health(channel, "")
        assert ((await late.read()).status, await late.read()) == (NOT_SERVING, aio.EOF)
    await server.stop(0)
