"""Maintenance under play, with two replicas of everything: on, everything restarted, off, and play goes
on.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path

import pytest

from servito_client.client import Servito
from servito_client.messages import HandStarted, TableSummary
from servito_client.updates import Snapshot, Update
from servito_local.chips import read_chips
from servito_local.doctor.examine import examine
from servito_local.doctor.findings import Kind, Severity
from servito_local.doctor.where import Whereabouts
from servito_local.layout import SERVICES
from servito_local.system import LocalSystem
from servito_platform.metrics_page import read_page
from tests.local.parts import until
from tests.system.demo import SERVITO
from tests.system.playing import more_hands, playing

pytestmark = [pytest.mark.system, pytest.mark.timeout(240)]

TABLES = 3


async def command(system: LocalSystem, *words: str, code: int = 0) -> str:
    """What `servito maintenance` says."""
    environment = {**os.environ, "SERVITO_TABLE_TARGET": system.target("table")}
    done = await asyncio.to_thread(
        subprocess.run,
        [str(SERVITO), "maintenance", *words, "--player", "olga"],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        timeout=90,
    )
    assert done.returncode == code, done
    return str(done.stdout)


async def tables(servito: Servito) -> list[TableSummary]:
    """As anybody may list them."""
    return [table async for table in servito.list_tables()]


async def quiet(servito: Servito) -> None:
    """Every table is held, no hand runs, and for two seconds none begins."""
    numbers = {table.table_id: table.hands for table in await tables(servito)}
    await asyncio.sleep(2)
    now = await tables(servito)
    assert all(table.maintenance and not table.hand_running for table in now)
    assert {table.table_id: table.hands for table in now} == numbers


async def replaced(system: LocalSystem) -> None:
    """Every process of every service, all at once."""
    parts = [f"{service}-{number}" for service in SERVICES for number in (1, 2)]
    before = system.pids()
    for part in parts:
        os.kill(before[part], 15)
    await until(lambda: all(system.pids().get(part, before[part]) != before[part] for part in parts), 90)


async def test_hands_end_nothing_begins_and_play_goes_on(tmp_path: Path) -> None:
    """On: within the length of a hand none runs anywhere, everybody sits where he sat, chips agree, people
    come and are cashed out. Every process is replaced, and it holds. Off: hands begin by themselves.
    """
    system = LocalSystem(tmp_path, replicas=dict.fromkeys(SERVICES, 2))
    async with system, playing(system.target("table"), TABLES) as played:
        await until(lambda: len(played.hands) == TABLES and min(played.hands.values()) > 0, 60)
        async with Servito(system.target("table"), player="eva") as eva:
            said = await command(system, "on", "--why", "new kernel", "--wait", "60")
            assert said.startswith("maintenance is on: no new hand is dealt; by olga, ")
            assert f"tables {TABLES}, held {TABLES}, hands running 0" in said
            await quiet(eva)
            chips = await asyncio.to_thread(read_chips, system.state_url)
            assert chips.wrong == ()
            view = await eva.table(played.tables[0])
            assert view.maintenance
            assert len(view.seats) == 3
            fresh = await eva.create_table(view.config)
            await eva.sit(fresh, buy_in=60)
            await eva.acting_as("ugo").sit(fresh, buy_in=60)
            assert await eva.stand(fresh) == 60

            await replaced(system)
            await quiet(eva)
            assert await pages(system) == [1.0, 1.0]
            found = await asyncio.to_thread(examined, system)
            assert found == {Kind.MAINTENANCE_ON: Severity.NOTE}
            await eva.sit(fresh, buy_in=60)

            await command(system, "off", "--wait", "30")
            await more_hands(played, 2)
            await a_hand_begins(eva, fresh)
            assert not any(table.maintenance for table in await tables(eva))
            assert await pages(system) == [0.0, 0.0]
            status = await command(system, "status")
            assert "maintenance is off; by olga" in status
            assert "before: maintenance is on: no new hand is dealt; by olga" in status
            assert "(new kernel)" in status
    assert played.late == 0


async def pages(system: LocalSystem) -> list[float]:
    """What both table processes say on their metrics pages."""
    found = [system.addresses()[f"table-{number}"]["metrics"] for number in (1, 2)]
    return [read_page(address).total("servito_table_maintenance") for address in found]


async def a_hand_begins(servito: Servito, table_id: str) -> None:
    """At a table where nobody does anything."""
    async with asyncio.timeout(20):
        async for told in servito.watch(table_id):
            begun = isinstance(told, Update) and any(isinstance(event, HandStarted) for event in told.events)
            if begun or (isinstance(told, Snapshot) and told.table.hand.number):
                return


def examined(system: LocalSystem) -> dict[Kind, Severity]:
    """What the doctor finds about maintenance."""
    where = Whereabouts(
        {"SERVITO_STATE_URL": system.state_url, "SERVITO_BROKER_URL": system.broker_url}, {}, {}
    )
    kinds = (Kind.MAINTENANCE_ON, Kind.MAINTENANCE_BEHIND)
    report = examine(where, patience=10)
    return {finding.kind: finding.severity for finding in report.findings if finding.kind in kinds}
