"""`servito up`: the system in the foreground, its addresses, and nothing left of it afterwards."""

from __future__ import annotations

import asyncio
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from servito_client.client import Servito
from servito_client.messages import TableConfig
from tests.system.demo import wait_for

pytestmark = pytest.mark.system
SERVITO = Path(sys.executable).with_name("servito")


@pytest.mark.parametrize("ends", [signal.SIGINT, signal.SIGHUP])
def test_up_serves_at_the_addresses_it_prints_until_it_is_ended(tmp_path: Path, ends: signal.Signals) -> None:
    """A client finds the table service where the command says; Ctrl-C, and a terminal that is gone, end every
    process, with success.
    """
    out = tmp_path / "out.txt"
    with out.open("wb") as file:
        up = subprocess.Popen([SERVITO, "up", "--data", tmp_path / "data"], stdout=file, stderr=file)
    try:
        wait_for(lambda: "Ctrl-C" in out.read_text(), 30, out.read_text)
        parts = psutil.Process(up.pid).children(recursive=True)
        address = re.search(r"^ *table +grpc (\S+) +metrics \S+$", out.read_text(), re.MULTILINE)
        assert address is not None, out.read_text()
        asyncio.run(_use(address[1]))
        up.send_signal(ends)
        assert up.wait(30) == 0, out.read_text()
        assert not psutil.wait_procs(parts, timeout=10)[1]
    finally:
        up.kill()


async def _use(address: str) -> None:
    config = TableConfig(name="Sala", preset="italiana", seats=4, min_buy_in=10, max_buy_in=20, turn_ms=5000)
    async with Servito(address, player="anna") as servito:
        table_id = await servito.create_table(config)
        assert [table.table_id async for table in servito.list_tables()] == [table_id]
