"""Fuzzed requests against the running processes: every one of them is answered in time and by the contract,
memory stays bounded, and the tables go on as if nothing had been.

`make test` sends two hundred to each rpc; `make fuzz` sends 10,000 (FUZZ_REQUESTS), from another seed if
FUZZ_SEED is set. A failure names the bytes that were sent.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Iterator
from typing import Final
from urllib.request import urlopen

import psutil
import pytest

from servito.table.v1 import table_pb2 as pb
from servito_local.chips import read_chips
from tests.contract.cases.maintenance import off
from tests.contract.fuzz.siege import Siege
from tests.contract.promises import TABLE, promises
from tests.contract.registry import registry
from tests.contract.services import Services, services, staged
from tests.contract.stage import Stage
from tests.table.playing import play_by_calls

REQUESTS: Final = int(os.environ.get("FUZZ_REQUESTS", "200"))
SEED: Final = int(os.environ.get("FUZZ_SEED", "1"))
MEBIBYTE: Final = 2**20
GROWTH: Final = 40 * MEBIBYTE
"""How much more a process may hold after all requests of one rpc: tables that it remembers, buffers, and what
the allocator keeps.
"""
PLAIN: Final = (pb.ACTION_KIND_PASS, pb.ACTION_KIND_CHECK, pb.ACTION_KIND_FOLD, pb.ACTION_KIND_DRAW)
"""Actions without an amount, one of which is always offered."""
SOON_MS: Final = 1_000
"""With less a player may be too late on a busy machine: that turn is left to the timers."""
_log = logging.getLogger(__name__)


@pytest.fixture(scope="module")
def besieged() -> Iterator[Services]:
    """Services of this module's own: what is left of them afterwards is of no use to others."""
    with services() as running:
        yield running


@pytest.fixture
async def stage(besieged: Services) -> AsyncIterator[Stage]:
    """Connections to them."""
    async with staged(besieged) as stage:
        yield stage


@pytest.mark.timeout(60 + REQUESTS / 20)
@pytest.mark.parametrize("rpc", promises())
async def test_every_request_is_answered_by_the_contract(stage: Stage, besieged: Services, rpc: str) -> None:
    """No internal error, no unknown one, no call past its deadline, no refusal that is not documented or has
    no reason; memory stays in its bound.
    """
    if rpc not in registry().successes:
        pytest.fail(f"no case of success of {rpc}: write @succeeds({rpc!r}) in tests/contract/cases")
    siege = Siege(stage, promises()[rpc], SEED)
    await siege.run(REQUESTS // 10)
    before = resident(besieged)
    await siege.run(REQUESTS)
    growth = {name: (held - before[name]) / MEBIBYTE for name, held in resident(besieged).items()}
    _log.info("%s; MiB more: %s", siege.outcomes, {name: round(more, 1) for name, more in growth.items()})
    assert not siege.outcomes.faults, "\n".join(siege.outcomes.faults)
    assert siege.outcomes.counted["OK"] > 0, f"no request came through: {siege.outcomes}"
    assert all(more * MEBIBYTE < GROWTH for more in growth.values()), growth
    if rpc == "SetMaintenance":  # what was drawn turned it on as well: no hand would begin any more
        await stage.ask(promises()[rpc], off())
    if promises()[rpc].service == TABLE:
        await go_on(stage, siege.tables)
        page = await asyncio.to_thread(metrics_page, besieged)
        assert not [table_id for table_id in siege.tables if table_id in page], (
            "a label that requests make up"
        )


async def test_the_tables_go_on(stage: Stage, besieged: Services) -> None:
    """After all of it every chip is there, and a new table is played as always."""
    assert read_chips(besieged.state_url).wrong == ()
    seats = await stage.seated(3)
    players = [stage.table.as_player(player) for player in seats.players]
    table = await play_by_calls(seats.table_id, players, 2)
    assert table.hand.number > 2
    assert read_chips(besieged.state_url).wrong == ()


async def go_on(stage: Stage, tables: set[str]) -> None:
    """At some of the tables that were fuzzed: whoever is to act may, and his action moves the table; where
    his time is up, the timers move it.
    """
    timers = stage.table.as_player("service:timers")
    for table_id in sorted(tables)[:10]:
        view = await stage.view(table_id)
        if not view.hand.HasField("to_act"):
            continue
        if view.hand.remaining_ms < SOON_MS:
            result: list[int] = [pb.EXPIRE_RESULT_NOT_DUE]
            async with asyncio.timeout(20):
                while result == [pb.EXPIRE_RESULT_NOT_DUE]:
                    result = await timers.expire(f"{table_id}:{view.hand.turn_id}")
            assert result == [pb.EXPIRE_RESULT_EXPIRED]
        else:
            player = next(own.player for own in view.seats if own.seat == view.hand.to_act)
            offer = (await stage.view(table_id, player)).hand.offer
            kind = next(legal.kind for legal in offer.actions if legal.kind in PLAIN)
            await stage.table.as_player(player).act(table_id, offer.turn_id, pb.Action(kind=kind))
        assert (await stage.view(table_id)).version > view.version


def metrics_page(running: Services) -> str:
    """What the table process counts."""
    with urlopen(f"http://{running.table.metrics}/metrics", timeout=20) as answer:
        text: str = answer.read().decode()
        return text


def resident(running: Services) -> dict[str, int]:
    """Bytes that each process holds, by what it is."""
    return {name: psutil.Process(pid).memory_info().rss for name, pid in running.pids.items()}
