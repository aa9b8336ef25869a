"""A small file whose owner replaces it while we run: a set of keys, a token that is renewed in time.

Here: reading it, and noticing that it is another one, by a look at its metadata once a second at most. A
projected Kubernetes volume is replaced by moving a link, which changes the inode. Not here: what is in it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Final

_LOOK_EVERY: Final = 1.0
_MOST_BYTES: Final = 1_000_000
"""More is no file of ours, and would be read by mistake."""

Stamp = tuple[int, int, int]


class WatchedFile:
    """See the module. The first `read` raises OSError or ValueError; `clock` counts seconds."""

    def __init__(self, path: Path, clock: Callable[[], float] = monotonic) -> None:
        self.path = path
        self._clock = clock
        self._stamp: Stamp | None = None
        self._looked = -_LOOK_EVERY

    def read(self) -> str:
        """What it holds now. OSError: it cannot be read; ValueError: it is no text, or too long."""
        self._looked = self._clock()
        self._stamp = self._now()
        with self.path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise ValueError(f"it is longer than {_MOST_BYTES} bytes")
        return data.decode("utf-8")

    def changed(self) -> bool:
        """Whether it is another file than the one read last; looked at once a second at most."""
        now = self._clock()
        if now - self._looked < _LOOK_EVERY:
            return False
        self._looked = now
        try:
            return self._now() != self._stamp
        except OSError:  # being replaced, or gone: what was read is still good
            return False

    def _now(self) -> Stamp:
        found = self.path.stat()
        return found.st_ino, found.st_mtime_ns, found.st_size
