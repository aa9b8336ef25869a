"""A process full of watchers, for tests that let some of them stop reading, freeze or die.

    python -m tests.table.crowd HOST:PORT TABLE NUMBER

Every watcher has a connection of its own. Commands come on stdin, one a line, and each is answered by a line
of JSON: `stop` ends all reading at the next message, `read` goes on with it, `report` tells what was received
so far. It starts reading, and says `{"joined": NUMBER}` when each watcher has its first message.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, field
from typing import Any

from grpc import aio

from servito.table.v1 import table_pb2 as pb

PATH = "/servito.table.v1.TableService/Watch"
OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),
    # Windows as small as they may be: one who does not read is felt by the server after fewer hands.
    ("grpc.http2.lookahead_bytes", 1024),
    ("grpc.http2.bdp_probe", 0),
)


@dataclass
class Watching:
    """One stream: the version that it is at, and what a watcher must not see."""

    seen: int = 0
    snapshots: int = 0
    gaps: int = 0
    updates: int = 0
    joined: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, message: pb.WatchResponse) -> None:
        """Follow a message."""
        if message.HasField("snapshot"):
            self.snapshots += 1
            self.seen = message.snapshot.version
        for update in message.updates:
            self.gaps += update.version != self.seen + 1
            self.updates += 1
            self.seen = update.version
        self.joined.set()


async def watch(address: str, table_id: str, watching: Watching, reading: asyncio.Event) -> None:
    """Read while it is allowed to."""
    async with aio.insecure_channel(address, options=OPTIONS) as channel:
        call: Any = channel.unary_stream(PATH, pb.WatchRequest.SerializeToString, pb.WatchResponse.FromString)
        stream = call(pb.WatchRequest(table_id=table_id))
        while (message := await stream.read()) is not aio.EOF:
            watching.take(message)
            await reading.wait()


def told(crowd: list[Watching]) -> dict[str, int]:
    """What all of them have received."""
    return {
        "gaps": sum(each.gaps for each in crowd),
        "snapshots": sum(each.snapshots for each in crowd),
        "least_updates": min(each.updates for each in crowd),
        "furthest_behind": min(each.seen for each in crowd),
    }


async def main(address: str, table_id: str, number: int) -> None:
    """See the module; ends with its stdin."""
    crowd, reading = [Watching() for _ in range(number)], asyncio.Event()
    reading.set()
    tasks = [asyncio.create_task(watch(address, table_id, each, reading)) for each in crowd]
    await asyncio.gather(*(each.joined.wait() for each in crowd))
    _say({"joined": number})
    while command := (await asyncio.to_thread(sys.stdin.readline)).strip():
        if command == "stop":
            reading.clear()
        elif command == "read":
            reading.set()
        _say(told(crowd))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _say(what: dict[str, int]) -> None:
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
