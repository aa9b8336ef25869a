"""Which tables are stuck: read from their hashes and from the deadlines' sorted sets, past every service.

A table is stuck when a deadline of it is overdue by more than three seconds, counted from the end of the last
fault; when a deadline that it has is in no sorted set, so that nobody will ever end it; or when a hand waits
without any deadline. Here: the look at the server, and the judgement as a pure function.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_platform.clients import blocking_client
from servito_platform.place import read_place
from servito_platform.redis import send_each
from tests.chaos.history import KEYS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

OVERDUE_MS: Final = 3_000


@dataclass(frozen=True, slots=True)
class Waiting:
    """What a table waits for. `waits`: deadlines in server ms by the names of the sorted set's members."""

    table_id: str
    waits: Mapping[str, int]
    hand_runs: bool
    listed: frozenset[str]
    """Its members of the sorted set."""


def stuck(tables: Iterable[Waiting], now: int, quiet_since: int) -> list[str]:
    """Sentences about those that are stuck at `now`, with no fault since `quiet_since`; server ms."""
    found = []
    for table in tables:
        late = {name: now - max(due, quiet_since) for name, due in table.waits.items()}
        if overdue := [name for name, ms in late.items() if ms > OVERDUE_MS]:
            worst = max(late[name] for name in overdue)
            found.append(f"table {table.table_id}: {', '.join(overdue)} overdue by {worst} ms")
        if unlisted := sorted(set(table.waits) - table.listed):
            found.append(f"table {table.table_id}: {', '.join(unlisted)} in no sorted set")
        if table.hand_runs and not table.waits:
            found.append(f"table {table.table_id}: a hand waits without a deadline")
    return found


def look(state_url: str) -> tuple[int, list[Waiting]]:
    """The server's clock, and every open table. Raises redis errors. Blocking."""
    with blocking_client(read_place(state_url), 5.0) as client:
        now, found = 0, []
        for partition in range(KEYS.partitions):
            keys = [KEYS.tables(partition), KEYS.deadlines(partition)]
            ids = send_each(client, [(keys[0], ("ZRANGE", keys[0], 0, -1))])[0]
            if isinstance(ids, Exception):
                raise ids
            tables = [KEYS.table(name.decode()) for name in ids]
            names = [*keys, *tables]
            answer: Any = send_each(client, [(keys[0], ("EVAL", _LOOK, len(names), *names))])[0]
            if isinstance(answer, Exception):
                raise answer
            now = int(answer[0])
            members = [name.decode() for name in answer[1]]
            for name, fields in zip(ids, answer[2:], strict=True):
                if fields[3] is not None:
                    found.append(_waiting(name.decode(), fields, members))
        return now, found


_LOOK: Final = """
local time = redis.call('TIME')
local found = { time[1] * 1000 + math.floor(time[2] / 1000), redis.call('ZRANGE', KEYS[2], 0, -1) }
for i = 3, #KEYS do
  found[i] = redis.call('HMGET', KEYS[i], 'member', 'deadline', 'waits', 's')
end
return found
"""
"""Everything of a partition in one step: a table may not move on between two looks."""


def _waiting(table_id: str, fields: list[bytes | None], members: list[str]) -> Waiting:
    name, due, others = ((each or b"").decode() for each in fields[:3])
    table = store.StoredTable.FromString(fields[3] or b"")
    waits = {name: int(due)} if name else {}
    for wait in others.split():
        key, _, ends = wait.partition("=")
        waits[f"{table_id}:{key}"] = int(ends)
    runs = table.HasField("hand") and table.hand.phase not in (pb.PHASE_UNSPECIFIED, pb.PHASE_OVER)
    prefix = f"{table_id}:"
    return Waiting(table_id, waits, runs, frozenset(each for each in members if each.startswith(prefix)))
