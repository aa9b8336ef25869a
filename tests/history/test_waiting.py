"""No wait for an archive that stands still is longer than it was said to be."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, text

from servito_history.address import read_history_url
from servito_history.engine import new_engine, reading, transaction
from servito_history.errors import HistoryAway
from servito_history.migrate import prepare
from tests.history.conftest import new_database

if TYPE_CHECKING:
    from tests.history.postgres import Postgres

SECONDS = 1.0
THAWED = 15.0
"""Seconds: who waits until then has waited without a bound."""


@pytest.mark.parametrize("moment", ["connect", "begin"])
def test_a_server_that_freezes(postgres: Postgres, moment: str) -> None:
    """Before the first answer on a new connection, and in a transaction: HistoryAway in time, and what is
    asked when it is back is answered.
    """
    engine = new_engine(read_history_url(new_database(postgres.url)), seconds=SECONDS)
    thaw = Timer(THAWED, postgres.thaw)

    def freeze(*_: object) -> None:
        postgres.freeze()
        thaw.start()

    event.listen(engine, moment, freeze, insert=True, once=True)
    began = time.monotonic()
    try:
        with pytest.raises(HistoryAway), transaction(engine, SECONDS) as sql:
            sql.execute(text("SELECT 1"))
        assert time.monotonic() - began < THAWED / 2
    finally:
        thaw.cancel()
        postgres.thaw()
    with transaction(engine, 20) as sql:
        assert sql.execute(text("SELECT 2")).scalar() == 2
    engine.dispose()


@pytest.mark.parametrize("moment", ["before", "within"])
def test_a_server_that_freezes_while_it_is_read(postgres: Postgres, moment: str) -> None:
    """HistoryAway in time that says who was waited for and how long, and no password."""
    url = new_database(postgres.url).replace("postgresql://postgres:", "postgresql://postgres:secret")
    place, thaw = read_history_url(url), Timer(THAWED, postgres.thaw)
    began = time.monotonic()
    try:
        thaw.start()
        if moment == "before":
            postgres.freeze()
        with pytest.raises(HistoryAway) as caught, reading(place, seconds=SECONDS) as sql:  # noqa: PT012
            postgres.freeze()
            sql.execute(text("SELECT 1"))
        assert time.monotonic() - began < THAWED / 2
    finally:
        thaw.cancel()
        postgres.thaw()
    name, _, waited = str(caught.value).partition(": no answer for ")
    assert name == str(place)
    assert "secret" not in name
    assert waited.endswith(" seconds")
    assert SECONDS <= int(waited.split()[0]) < THAWED / 2


def test_a_long_question_and_a_slow_reader_are_waited_for(postgres: Postgres) -> None:
    """What takes several times as long as the server may be silent: a statement, and what is done between two
    of them.
    """
    with reading(read_history_url(new_database(postgres.url)), seconds=SECONDS) as sql:
        assert sql.execute(text("SELECT 1 FROM pg_sleep(3)")).scalar() == 1
        time.sleep(3)
        assert sql.execute(text("SELECT 2")).scalar() == 2


def test_a_command_at_a_server_that_stands_still(postgres: Postgres) -> None:
    """`servito audit verify` ends by itself, with 2 and one line."""
    url = new_database(postgres.url)
    prepare(read_history_url(url), None)
    program = Path(sys.executable).with_name("servito")
    postgres.freeze()
    try:
        done = subprocess.run(
            [program, "audit", "verify", "--no-state", "--history", url],
            env=os.environ,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    finally:
        postgres.thaw()
    assert done.returncode == 2
    assert done.stdout == ""
    assert " ".join(done.stderr.split()).endswith("seconds")
    assert "no answer for 1" in done.stderr
