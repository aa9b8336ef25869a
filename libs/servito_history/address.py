"""Where an archive is: `sqlite:////absolute/path` (one machine) or `postgresql://user:password@host/name`.

Changes with SERVITO_HISTORY_URL of the timers and `--history` of the command.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from psycopg import ProgrammingError
from psycopg.conninfo import make_conninfo
from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

FORMS: Final = "sqlite:////absolute/path/to/a/file, or postgresql://user:password@host:5432/database"
_SQLITE: Final = "sqlite"
_POSTGRES: Final = ("postgresql", "postgres")
_SECRET: Final = ("password", "sslpassword")
"""Of what an address may say behind its `?`."""


@dataclass(frozen=True, slots=True)
class HistoryPlace:
    """An address that was understood."""

    url: URL = field(repr=False)  # it may carry a password
    embedded: bool
    """A file of one machine."""

    @property
    def has_password(self) -> bool:
        """Whether it brings one; a file and a socket need none."""
        host = self.url.host or str(self.url.query.get("host", ""))
        return self.embedded or bool(self.url.password) or host[:1] in {"", "/"}

    def __str__(self) -> str:
        """For people, without a password."""
        shown = self.url.set(drivername=self.url.get_backend_name())
        return shown.difference_update_query(_SECRET).render_as_string(hide_password=True)


def read_history_url(text: str) -> HistoryPlace:
    """ValueError says what is allowed, and repeats nothing of the text."""
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):  # the latter: of a port that is no number
        raise ValueError(f"must be {FORMS}") from None
    backend = url.drivername.partition("+")[0]
    if backend == _SQLITE:
        if not url.database or not Path(url.database).is_absolute():
            raise ValueError(f"a file needs an absolute path: {FORMS}")
        if url.query:
            raise ValueError(f"a file takes no options: {FORMS}")
        return HistoryPlace(url.set(drivername="sqlite"), embedded=True)
    if backend in _POSTGRES and url.database:
        place = HistoryPlace(url.set(drivername="postgresql+psycopg"), embedded=False)
        try:
            conninfo(place)
        except (ArgumentError, ProgrammingError):
            raise ValueError(
                f"has an option behind its ? that PostgreSQL's client does not know: {FORMS}"
            ) from None
        return place
    raise ValueError(f"must be {FORMS}")


def conninfo(place: HistoryPlace, **options: int) -> str:
    """A PostgreSQL's address as its own client takes it, with its password; `options` go before those of the
    address.
    """
    told = {**place.url.get_dialect()().create_connect_args(place.url)[1], **options}
    told.pop("context", None)  # SQLAlchemy's own, for its driver
    return make_conninfo(**told)


def file_url(file: Path) -> str:
    """The address of an archive in a file."""
    return f"sqlite:///{file.absolute()}"
