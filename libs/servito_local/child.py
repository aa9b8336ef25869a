"""A process of ours, started without any of our code between fork and exec, and waited for in a loop.

Theory. asyncio starts processes well, but uvloop leaves them copies of its standard streams, unless a
function of ours runs in the child and closes them; and that one runs after a real fork, in which gRPC's
threads are gone: with channels open in this process the child now and then crashed before it became its
program. So the standard library's Popen starts it, which forks without a copy, and a thread waits for its
end, which is alike in every event loop. Not here: what is started (part.py).
"""

from __future__ import annotations

import asyncio
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO


class Child:
    """Leads a process group and a session of its own. To be made inside a running event loop; OSError when
    the program cannot be started.
    """

    def __init__(
        self,
        program: Sequence[str],
        *,
        stdin: int,
        stdout: int,
        stderr: IO[bytes],
        environment: Mapping[str, str],
    ) -> None:
        self._process = subprocess.Popen(
            program, stdin=stdin, stdout=stdout, stderr=stderr, env=dict(environment), start_new_session=True
        )
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[int] = self._loop.create_future()
        threading.Thread(target=self._collect, name=f"waits for {self.pid}", daemon=True).start()

    @property
    def pid(self) -> int:
        """Process id, and that of its group."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Exit code, or the negative number of the signal that ended it; None while it runs."""
        return self._process.returncode

    async def wait(self) -> int:
        """The exit code, once it has ended."""
        return await asyncio.shield(self._ended)

    def _collect(self) -> None:
        code = self._process.wait()
        with suppress(RuntimeError):  # the loop is closed, so nobody waits any more
            self._loop.call_soon_threadsafe(self._ended.set_result, code)
