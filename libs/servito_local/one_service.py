"""One service of ours alone, as long as somebody asks it: a stateless one, which needs no server beside it.

    async with one_service("evaluator", Path(directory)) as target:
        channel = open_channel(target, ...)

Not here: the whole system (system.py).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from servito_local.keeper import Keeper
from servito_local.layout import RANKS
from servito_local.ports import Reservations
from servito_local.services import service, target
from servito_local.supervisor import Supervisor

_KEEPER_GRACE: Final = 1.0
"""Seconds that the service gets to stop by itself after this process was killed."""


@asynccontextmanager
async def one_service(name: str, directory: Path) -> AsyncIterator[str]:
    """What a gRPC client connects to, once the service `name` serves; it is gone when the context is left.

    Logs go to `directory`, which has to exist. PartFailed if the service does not start.
    """
    with Reservations() as reservations:
        port, metrics_port = reservations.reserve(), reservations.reserve()
        part = service(
            name,
            f"servito_{name}",
            grpc_port=port,
            metrics_port=metrics_port,
            environment=os.environ,
            log=directory / f"{name}.log",
            rank=RANKS[name],
        )
        keeper = Keeper(directory / "keeper.log", grace=_KEEPER_GRACE)
        supervisor = Supervisor(keeper)
        try:
            await supervisor.start(part)
            yield target([port])
        finally:
            await supervisor.stop()
            await asyncio.to_thread(keeper.close)
