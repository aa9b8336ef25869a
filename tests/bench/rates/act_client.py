"""Players who act by calls, nobody watching: 32 acts in flight, at twice as many tables.

    python -m tests.bench.rates.act_client TARGET STATE_URL beside|asking SECONDS PIDS [TABLES]

With few tables there are fewer acts in flight.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from random import Random
from typing import TYPE_CHECKING, Final

from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.table_pb2_grpc import TableServiceStub
from servito_core.rules import preset
from servito_platform.keys import Keys
from servito_platform.lane import Lane
from servito_platform.seal_keys import parse_seal_keys
from servito_platform.seals import Seals
from servito_table.adapters.sealing import PURPOSE, Sealing
from tests.bench.rates.beside import Beside
from tests.bench.rates.calls import answered
from tests.bench.rates.ceiling_client import IN_FLIGHT
from tests.bench.rates.sample import Counter
from tests.bench.rates.seats import PRESET, TABLES, full_tables
from tests.bench.rates.stored import Reader
from tests.bench.rates.turns import Asking

if TYPE_CHECKING:
    from servito.table.v1.table_pb2_grpc import TableServiceAsyncStub
    from tests.bench.rates.turns import Turns

PARTITIONS: Final = 64
STATE_SECONDS: Final = 5.0


async def play(stub: TableServiceAsyncStub, turns: Turns, counter: Counter) -> None:
    """Act on one turn after the other until cancelled."""
    act = stub.Act
    while True:
        turn = await turns.next()
        request = pb.ActRequest(
            table_id=turn.table.id,
            request_id=str(turn.number),
            turn_id=turn.number,
            action=turn.action,
        )
        began = time.perf_counter()
        await answered(act, request, turn.table.callers[turn.seat], counter)
        counter.count(began)
        turns.over(turn)


def _reader() -> Reader:
    """What opens the tables: `section.py` gives this client the table service's keys."""
    sealing = Sealing(Seals(parse_seal_keys(os.environ["SERVITO_TABLE_SEAL_KEYS"]), PURPOSE))
    return Reader(sealing, preset(PRESET))


async def main(
    target: str, state_url: str, way: str, seconds: str, pids: str, opened: str = str(TABLES)
) -> None:
    """Play for a while and print the sample."""
    counter, rng = Counter(json.loads(pids)), Random(7)
    async with aio.insecure_channel(target) as channel, full_tables(channel, int(opened)) as tables:
        stub = TableServiceStub(channel)
        lane = Lane(state_url, STATE_SECONDS)
        if way == "asking":
            asking = Asking(stub, tables, rng)
            work = [play(stub, asking, counter) for _ in range(IN_FLIGHT)]
        else:
            beside = Beside(lane, Keys(PARTITIONS), _reader(), tables, rng)
            work = [beside.looking(), *(play(stub, beside, counter) for _ in range(IN_FLIGHT))]
        sample = await counter.beside(work, float(seconds))
        await lane.close()
    sys.stdout.write(sample.to_json() + "\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
