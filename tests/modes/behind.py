"""A state in each way of running it, with a proxy between its server and everybody."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager, closing
from functools import partial
from typing import TYPE_CHECKING

from servito_local.ports import HOST, Reservations
from servito_platform.place import Mode
from tests.modes.servers import MASTER, Sentinel, Server
from tests.modes.until import until
from tests.platform.proxy import Proxy, proxy_to

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


@asynccontextmanager
async def behind_proxy(mode: Mode, directory: Path) -> AsyncIterator[tuple[str, Server, Proxy]]:
    """The address of a state whose server is known to everybody by the port of a proxy; both."""
    async with AsyncExitStack() as stack:
        ports = stack.enter_context(Reservations())
        port, bus = ports.reserve(), str(ports.reserve())
        proxy = await stack.enter_async_context(proxy_to(port))
        start = partial(Server, port, directory / "s")
        if mode is Mode.CLUSTER:
            known_as = {"cluster_announce_port": str(proxy.port), "cluster_announce_ip": HOST}
            start = partial(start, cluster_enabled="yes", cluster_port=bus, **known_as)
        server = stack.enter_context(closing(await asyncio.to_thread(start)))
        address = f"{HOST}:{proxy.port}"
        url = f"redis://{address}/0"
        match mode:
            case Mode.SENTINEL:
                watched = ports.reserve()
                sentinel = await asyncio.to_thread(Sentinel, watched, directory / "w", proxy.port)
                stack.enter_context(closing(sentinel))
                url = f"redis+sentinel://{HOST}:{watched}/{MASTER}/0"
                await asyncio.to_thread(
                    until, lambda: not sentinel.client.sentinel_masters()[MASTER]["is_sdown"]
                )
            case Mode.CLUSTER:
                server.client.execute_command("CLUSTER", "ADDSLOTSRANGE", 0, 16383)
                await asyncio.to_thread(until, lambda: server.client.cluster("INFO")["cluster_state"] == "ok")
                url = f"redis+cluster://{address}"
        yield url, server, proxy
