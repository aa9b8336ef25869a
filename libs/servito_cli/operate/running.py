"""How operators' commands run and fail: the reason of a refusal and what the table service says about it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from servito_cli.console import FAILED, UNUSABLE, complain
from servito_cli.interrupts import INTERRUPTED, run_interruptible
from servito_cli.table.reaching import Unusable, connect, person, quiet_retries, target_of, who
from servito_cli.table.running import silent
from servito_client.client import Servito
from servito_client.errors import TableError


def run(work: Callable[[Servito], Coroutine[Any, Any, None]], target: str | None, player: str | None) -> int:
    """Runs `work` as `player`, by default who sits at this terminal; the exit code."""
    try:
        found = target_of(target)
    except ValueError as unusable:
        complain(str(unusable))
        return UNUSABLE
    quiet_retries()

    async def connected() -> int:
        async with connect(found, who(player, person())) as servito:
            await work(servito)
        return 0

    try:
        code = run_interruptible(connected())
    except TableError as failure:
        complain(f"{failure}{silent(failure, found)}")
        return FAILED
    except Unusable as unusable:
        complain(str(unusable))
        return UNUSABLE
    return INTERRUPTED if code is None else code
