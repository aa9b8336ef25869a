"""The callers of the ceiling: each sends his next request of 200 B when the last is answered.

    python -m tests.bench.rates.ceiling_client PORT unary|stream SECONDS PIDS

It is a yardstick, not ours: change it only with its original.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from typing import Any, Final

from grpc import aio

from tests.bench.rates.ceiling_server import SERVICE
from tests.bench.rates.sample import Counter

IN_FLIGHT: Final = 32
WARM_UP_SECONDS: Final = 0.5


async def unary(channel: aio.Channel, request: bytes, counter: Counter) -> None:
    """One caller by calls."""
    act: Any = channel.unary_unary(f"/{SERVICE}/Act")
    while True:
        began = time.perf_counter()
        await act(request)
        counter.count(began)


async def stream(channel: aio.Channel, request: bytes, counter: Counter) -> None:
    """One caller by a stream."""
    play: Any = channel.stream_stream(f"/{SERVICE}/Play")()
    while True:
        began = time.perf_counter()
        await play.write(request)
        await play.read()
        counter.count(began)


async def main(port: str, over: str, seconds: str, pids: str) -> None:
    """Call for a while and print the sample."""
    counter = Counter(json.loads(pids))
    call = {"unary": unary, "stream": stream}[over]
    async with aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        await channel.channel_ready()
        requests = [b"%08d" % caller + b"q" * 192 for caller in range(IN_FLIGHT)]
        callers = [asyncio.create_task(call(channel, request, counter)) for request in requests]
        await asyncio.sleep(WARM_UP_SECONDS)
        sample = await counter.over(float(seconds))
        for caller in callers:
            if caller.done():
                caller.result()
            caller.cancel()
        await asyncio.gather(*callers, return_exceptions=True)
    sys.stdout.write(sample.to_json() + "\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
