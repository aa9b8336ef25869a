"""`servito table create|pause|resume|close`."""

from __future__ import annotations

from typing import Final, Literal

from servito_cli.console import output
from servito_cli.operate.running import run
from servito_cli.table.reaching import find_table
from servito_client.client import Servito
from servito_client.messages import TableConfig, TableStatus

Step = Literal["pause", "resume", "close"]

_SAID: Final = {
    TableStatus.TABLE_STATUS_OPEN: "open",
    TableStatus.TABLE_STATUS_PAUSED: "paused: no new hand begins",
    TableStatus.TABLE_STATUS_CLOSING: "closing when the hand that runs is over",
    TableStatus.TABLE_STATUS_CLOSED: "closed",
}


def run_create(config: TableConfig, target: str | None, player: str | None) -> int:
    """Makes a table and prints its id; the exit code."""

    async def create(servito: Servito) -> None:
        output().print(await servito.create_table(config))

    return run(create, target, player)


def run_step(step: Step, table: str, target: str | None, player: str | None) -> int:
    """Pauses, resumes or closes the table of that id or name, and prints how it is then; the exit code."""

    async def take(servito: Servito) -> None:
        table_id = await find_table(servito, table)
        steps = {"pause": servito.pause_table, "resume": servito.resume_table, "close": servito.close_table}
        version = await steps[step](table_id)
        view = await servito.table(table_id, min_version=version)
        output().print(f"{table_id} is {_SAID[view.status]}", markup=False)

    return run(take, target, player)
