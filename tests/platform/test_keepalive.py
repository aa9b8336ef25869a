"""A peer that froze is noticed in bounded time, although its connection looks alive (PITFALLS G1)."""

from __future__ import annotations

import asyncio
import signal
import sys
from time import monotonic

import pytest

from tests.platform.echo import Running

WATCH = """
import asyncio, sys
from servito_platform.grpc_channel import open_channel
from tests.platform.echo import EchoClient

async def watch() -> None:
    async with open_channel(sys.argv[1], timeout=5) as channel:
        stream = EchoClient(channel).server_stream(b"x")
        print(await stream.read(), flush=True)
        await stream.read()

asyncio.run(watch())
"""


@pytest.mark.slow
async def test_a_frozen_watcher_is_let_go(running: Running) -> None:
    """SIGSTOP of a client's process: its stream and all that hangs on it are gone within 20 s."""
    watcher = await asyncio.create_subprocess_exec(
        sys.executable, "-c", WATCH, running.address, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert watcher.stdout is not None
        assert await asyncio.wait_for(watcher.stdout.readline(), 20) == b"b'x'\n"
        watcher.send_signal(signal.SIGSTOP)
        begin = monotonic()
        await asyncio.wait_for(running.echo.stream_closed.wait(), 20)
        assert monotonic() - begin > 2, "nothing was frozen: the stream ended at once"
    finally:
        watcher.kill()
        await watcher.wait()
