"""What may be wrong with the world while a request is on its way, and is right again afterwards.

All of it is done to the state server from outside; the services are told nothing.
"""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.contract.stage import Stage


@asynccontextmanager
async def frozen(stage: Stage) -> AsyncIterator[None]:
    """The state server is stopped in its tracks: what is sent to it is not answered, and done later."""
    os.kill(stage.server_pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(stage.server_pid, signal.SIGCONT)


@asynccontextmanager
async def without_memory(stage: Stage) -> AsyncIterator[None]:
    """The state server refuses whatever would write, before it begins."""
    await stage.state.config_set("maxmemory", 1)
    try:
        yield
    finally:
        await stage.state.config_set("maxmemory", 0)


@asynccontextmanager
async def unsteady(stage: Stage, table_id: str) -> AsyncIterator[None]:
    """The version of the table is never the one that was read, as if others had always been quicker: it is
    stored in a form that no writer produces and that every reader understands.
    """
    held = await stage.stored(table_id)
    key = stage.keys.table(table_id)
    await stage.state.hset(key, "v", b"0" + held[b"v"])
    try:
        yield
    finally:
        await stage.state.hset(key, "v", held[b"v"])


@asynccontextmanager
async def unreadable(stage: Stage, table_id: str) -> AsyncIterator[None]:
    """What is stored of the table is no table, and newer than what anybody remembers of it."""
    held = await stage.stored(table_id)
    key = stage.keys.table(table_id)
    await stage.state.hset(key, mapping={"s": b"\xff\xff", "v": b"%d" % (int(held[b"v"]) + 1)})
    try:
        yield
    finally:
        await stage.state.hset(key, mapping={"s": held[b"s"], "v": held[b"v"]})
