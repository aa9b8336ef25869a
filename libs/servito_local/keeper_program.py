"""The keeper: a small program that outlives its supervisor long enough to end what that one left running.

Run as `python -I -S keeper_program.py GRACE`, standard library only, in a session of its own. Standard
input is a pipe whose writing end only the supervisor holds (and each part for the moment between its birth
and its `exec`). Lines:

    + RANK PID    a part was born; it leads the process group PID; lower ranks end first
    - PID         the part is gone, its number may be reused

When the pipe ends, the supervisor is gone, in whatever way. Rank by rank the groups that are left get
SIGTERM, and SIGKILL after GRACE seconds. After an orderly end nothing is left and nothing happens. Changes
with keeper.py.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable

_LOOK_AGAIN = 0.02


def read(lines: Iterable[str]) -> dict[int, int]:
    """The parts that are left when `lines` end: group -> rank."""
    groups: dict[int, int] = {}
    for line in lines:
        match line.split():
            case ["+", rank, pid]:
                groups[int(pid)] = int(rank)
            case ["-", pid]:
                groups.pop(int(pid), None)
            case _:
                sys.stderr.write(f"keeper: cannot read {line!r}\n")
    return groups


def end(groups: Iterable[int], grace: float) -> None:
    """SIGTERM to every group, and SIGKILL to what is left after `grace` seconds."""
    left = [group for group in groups if _send(group, signal.SIGTERM)]
    until = time.monotonic() + grace
    while left and time.monotonic() < until:
        time.sleep(_LOOK_AGAIN)
        left = [group for group in left if _send(group, 0)]
    for group in left:
        _send(group, signal.SIGKILL)


def _send(group: int, number: int) -> bool:
    """Whether there is such a group to get the signal."""
    try:
        os.killpg(group, number)
    except ProcessLookupError:
        return False
    return True


def main() -> None:
    """See the module."""
    # Ctrl-C and `kill` are for the supervisor; the keeper ends by the end of its input.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    groups = read(sys.stdin)
    for rank in sorted(set(groups.values())):
        end([group for group, its_rank in groups.items() if its_rank == rank], float(sys.argv[1]))


if __name__ == "__main__":
    main()
