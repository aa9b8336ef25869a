"""The doctor names tables whose seal is broken, which only the table service can see."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from servito_client.client import Servito
from servito_local.doctor.findings import Check, Kind, Severity
from servito_local.doctor.opening import opened
from servito_local.doctor.where import Whereabouts
from servito_local.system import LocalSystem
from servito_platform.keys import Keys
from servito_platform.settings import ServiceSettings, load_settings_from
from tests.doctor.found import looked
from tests.doctor.test_system import SLOW

pytestmark = [pytest.mark.system, pytest.mark.xdist_group("doctor")]

KEYS = Keys(64)


@pytest.fixture
async def tables(system: LocalSystem) -> list[str]:
    """Two tables at which nobody sits."""
    async with Servito(system.target("table"), player="olga") as servito:
        return [await servito.create_table(SLOW) for _ in range(2)]


async def test_a_broken_seal_is_named(where: Whereabouts, state: Any, tables: list[str]) -> None:
    """With what the service says of it; others are well. A later version, so that no process has it in its
    memory.
    """
    harmed, _ = tables
    key = KEYS.table(harmed)
    version, stored = state.hmget(key, "v", "s")
    state.hset(key, mapping={"v": int(version) + 1, "s": stored[:-1] + bytes((stored[-1] ^ 1,))})
    found = looked(where)[Check.OPENING]
    state.hset(key, mapping={"v": version, "s": stored})
    [told] = found.findings
    assert (told.kind, told.severity, told.facts["table"]) == (Kind.TABLE_NOT_OPENED, Severity.ERROR, harmed)
    assert "does not open" in str(told.facts["told"])
    assert looked(where)[Check.OPENING].findings == ()


async def test_there_is_an_end_to_asking(where: Whereabouts, tables: list[str]) -> None:
    """What was not asked for in time is counted."""
    settings = load_settings_from(ServiceSettings, where.environment)
    found = opened(where, settings, tables, enough=-1)
    assert (found.looked_at, [(each.kind, each.facts) for each in found.findings]) == (
        None,
        [(Kind.TABLES_LEFT, {"asked": 0, "all": 2})],
    )


async def test_without_a_service_it_is_not_said(
    where: Whereabouts, tables: list[str], tmp_path: Path
) -> None:
    """No address, nobody there, no token in the file: said to be not looked at, whatever else is told."""
    settings = load_settings_from(ServiceSettings, where.environment)
    nobody = replace(where, grpc={"table": ("127.0.0.1:1",)})
    unknown = replace(where, grpc={"dealer": ("127.0.0.1:1",)})
    tokenless = replace(where, environment={**where.environment, "SERVITO_TOKEN_FILE": str(tmp_path / "no")})
    told = [opened(each, settings, tables) for each in (nobody, unknown, tokenless)]
    assert [each.looked_at for each in told] == [None, None, None]
    assert [[found.kind for found in each.findings] for each in told] == [[], [], [Kind.TOKEN_UNREADABLE]]
