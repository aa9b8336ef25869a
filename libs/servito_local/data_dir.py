"""The data directory of a local system: files of the servers, logs, the dealer's key; one system at a time.

The lock is a file lock that the keeper holds as well, so a directory is free only when every process of its
last system is gone, however that one ended.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import Self


class DataDirInUse(Exception):  # noqa: N818 - the word for it
    """Another system runs on this directory."""


class DataDir:
    """A locked data directory; `path` is absolute."""

    def __init__(self, path: Path) -> None:
        self.path = path.absolute()
        self.path.mkdir(parents=True, exist_ok=True)
        self.lock = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self.lock)
            raise DataDirInUse(f"another system runs on {self.path}; name another directory") from None

    def close(self) -> None:
        """Let the next system in, once the keeper is gone too."""
        os.close(self.lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
