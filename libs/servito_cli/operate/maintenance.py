"""`servito maintenance on|off|status`.

What it prints is for the engineer who is about to work on the system: who changed it and when, how many
tables follow, and whether a hand still runs anywhere.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from servito_cli.console import FAILED, output
from servito_cli.operate.running import run
from servito_cli.table.reaching import TOKEN_FILE, person, who
from servito_client.client import Servito
from servito_client.messages import MaintenanceChange

EVERY: Final = 0.5
NAMED: Final = 5
"""Tables that are named, of those that are waited for."""
_UNITS: Final = ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s"))


@dataclass
class Count:
    """Tables that are not closed: how many, and the ids of those that are waited for."""

    tables: int = 0
    held: int = 0
    running: list[str] = field(default_factory=list)
    behind: list[str] = field(default_factory=list)
    """Not held while it is on, or held while it is off."""

    def done(self, *, on: bool) -> bool:
        """Every table follows, and no hand runs where none may."""
        return not self.behind and not (on and self.running)


def run_set(on: bool, why: str, wait: float, target: str | None, player: str | None) -> int:
    """Turns it on or off, and waits for so many seconds until it is so everywhere; the exit code."""
    late = False

    async def change(servito: Servito) -> None:
        nonlocal late
        now = await servito.set_maintenance(on=on, why=why)
        output().print(_said(now), markup=False, highlight=False)
        if not wait:
            return
        until, count = monotonic() + wait, await counted(servito, on=on)
        while not count.done(on=on) and monotonic() < until:
            await asyncio.sleep(EVERY)
            count = await counted(servito, on=on)
        late = not count.done(on=on)
        _show(count, on=on)

    code = run(change, target, _operator(player))
    return FAILED if late and not code else code


def run_status(target: str | None, player: str | None) -> int:
    """Whether it is on, how far tables follow, and the latest changes; the exit code."""

    async def show(servito: Servito) -> None:
        on, changes = await servito.maintenance()
        output().print(_said(changes[0]) if changes else "maintenance is off", markup=False, highlight=False)
        _show(await counted(servito, on=on), on=on)
        for change in changes[1:]:
            output().print(f"  before: {_said(change)}", markup=False, highlight=False)

    return run(show, target, _operator(player))


async def counted(servito: Servito, *, on: bool) -> Count:
    """Looks at every table that is not closed."""
    count = Count()
    async for table in servito.list_tables(page_size=200):
        count.tables += 1
        count.held += table.maintenance
        if table.hand_running:
            count.running.append(table.table_id)
        if table.maintenance is not on:
            count.behind.append(table.table_id)
    return count


def _show(count: Count, *, on: bool) -> None:
    say = f"tables {count.tables}, held {count.held}, hands running {len(count.running)}"
    waited = count.running or count.behind if on else count.behind
    if waited:
        more = " ..." if len(waited) > NAMED else ""
        say += f" (waiting for {' '.join(waited[:NAMED])}{more})"
    output().print(say, markup=False, highlight=False, soft_wrap=True)


def _said(change: MaintenanceChange) -> str:
    state = "on: no new hand is dealt" if change.on else "off"
    if not change.by:
        return f"maintenance is {state}"
    why = f" ({change.why})" if change.why else ""
    return f"maintenance is {state}; by {change.by}, {_ago(change.age_ms)} ago{why}"


def _ago(ms: int) -> str:
    for size, unit in _UNITS:
        if ms >= size:
            return f"{ms // size} {unit}"
    return "0 s"


def _operator(player: str | None) -> str:
    """Who asks: a development identity is an operator here, a signed token says so itself."""
    name = who(player, person())
    return name if TOKEN_FILE in os.environ else f"operator:{name}"
