"""Kill -9 of each part while a hand runs: it comes back at its address, and the hands go on."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from servito_client.client import Servito
from servito_local.chips import read_chips
from servito_local.system import LocalSystem
from tests.local.parts import until
from tests.system.background import Background
from tests.system.processes import kill
from tests.system.tables import next_expiries, silent_table

pytestmark = pytest.mark.system


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSystem]:
    """A system whose parts may be killed."""
    with Background(LocalSystem(tmp_path_factory.mktemp("mortal"))) as background:
        yield background.system


@pytest.mark.parametrize("name", ["timers", "table", "dealer", "evaluator", "broker", "state"])
async def test_killed_part_comes_back_and_hands_go_on(mortal: LocalSystem, name: str) -> None:
    """A table that was playing when the part was killed plays on to the end of another hand, no chip lost."""
    async with Servito(mortal.target("table")) as servito:
        table_id = await silent_table(servito)
        await next_expiries(servito, table_id)
        if name == "state":
            await asyncio.sleep(1.1)  # what was acknowledged is on disk after a second
        address, restarts = mortal.addresses()[name], mortal.restarts[name]
        pid = await kill(mortal, name)
        await until(lambda: mortal.pids().get(name, pid) != pid, 30)
        assert mortal.addresses()[name] == address
        assert mortal.restarts[name] == restarts + 1
        await next_expiries(servito, table_id, turns=2, hands=1)
    chips = await asyncio.to_thread(read_chips, mortal.state_url)
    assert chips.wrong == ()
    assert {table.table_id: table.in_play for table in chips.tables}[table_id] == 400
