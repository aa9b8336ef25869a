"""A disk that can be full: a file system in memory whose size is changed while a server writes to it.

It takes the right to mount (root, as in CI's container). Where that is missing the kind is left out, and the
report says so.
"""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_ROOMY: Final = "1g"
"""Takes no memory before it is written."""
_TRIES: Final = 50


class Disk:
    """Mounted at a directory, which is made; roomy at first."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        directory.mkdir(parents=True, exist_ok=True)
        _run("mount", "-t", "tmpfs", "-o", f"size={_ROOMY}", "servito", str(directory))

    def fill(self) -> None:
        """Not a block is left: what is written next fails with ENOSPC."""
        for left in reversed(range(_TRIES)):
            told = _run("df", "--block-size=1024", "--output=used", str(self._directory))
            try:
                self._resize(f"{told.split()[-1]}k")
            except subprocess.CalledProcessError:  # it was written to in between, and is larger than that
                if not left:
                    raise
            else:
                return

    def free(self) -> None:
        """There is room again."""
        self._resize(_ROOMY)

    def close(self) -> None:
        """It is gone with all that was on it."""
        _run("umount", str(self._directory))

    def _resize(self, size: str) -> None:
        _run("mount", "-o", f"remount,size={size}", str(self._directory))


@cache
def may_mount() -> bool:
    """Whether this process may have such a disk."""
    with TemporaryDirectory() as directory:
        try:
            Disk(Path(directory)).close()
        except (subprocess.CalledProcessError, FileNotFoundError):
            return False
    return True


def _run(*command: str) -> str:
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return done.stdout
