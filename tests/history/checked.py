"""Compares an archive with what was told to a state server: everything once, in order, nothing broken."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import create_engine

from servito_history.address import read_history_url
from servito_history.audit import Audit
from servito_history.comparing import compare
from servito_history.findings import Finding
from servito_history.reading import open_history
from tests.history.feeding import EVERY, KEYS, Feeder


def findings(url: str) -> list[str]:
    """What verifying finds, as one word and a place each."""
    engine = create_engine(read_history_url(url).url)
    with engine.connect() as sql:
        found = [f"{each.kind} {each.first}..{each.last}" for each in Audit(sql).findings()]
    engine.dispose()
    return found


def compared(url: str, feeder: Feeder, table: str | None = None) -> list[Finding]:
    """What the comparison with the state server finds, of one table or of all."""
    engine = create_engine(read_history_url(url).url)
    with engine.connect() as sql:
        found = list(compare(sql, feeder.client, KEYS, table))
    engine.dispose()
    return found


def check_all_there(url: str, feeder: Feeder) -> None:
    """Every commit of every table once, with the dealer's records; money as it is carried."""
    assert findings(url) == []
    paid: Counter[str] = Counter()
    with open_history(url) as history:
        assert [head.table_id for head in history.tables()] == sorted(feeder.at)
        for table, (last, lineage) in feeder.at.items():
            rows = list(history.rows(table))
            assert [row.version for row in rows] == list(range(1, last + 1)), table
            assert rows[-1].lineage == lineage
            assert [row.version for row in rows if row.record] == list(range(EVERY, last + 1, EVERY))
            assert rows[0].fields["s"] == b"\x01sealed"
            for movement in history.money(table):
                paid[table] += movement.amount
    assert {table: chips for table, chips in paid.items() if chips} == feeder.carried()
