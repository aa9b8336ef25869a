"""A core that only the table process may use, as a deployment gives it one (docs/operations/sizing.md).

Everybody else of a measurement, the clients above all, keeps off it; where there is one core nobody does.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Set


def others() -> frozenset[int]:
    """The cores for everybody else."""
    cores = sorted(os.sched_getaffinity(0))
    return frozenset(cores[1:] or cores)


@contextmanager
def kept_off(pids: Iterable[int]) -> Iterator[None]:
    """These processes run on the other cores only, until it is left."""
    pids = tuple(pids)
    everywhere, apart = os.sched_getaffinity(0), others()
    for pid in pids:
        _put(pid, apart)
    try:
        yield
    finally:
        for pid in pids:
            _put(pid, everywhere)


def _put(pid: int, cores: Set[int]) -> None:
    """All threads of a process; one that ended meanwhile keeps off everything."""
    with suppress(ProcessLookupError, FileNotFoundError):
        for thread in Path(f"/proc/{pid}/task").iterdir():
            os.sched_setaffinity(int(thread.name), cores)
