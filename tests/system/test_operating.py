"""Tables and templates from the command line, against a whole system."""

from __future__ import annotations

import asyncio
import os
import subprocess

import pytest

from servito_client.client import Servito
from servito_local.chips import read_chips
from servito_local.system import LocalSystem
from tests.system.demo import SERVITO

pytestmark = [pytest.mark.system, pytest.mark.timeout(120)]


class Shell:
    """Runs the command as an operator of this system does."""

    def __init__(self, target: str) -> None:
        self._environment = {**os.environ, "SERVITO_TABLE_TARGET": target}

    async def __call__(self, *words: str, code: int = 0) -> str:
        """What it printed, on either output."""
        done = await asyncio.to_thread(self._run, *words)
        assert done.returncode == code, done
        assert "Traceback" not in done.stderr
        return (done.stdout + done.stderr).strip()

    def _run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command: list[str] = [str(SERVITO), *words]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=60, env=self._environment
        )

    async def until(self, said: str, *words: str) -> str:
        """Runs it until it says that."""
        for _ in range(40):
            if said in (shown := await self(*words)):
                return shown
        raise TimeoutError(f"it never said {said!r}")


async def test_a_table_is_made_paused_and_closed(system: LocalSystem) -> None:
    """Found by id and by name, listed as it is, refused to others with what is allowed; no chip is lost."""
    servito = Shell(system.target("table"))
    made = ("table", "create", "Ginestra", "--seats", "3", "--buy-in", "50..80", "--option", "ante=2")
    table_id = await servito(*made, "--no-spectators", "--set", "away_after=3", "--player", "olga")
    async with Servito(system.target("table"), player="anna") as anna:
        await anna.sit(table_id, buy_in=60)
        config = (await anna.table(table_id)).config
    assert (config.seats, config.options["ante"]) == (3, "2")
    assert (config.no_spectators, config.away_after) == (True, 3)
    refused = await servito("table", "pause", table_id, "--player", "eva", code=1)
    assert refused.startswith("NOT_PERMITTED: ")
    paused = await servito("table", "pause", "Ginestra", "--player", "olga")
    assert paused == f"{table_id} is paused: no new hand begins"
    assert "paused" in await servito("tables", "--name", "ginestra", "--status", "paused", "--ante", "2")
    again = await servito("table", "pause", table_id, "--player", "olga", code=1)
    assert again.startswith("NOTHING_TO_CHANGE: ")
    assert await servito("table", "resume", table_id, "--player", "olga") == f"{table_id} is open"
    assert await servito("table", "close", table_id, "--player", "olga") == f"{table_id} is closed"
    assert "Ginestra" not in await servito("tables", "--name", "Ginestra")
    assert "chiuso" in await servito("tables", "--name", "Ginestra", "--status", "closed", "--lang", "it")
    counted = {chips.table_id: chips for chips in read_chips(system.state_url).tables}
    assert (counted[table_id].in_play, counted[table_id].difference) == (0, 0)


async def test_templates_keep_tables_open(system: LocalSystem) -> None:
    """Put, listed, filled, deleted; what is wrong with a configuration is said in full."""
    servito = Shell(system.target("table"))
    bad = ("templates", "put", "w", "Sala", "--option", "draw.max=9")
    wrong = await servito(*bad, "--player", "olga", code=1)
    assert wrong.startswith("INVALID_CONFIG: draw.max: 9 is not allowed")
    said = await servito("templates", "put", "duo", "Duo", "--open", "2", "--seats", "2", "--player", "olga")
    assert said == "duo keeps 2 tables open (revision 1)"
    shown = await servito.until("Duo 2", "tables", "--template", "duo", "--free")
    assert "Duo 1" in shown
    async with Servito(system.target("table"), player="anna") as anna:
        first, *_ = [table async for table in anna.list_tables(template_id="duo")]
        await anna.sit(first.table_id, buy_in=60)
        await anna.acting_as("bea").sit(first.table_id, buy_in=60)
        await servito.until("Duo 3", "tables", "--template", "duo", "--free")
        assert "duo" in await servito("templates", "list")
        refused = await servito("templates", "delete", "duo", "--player", "eva", code=1)
        assert refused.startswith("NOT_PERMITTED: ")
        assert "is deleted" in await servito("templates", "delete", "duo", "--player", "olga")
        assert await servito("templates", "list") == "There is no template."
        await servito.until("There is no table.", "tables", "--template", "duo", "--free")
        for player in ("anna", "bea"):
            await anna.acting_as(player).stand(first.table_id)
    await servito.until("There is no table.", "tables", "--template", "duo")
    assert not read_chips(system.state_url).wrong
