"""What calls leave behind is cleared away soon."""

from __future__ import annotations

import asyncio

import psutil

from servito_platform.grpc_channel import open_channel
from tests.platform.echo import EchoClient
from tests.platform.test_process import Start, start

__all__ = ["start"]

WARM_UP = 1_500
CALLS = 9_000
MOST_BYTES = 2_500_000
"""For noise: what gRPC leaves in cycles for the collector is 500 bytes a call."""


async def test_a_process_does_not_grow_with_its_calls(start: Start) -> None:
    """Thousands of calls later it is as large as before, although each of them leaves a cycle behind."""
    process = await start()
    server = psutil.Process(process.child.pid)
    async with open_channel(process.ready["grpc"], timeout=20) as channel:
        client = EchoClient(channel)

        async def ask(calls: int) -> None:
            for _ in range(calls):
                assert await client.unary(b"x") == b"x"

        async def ask_together(calls: int) -> None:
            await asyncio.gather(*[ask(calls // 20) for _ in range(20)])

        await ask_together(WARM_UP)
        before = server.memory_info().rss
        await ask_together(CALLS)
        grown = server.memory_info().rss - before
    assert grown < MOST_BYTES
