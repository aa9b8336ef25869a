"""`servito load`: the order of a run. A local system is started unless a target is named.

Of a named system only its calls can be measured; with its metrics pages and its state server also lateness,
refusals and chips."""

from __future__ import annotations

import asyncio
import json as json_format
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import redis

from servito_cli.alongside import unless_failed
from servito_cli.console import FAILED, UNUSABLE, complain, output
from servito_cli.interrupts import INTERRUPTED, run_interruptible
from servito_cli.load.figures import ChipsFound, Cost, LoadFigures, figures_of
from servito_cli.load.show import show
from servito_cli.load.system_side import MIB, Reading, costs
from servito_client.load.crowd import run_crowd
from servito_client.load.plan import LoadPlan
from servito_local.chips import read_chips
from servito_local.part import PartFailed
from servito_local.system import LocalSystem
from servito_local.usage import Usage
from servito_witness.chips import Chips

PLAYERS: Final = "players"
COUNT_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class Place:
    """Where the load goes, and what of the system can be read."""

    target: str
    pages: Sequence[str] = ()
    state_url: str | None = None
    system: LocalSystem | None = field(default=None, compare=False)

    def usage(self) -> Mapping[str, Usage]:
        """Of the processes that are ours to look at."""
        return {} if self.system is None else self.system.usage()


def run_load(plan: LoadPlan, processes: int, place: Place | None, json: Path | None) -> int:
    """Runs `plan` at `place`, or at a local system where there is none; the exit code."""
    try:
        if json is not None:  # found out now, not after the run
            json.write_text("", encoding="utf-8")
        figures = run_interruptible(_load(plan, processes, place))
    except (OSError, redis.RedisError) as unusable:
        complain(str(unusable))
        return UNUSABLE
    except PartFailed as failure:
        complain(str(failure))
        return FAILED
    if figures is None:
        return INTERRUPTED
    if json is not None:
        json.write_text(json_format.dumps(figures.as_json(), indent=2) + "\n", encoding="utf-8")
    show(figures, output())
    return FAILED if figures.failures else 0


async def _load(plan: LoadPlan, processes: int, place: Place | None) -> LoadFigures:
    if place is not None:
        return await _measured(plan, processes, place)
    with TemporaryDirectory(prefix="servito-load-") as data:
        async with LocalSystem(Path(data)) as system:
            addresses = system.addresses()
            pages = [
                where["metrics"] for part, where in addresses.items() if part.startswith(("table", "timers"))
            ]
            local = Place(system.target("table"), pages, system.state_url, system)
            return await unless_failed(
                system, _measured(replace(plan, target=local.target), processes, local)
            )


async def _measured(plan: LoadPlan, processes: int, place: Place) -> LoadFigures:
    before, used = await asyncio.to_thread(Reading.now, place.pages), place.usage()
    found: list[Chips] = []
    counting = asyncio.create_task(_count_again_and_again(place.state_url, found))
    try:
        tally = await run_crowd(plan, processes)
    finally:
        counting.cancel()
        await asyncio.gather(counting, return_exceptions=True)
    if place.state_url is not None:
        found.append(await asyncio.to_thread(read_chips, place.state_url))
    after = await asyncio.to_thread(Reading.now, place.pages)
    lateness, refusals = after.since(before)
    spent = costs(used, place.usage())
    spent[PLAYERS] = Cost(round(tally.cpu_seconds, 2), round(tally.resident_bytes / MIB, 1))
    return figures_of(
        plan,
        tally,
        refusals=refusals,
        lateness=lateness if place.pages else {},
        processes=spent,
        chips=_chips(found),
    )


async def _count_again_and_again(state_url: str | None, found: list[Chips]) -> None:
    """While hands run: a chip that is missing for a moment only is missing."""
    while state_url is not None:
        await asyncio.sleep(COUNT_SECONDS)
        found.append(await asyncio.to_thread(read_chips, state_url))


def _chips(found: Sequence[Chips]) -> ChipsFound | None:
    if not found:
        return None
    wrong = {table.table_id for chips in found for table in chips.wrong}
    last = found[-1]
    most = max(chips.in_play for chips in found)
    return ChipsFound(len(found), most, last.in_play, last.bought_in, sorted(wrong))
