"""The witness on the state server: reads a partition in one transaction and counts, by servito_witness.

Runs in the look's thread with a client of its own. Logs name tables, never a card; metrics do not even that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import structlog
from google.protobuf.message import DecodeError

from servito.table.v1 import store_pb2
from servito_platform.clients import BlockingClient
from servito_platform.keys import Keys
from servito_platform.redis import StateUnavailable, unavailable_on_no_answer
from servito_timers.app.look import Sight
from servito_timers.app.ports import StateAway
from servito_witness.chips import TableChips, counted
from servito_witness.hands import runs, stands_still
from servito_witness.stored import Partition, StoredHash, read_partition

STUCK_SECONDS: Final = 30.0
"""A table whose deadline is due for so long stands still: nobody is this late."""
OVERDUE_MS: Final = 1_000
"""A deadline that is due for so long, and that nobody has claimed."""

_T = TypeVar("_T")
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class RedisWitness:
    """See `app.look.Witness`; `worker` is this worker's own name, `hold_seconds` the time of its claim."""

    def __init__(self, client: BlockingClient, keys: Keys, *, worker: str, hold_seconds: float) -> None:
        self._client = client
        self._keys = keys
        self._worker = worker
        self._hold_ms = round(hold_seconds * 1000)

    def mine(self) -> bool:
        """See Witness."""
        return _answered(self._mine)

    def look(self, partition: int) -> Sight:
        """See Witness."""

        return _seen(_answered(lambda: read_partition(self._client, self._keys, partition)))

    def _mine(self) -> bool:
        key = self._keys.looker_of_all()
        if self._client.set(key, self._worker, nx=True, px=self._hold_ms):
            return True
        if self._client.get(key) != self._worker.encode():
            return False
        # It may run out in between: then two look for a while, which changes nothing.
        return bool(self._client.pexpire(key, self._hold_ms))


def _answered(ask: Callable[[], _T]) -> _T:
    try:
        with unavailable_on_no_answer():
            return ask()
    except (StateUnavailable, RuntimeError) as error:  # or tables came and went too quickly to be read
        raise StateAway from error


def _seen(partition: Partition) -> Sight:
    tables, unreadable = _states(partition)
    chips, unreadable_chips = _chips(partition)
    wrong = [table for table in chips if table.difference]
    for table in wrong:
        _log.critical(
            "chips_differ",
            table=table.table_id,
            in_play=table.in_play,
            bought_in=table.bought_in,
            difference=table.difference,
        )
    stuck = [
        table.table_id for table, state in tables if stands_still(partition, table, state, STUCK_SECONDS)
    ]
    for name in stuck:
        _log.error("table_stands_still", table=name)
    return Sight(
        tables=len(partition.tables),
        hands=sum(runs(state) for _, state in tables),
        stuck=len(stuck),
        deadlines=len(partition.deadlines),
        overdue=sum(score < partition.now - OVERDUE_MS for score in partition.deadlines.values()),
        in_play=sum(table.in_play for table in chips),
        bought_in=sum(table.bought_in for table in chips),
        difference=sum(abs(table.difference) for table in wrong),
        unreadable=unreadable + unreadable_chips,
    )


def _states(partition: Partition) -> tuple[list[tuple[StoredHash, store_pb2.StoredTable]], int]:
    """What can be read, and how much cannot."""
    found, unreadable = [], 0
    for table in partition.tables:
        try:
            found.append((table, store_pb2.StoredTable.FromString(table.state or b"")))
        except DecodeError:
            unreadable += 1
            _log.critical("table_unreadable", table=table.table_id)
    return found, unreadable


def _chips(partition: Partition) -> tuple[list[TableChips], int]:
    """None of a partition of which something cannot be read; 1 then."""
    try:
        return list(counted(partition)), 0
    except DecodeError:
        _log.critical("chips_unreadable", partition=partition.number)
        return [], 1
