"""What traces cost: CPU time of the table process for an act over Play, with none, the default, and all.

Three local systems side by side, which take turns; where their spans go is a receiver in this process, whose
time is nobody's here.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from servito_local.system import LocalSystem
from tests.bench.measure import Row, interleaved
from tests.bench.rates.section import SERVER, sampled
from tests.tracing.collector import collecting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tests.bench.measure import Context

OFF: Final = "off"
RATIOS: Final = {OFF: None, "5%": "0.05", "all": "1"}


def measure(context: Context) -> Iterator[Row | str]:
    """Start the systems and take turns."""
    yield from asyncio.run(_measured(context))


async def _measured(context: Context) -> list[Row]:
    async with AsyncExitStack() as stack:
        received = stack.enter_context(collecting())
        systems = {}
        for name, ratio in RATIOS.items():
            settings = {} if ratio is None else received.settings | {"SERVITO_TRACES_RATIO": ratio}
            directory = Path(stack.enter_context(TemporaryDirectory()))
            system = LocalSystem(directory, environment=settings)
            systems[name] = await stack.enter_async_context(system)
        return await asyncio.to_thread(in_turn, context, systems)


def in_turn(context: Context, systems: Mapping[str, LocalSystem]) -> list[Row]:
    """Measure systems that run, by the names of RATIOS."""
    costs = interleaved(context, {name: _cost(context, system) for name, system in systems.items()})
    return [
        Row(
            f"Play, traces of {name} of what is done",
            costs[name],
            "traces off",
            costs[OFF],
            unit=" us an act",
            better="less",
        )
        for name in systems
        if name != OFF
    ]


def _cost(context: Context, system: LocalSystem) -> Callable[[], float]:
    return lambda: sampled(context, system, "play_client").cpu_us[SERVER]
