"""What traces cost: CPU time of the table process for an act over Play, with none, the default, and all.

Three local systems side by side, which take turns; where their spans go is a receiver in this process, whose
time is nobody's here.
"""

from __future__ import annotations

import asyncio
import json
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from servito_local.system import LocalSystem
from tests.bench.measure import Row, interleaved
from tests.bench.rates.section import SECONDS, SERVER, _client
from tests.tracing.collector import collecting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.bench.measure import Context

OFF: Final = "off"
RATIOS: Final = {OFF: None, "5%": "0.05", "all": "1"}


def measure(context: Context) -> Iterator[Row | str]:
    """Start the systems and take turns."""
    costs = asyncio.run(_measured(context))
    for name in RATIOS:
        if name != OFF:
            what = f"Play, traces of {name} of what is done"
            yield Row(what, costs[name], "traces off", costs[OFF], unit=" us an act", better="less")


async def _measured(context: Context) -> dict[str, list[float]]:
    async with AsyncExitStack() as stack:
        received = stack.enter_context(collecting())
        works = {}
        for name, ratio in RATIOS.items():
            settings = {} if ratio is None else received.settings | {"SERVITO_TRACES_RATIO": ratio}
            directory = Path(stack.enter_context(TemporaryDirectory()))
            works[name] = _cost(await stack.enter_async_context(LocalSystem(directory, environment=settings)))
        return await asyncio.to_thread(interleaved, context, works)


def _cost(system: LocalSystem) -> Callable[[], float]:
    target, pids = system.target("table"), json.dumps(system.pids())
    return lambda: _client("play_client", target, str(SECONDS), pids).cpu_us[SERVER]
