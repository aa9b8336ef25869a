"""Tables with a live turn each: copies of one, and what their streams say became of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.store_pb2 import StoredTable
from servito_platform.deadlines import member
from servito_platform.keys import Keys
from servito_table.app.commits import Place
from tests.table.caller import calling
from tests.table.opened import commit_of, resealed

KEYS = Keys(64)
Fields = Mapping[bytes, bytes]


def silent_config(turn_ms: int) -> pb.TableConfig:
    """A table at which nobody acts: its players are dealt in all the same."""
    return pb.TableConfig(
        name="Silenzio",
        preset="italiana",
        seats=2,
        min_buy_in=100,
        max_buy_in=100,
        turn_ms=turn_ms,
        pause_ms=0,
        away_after=100,
    )


async def live_table(grpc: str, client: Any, turn_ms: int) -> Fields:
    """The hash of a table whose first turn has just begun."""
    async with calling(grpc) as host:
        table_id = await host.create(silent_config(turn_ms))
        for name in ("anna", "bruno"):
            await host.as_player(name).sit(table_id)
        async with asyncio.timeout(20):
            while True:
                fields: Fields = client.hgetall(KEYS.table(table_id))
                stored = StoredTable.FromString(fields[b"s"])
                if stored.HasField("hand") and stored.turn == 3:  # players, cards, the first seat
                    return fields
                await asyncio.sleep(0.01)


def copied(
    client: Any, fields: Fields, name: str, count: int, *, due: Callable[[int], int], clock_ms: int
) -> list[str]:
    """`count` tables like that one, whose clocks of `clock_ms` are up when `due` says, in server ms."""
    stored = StoredTable.FromString(fields[b"s"])
    at = Place(int(fields[b"v"]), int(fields[b"l"]))
    ids = [f"{name}{number}" for number in range(count)]
    original = stored.table_id
    with client.pipeline(transaction=False) as pipe:
        for number, table_id in enumerate(ids):
            stored.table_id = table_id
            wait, ends = member(table_id, stored.turn), due(number)
            own = {b"s": resealed(original, fields, stored, at), b"member": wait}
            own |= {b"started": str(ends - clock_ms), b"deadline": str(ends)}
            pipe.hset(KEYS.table(table_id), mapping={**fields, **own})
            pipe.zadd(KEYS.deadlines(KEYS.partition(table_id)), {wait: ends})
        pipe.execute()
    return ids


@dataclass(frozen=True)
class Told:
    """A commit in a table's stream: the kinds of its events, and when it was made and its deadline is."""

    kinds: tuple[str, ...]
    turn: int
    at: int
    deadline: int


def told(client: Any, table_id: str) -> list[Told]:
    """What happened to a copy, in order."""
    found = []
    for _, entry in client.xrange(KEYS.events(table_id)):
        commit = commit_of(table_id, entry)
        kinds = tuple(str(event.WhichOneof("event")) for event in commit.events)
        found.append(Told(kinds, commit.turn, int(entry[b"n"]), int(entry[b"d"])))
    return found


def server_ms(client: Any) -> int:
    """The state server's clock."""
    seconds, micros = client.time()
    return int(seconds) * 1000 + int(micros) // 1000
