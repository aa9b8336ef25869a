"""A whole local system archives what is played, and its archive is verified and read by the command."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from sqlalchemy import text

from servito_client.client import Servito
from servito_history.address import file_url
from servito_history.errors import HistoryAway, HistoryUnusable
from servito_history.reading import open_history
from servito_local.chips import read_chips
from servito_local.history_file import HISTORY
from servito_local.seal_key import seal_key
from servito_local.system import LocalSystem
from tests.history.tampering import unguarded
from tests.modes.until import until
from tests.system.background import Background
from tests.system.tables import QUICK, silent_table

HANDS = 3


@pytest.fixture(scope="module")
def system(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSystem]:
    """One that runs."""
    with Background(LocalSystem(tmp_path_factory.mktemp("history"))) as background:
        yield background.system


@pytest.fixture(scope="module")
def data(system: LocalSystem) -> Path:
    """Its directory, once some hands were played there and archived."""
    return system._data_dir


@pytest.fixture(scope="module")
def table(system: LocalSystem, data: Path) -> str:
    """A table at which hands end by the clock; as soon as some of them are archived."""

    async def opened() -> str:
        async with Servito(system.target("table")) as servito:
            return await silent_table(servito, config=QUICK)

    table = asyncio.run(opened())

    def archived() -> bool:
        try:
            with open_history(file_url(data / HISTORY)) as history:
                return sum(bool(row.record) for row in history.rows(table)) >= HANDS
        except (HistoryUnusable, HistoryAway):
            return False

    until(archived, 60)
    return table


def servito(
    system: LocalSystem, *words: str, history: Path | None = None, more: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The command, in an environment that names the system."""
    environment = {
        **os.environ,
        "SERVITO_STATE_URL": system.state_url,
        "SERVITO_TABLE_TARGET": system.target("table"),
        "SERVITO_HISTORY_URL": file_url(history or system._data_dir / HISTORY),
        **(more or {}),
    }
    program = Path(sys.executable).with_name("servito")
    return subprocess.run(
        [str(program), *words], env=environment, capture_output=True, text=True, check=False, timeout=60
    )


async def test_what_was_played_is_archived_and_verified(
    system: LocalSystem, data: Path, table: str, tmp_path: Path
) -> None:
    """Everything is whole while hands run, chips add up though the journal was drained; a copy in which one
    byte was changed, whose end was cut off, or that has other money than the state server, is not whole, and
    the place is named.
    """
    done = servito(system, "audit", "verify")
    assert (done.returncode, done.stderr) == (0, "")
    assert "as it was written" in done.stdout
    assert "every table stands on a commit" in done.stdout
    assert servito(system, "audit", "verify", "--table", table, "--lang", "it").returncode == 0
    chips = read_chips(system.state_url)
    assert chips.in_play == chips.bought_in > 0
    heads = tmp_path / "heads"
    heads.write_text(servito(system, "audit", "heads").stdout)
    assert servito(system, "audit", "verify", "--heads", str(heads)).returncode == 0
    copy = tmp_path / "copy.sqlite"
    with open_history(file_url(data / HISTORY)) as history:
        history.sql.exec_driver_sql("PRAGMA query_only=OFF")
        history.sql.exec_driver_sql("COMMIT")
        history.sql.exec_driver_sql("VACUUM INTO ?", (str(copy),))
        history.sql.exec_driver_sql("BEGIN")
    shutil.copy(copy, tmp_path / "cut.sqlite")
    with unguarded(file_url(copy)) as sql:
        sql.execute(text("UPDATE history_commits SET parent = parent + 1 WHERE seq = 5"))
    done = servito(system, "audit", "verify", "--no-state", history=copy)
    assert done.returncode == 1
    assert f"WRONG     table {table}, commits, row 5: it was changed" in done.stdout
    with unguarded(file_url(tmp_path / "cut.sqlite")) as sql:
        sql.execute(text("DELETE FROM history_commits WHERE seq > 6"))
        sql.execute(text("UPDATE history_payments SET amount = amount + 1 WHERE seq = 1"))
        sql.execute(text("DELETE FROM history_heads WHERE chain = 'commits'"))

    async with Servito(system.target("table"), player="host") as host:
        await host.pause_table(table)

    def compared() -> bool:
        """Not before the hand that runs is over and nothing of the table is on its way to the archive."""
        cut = servito(system, "audit", "verify", "--table", table, history=tmp_path / "cut.sqlite")
        assert cut.returncode == 1
        [told] = [line for line in cut.stdout.splitlines() if "buy-ins less cash-outs" in line]
        assert told.startswith(f"WRONG     table {table}: ")
        assert told.endswith("by the state server: +1")
        return "the state server stands on version" in cut.stdout

    until(compared, 60)


def test_the_dealer_opens_a_record_of_the_archive(
    system: LocalSystem, data: Path, table: str, tmp_path: Path
) -> None:
    """A hand is rebuilt from the archive alone; by nobody who lacks the key, and of no other hand."""
    file = tmp_path / "record.json"
    done = servito(system, "audit", "record", f"{table}-1", "--file", str(file))
    assert done.returncode == 0, done.stderr

    def audited(hand: str, key: str) -> subprocess.CompletedProcess[str]:
        environment = {
            **os.environ,
            "SERVITO_STATE_URL": "redis://127.0.0.1:1/0",
            "SERVITO_DEALER_SEAL_KEYS": key,
        }
        program = [sys.executable, "-m", "servito_dealer.audit", hand, "--record", str(file)]
        return subprocess.run(
            program, env=environment, capture_output=True, text=True, check=False, timeout=60
        )

    key = f"local:{seal_key(data)}"
    rebuilt = json.loads(audited(f"{table}-1", key).stdout)
    assert rebuilt["hand"] == f"{table}-1"
    assert len(rebuilt["entries"]) > 0
    assert audited(f"{table}-2", key).returncode == 2
    other = audited(f"{table}-1", "local:" + "A" * 42 + "E=")
    assert (other.returncode, other.stdout) == (2, "")
    assert servito(system, "audit", "record", f"{table}-999").returncode == 1
    nowhere = tmp_path / "none" / "record.json"
    done = servito(system, "audit", "record", f"{table}-1", "--file", str(nowhere))
    assert (done.returncode, done.stderr) == (2, f"{nowhere}: No such file or directory\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--history", "mysql://h/d"), "must be sqlite"),
        (("--history", "sqlite:////nowhere/at.all"), "no file"),
        (("--history", "postgresql://127.0.0.1:1/none"), "refused"),
        (("--table", "nobody"), "Nothing of table nobody"),
        (("--heads", "/nowhere"), "cannot be read"),
    ],
)
def test_what_cannot_be_verified_is_said(system: LocalSystem, words: tuple[str, ...], said: str) -> None:
    """With exit code 2, and why."""
    done = servito(system, "audit", "verify", *words)
    assert done.returncode == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("SERVITO_STATE_URL", "redis://127.0.0.1:1/0", "Connection refused"),
        ("SERVITO_STATE_URL", "redis://somebody:secret@{address}/0", "invalid username-password pair"),
        ("SERVITO_STATE_URL", "redis://{address}/3", "holds no tables of Servito"),
        ("SERVITO_STATE_URL", "valkey://{address}/0", "SERVITO_STATE_URL: "),
        ("SERVITO_PARTITIONS", "32", "allowed is 64 for this state"),
    ],
)
def test_who_was_not_compared_is_not_called_whole(
    system: LocalSystem, table: str, variable: str, value: str, said: str
) -> None:
    """A state server that is known and cannot be asked, or is another one: exit code 2 and why, so that no
    nightly run goes without it unseen; by `--no-state` on purpose.
    """
    wrong = {variable: value.format(address=system.state_url.partition("//")[2].partition("/")[0])}
    done = servito(system, "audit", "verify", "--table", table, more=wrong)
    assert done.returncode == 2
    assert said in done.stderr
    assert "secret" not in done.stderr
    assert "Compared" not in done.stdout
    assert servito(system, "audit", "verify", "--table", table, "--no-state", more=wrong).returncode == 0
