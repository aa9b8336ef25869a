"""Listening to a table without acting: the Watch stream, opened again wherever it broke.

Here: one generator. What a player does as well is in seat.py; both keep their place with updates.Cursor.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

from grpc import StatusCode, aio

from servito_client.connection import Connection
from servito_client.errors import Unanswered
from servito_client.updates import Cursor, Gap, Told


async def watch(
    connection: Connection, table_id: str, after_version: int | None, after_lineage: int = 0
) -> AsyncIterator[Told]:
    """Snapshots and updates, each version once. Ends only by `Refusal`, `Unanswered` or the listener."""
    cursor = Cursor(table_id, after_version, after_lineage)
    backoff = connection.backoff()
    while True:
        shown, led_on = connection.metadata, False
        stream = connection.stub.Watch(cursor.request(), metadata=(*shown, *connection.opening))
        try:
            async for response in stream:
                backoff.alive()
                for told in cursor.take(response):
                    yield told
                if led_on := response.HasField("goodbye"):
                    break
        except aio.AioRpcError as broken:
            await backoff.pause(connection.failure(broken, shown))
        except Gap as gap:
            await backoff.pause(Unanswered(StatusCode.DATA_LOSS, str(gap)))
        else:
            if led_on:
                await backoff.led_on()
            else:
                await backoff.pause(Unanswered(StatusCode.UNAVAILABLE, f"the stream of {table_id} ended"))
        finally:
            stream.cancel()
