"""Where an archive is: `sqlite:////absolute/path` (one machine) or `postgresql://user:password@host/name`.

Changes with SERVITO_HISTORY_URL of the timers and `--history` of the command.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

FORMS: Final = "sqlite:////absolute/path/to/a/file, or postgresql://user:password@host:5432/database"
_SQLITE: Final = "sqlite"
_POSTGRES: Final = ("postgresql", "postgres")


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
        return shown.render_as_string(hide_password=True)


def read_history_url(text: str) -> HistoryPlace:
    """ValueError says what is allowed, and repeats nothing of the text."""
    try:
        url = make_url(text)
    except ArgumentError:
        raise ValueError(f"must be {FORMS}") from None
    backend = url.drivername.partition("+")[0]
    if backend == _SQLITE:
        if not url.database or not Path(url.database).is_absolute():
            raise ValueError(f"a file needs an absolute path: {FORMS}")
        return HistoryPlace(url.set(drivername="sqlite"), embedded=True)
    if backend in _POSTGRES and url.database:
        return HistoryPlace(url.set(drivername="postgresql+psycopg"), embedded=False)
    raise ValueError(f"must be {FORMS}")


def file_url(file: Path) -> str:
    """The address of an archive in a file."""
    return f"sqlite:///{file.absolute()}"
