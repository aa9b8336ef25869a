"""What somebody is told of a table."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from servito.table.v1 import table_pb2 as pb

if TYPE_CHECKING:
    from tests.table.caller import Caller


async def told(caller: Caller, table_id: str, after: int, until: int = 0) -> list[pb.TableUpdate]:
    """The commits behind a version as the caller is told them, up to the current one or to that one."""
    until = until or (await caller.table(table_id)).version
    stream: Any = caller.stub.Watch(
        pb.WatchRequest(table_id=table_id, after_version=after), metadata=caller.metadata, timeout=30
    )
    found: list[pb.TableUpdate] = []
    async with asyncio.timeout(20):
        while not found or found[-1].version < until:
            message = await stream.read()
            assert not message.HasField("snapshot"), message
            found += message.updates
    stream.cancel()
    return found


def events_of(updates: list[pb.TableUpdate], kind: str) -> list[Any]:
    """All events of a kind among them."""
    events = [event for update in updates for event in update.events]
    return [getattr(event, kind) for event in events if event.HasField(kind)]  # type: ignore[arg-type]  # a name
