"""No wait for an archive that stands still is longer than it was said to be."""

from __future__ import annotations

import time
from threading import Timer
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import event, text

from servito_history.address import read_history_url
from servito_history.engine import new_engine, transaction
from servito_history.errors import HistoryAway
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
