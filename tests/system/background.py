"""A local system that outlives the event loop of a single test."""

from __future__ import annotations

import asyncio
import threading
from typing import Self

from servito_local.system import LocalSystem


class Background:
    """Runs a system in an event loop of its own, in a thread: it restarts its parts whatever the tests do."""

    def __init__(self, system: LocalSystem) -> None:
        self.system = system
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="local system")

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.system.__aenter__(), self._loop).result(120)
        return self

    def __exit__(self, *_: object) -> None:
        try:
            asyncio.run_coroutine_threadsafe(self.system.__aexit__(None, None, None), self._loop).result(120)
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
