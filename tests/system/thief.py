"""Takes one chip out of a running table, as a fault in the code that moves chips would: by a correct commit.

The state is read, one stack is made smaller, and state, version and an empty commit are written in one
transaction that fails if anybody was quicker; the state is sealed with the key of the table service. So every
process of the system believes what it reads. No journal entry: a chip vanishes."""

from __future__ import annotations

from typing import Any

import redis

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_platform.keys import Keys
from servito_table.app.commits import Place
from tests.table.opened import resealed

KEYS = Keys(64)
RICH = 20
"""Only a seat with as many chips left is robbed, so that its offers stay what they were."""
ATTEMPTS = 500


def steal_a_chip(state_url: str, keys: str) -> str:
    """Takes a chip from a seat that is in a hand and not to act; the id of the table. `keys`: the table's."""
    with redis.Redis.from_url(state_url) as client:
        for _ in range(ATTEMPTS):
            for partition in range(KEYS.partitions):
                for table_id in client.zrange(KEYS.tables(partition), 0, -1):
                    if _rob(client, partition, table_id.decode(), keys):
                        return str(table_id.decode())
    raise AssertionError(f"no chip could be taken in {ATTEMPTS} rounds")


def _rob(client: redis.Redis, partition: int, table_id: str, keys: str) -> bool:
    with client.pipeline() as pipe:
        pipe.watch(KEYS.table(table_id), KEYS.events(table_id))
        held: Any = pipe.hgetall(KEYS.table(table_id))
        entries: Any = pipe.xrevrange(KEYS.events(table_id), count=1)
        table = store.StoredTable.FromString(held[b"s"])
        victim = _victim(table)
        if victim is None:
            return False
        victim.stack -= 1
        now = int(held[b"v"]) + 1
        commit = store.StoredCommit(version=now, turn=table.turn)
        stolen = resealed(table_id, held, table, Place(now, int(held[b"l"])), keys)
        pipe.multi()
        pipe.hset(KEYS.table(table_id), mapping={"s": stolen, "v": now})
        pipe.xadd(KEYS.events(table_id), entries[0][1] | {b"c": commit.SerializeToString()}, id=f"{now}-0")
        pipe.execute_command("SPUBLISH", KEYS.wakeups(partition), f"{table_id} {now}")
        try:
            pipe.execute()
        except redis.WatchError:
            return False
        return True


def _victim(table: store.StoredTable) -> store.StoredPlayer | None:
    hand = table.hand
    betting = hand.phase in (pb.PHASE_OPENING, pb.PHASE_FIRST_ROUND, pb.PHASE_SECOND_ROUND)
    if not betting or not hand.HasField("to_act"):
        return None
    return next(
        (p for index, p in enumerate(hand.players) if index != hand.to_act and p.stack > RICH and not p.left),
        None,
    )
