"""The role that drains has the right to add rows, and none to change or remove one."""

from __future__ import annotations

from uuid import uuid4

import pytest
from sqlalchemy import create_engine, make_url, text
from sqlalchemy.exc import ProgrammingError

from servito_history.address import read_history_url
from servito_history.migrate import prepare
from servito_history.writing import Appended, Archive
from tests.history.checked import findings
from tests.history.conftest import new_database
from tests.history.entries import commits, payment
from tests.history.postgres import Postgres


def test_a_writer_adds_and_does_nothing_else(postgres: Postgres) -> None:
    """`servito audit migrate --writer ROLE`, by the owner: the archive is made, the role appends to it, twice
    the same too, and cannot change, remove or empty anything, nor drop the triggers.
    """
    url = new_database(postgres.url)
    place, role = read_history_url(url), f"w{uuid4().hex[:8]}"
    owner = create_engine(place.url)
    with owner.begin() as sql:
        sql.execute(text(f"CREATE ROLE {role} LOGIN"))
    assert prepare(place, role)
    assert not prepare(place, role)
    own = make_url(url).set(username=role).render_as_string(hide_password=False)
    archive = Archive(read_history_url(own), seconds=20)
    archive.prepare()
    assert archive.append(commits("t1", 5), [payment("t1", 2)]) == Appended(5, 1)
    assert archive.append(commits("t1", 7), [payment("t1", 2)]) == Appended(2, 0)
    archive.close()
    engine = create_engine(read_history_url(own).url)
    for statement in (
        "UPDATE history_commits SET at = 0",
        "DELETE FROM history_payments",
        "TRUNCATE history_commits",
        "ALTER TABLE history_commits DISABLE TRIGGER ALL",
        "DROP TABLE history_heads",
        "DELETE FROM history_heads",
    ):
        with pytest.raises(ProgrammingError, match=r"permission denied|must be owner"), engine.begin() as sql:
            sql.execute(text(statement))
    engine.dispose()
    owner.dispose()
    assert findings(url) == []


def test_a_file_knows_no_roles(tmp_path: object) -> None:
    """And says so."""
    with pytest.raises(ValueError, match="no roles"):
        prepare(read_history_url(f"sqlite:///{tmp_path}/h"), "writer")
