"""The doctor names tables whose seal is broken, which only the table service can see."""

from __future__ import annotations

from dataclasses import replace
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


async def test_it_cannot_always_be_made(where: Whereabouts, tables: list[str]) -> None:
    """No address, or nobody there: not looked at; what is told of the services says why."""
    settings = load_settings_from(ServiceSettings, where.environment)
    nobody = replace(where, grpc={"table": ("127.0.0.1:1",)})
    unknown = replace(where, grpc={"dealer": ("127.0.0.1:1",)})
    told = [opened(each, settings, tables) for each in (nobody, unknown)]
    assert [(each.looked_at, each.findings) for each in told] == [(None, ())] * 2
