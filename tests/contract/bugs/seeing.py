"""What somebody is shown of a table, and the cards in it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from servito.table.v1 import table_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

    from tests.table.caller import Caller

CARDS = {"cards", "discards"}


async def told(caller: Caller, table_id: str, after: int, until: int = 0) -> list[pb.TableUpdate]:
    """The commits behind a version as the caller is told them, up to the current one or to that one."""
    until = until or (await caller.table(table_id)).version
    stream: Any = caller.stub.Watch(
        pb.WatchRequest(table_id=table_id, after_version=after), metadata=caller.metadata, timeout=10
    )
    found: list[pb.TableUpdate] = []
    async with asyncio.timeout(10):
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


def cards_in(message: Message) -> Iterator[int]:
    """Every card that a message names, wherever it stands."""
    for field, value in message.ListFields():
        if field.name in CARDS:
            yield from value
        elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for part in value if field.is_repeated else (value,):
                yield from cards_in(part)
