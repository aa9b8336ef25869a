"""The supervisor's side of the keeper, the program that ends the parts when the supervisor itself is killed.

Here: starting the keeper, telling it who is gone, and the command line by which a part tells that it is
there. A part registers itself before it becomes its program, so there is no moment in which it would be
left behind. Changes with keeper_program.py.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROGRAM: Final = Path(__file__).with_name("keeper_program.py")

# $1 is the rank; the rest is the program. Standard input is the keeper's pipe until then, and nothing
# afterwards. A part starts without a keeper too: one that was killed must not keep the system from
# restarting its parts.
_REGISTER: Final = 'trap "" PIPE; echo "+ $1 $$" >&0; trap - PIPE; shift; exec "$@" </dev/null'


def registering(rank: int, program: Sequence[str]) -> list[str]:
    """The command line that registers with the keeper (standard input) and becomes `program`."""
    return ["/bin/sh", "-c", _REGISTER, "part", str(rank), *program]


class Keeper:
    """A running keeper. It keeps the files `held` (the lock) open until it has ended what was left."""

    def __init__(self, log: Path, *, grace: float, held: Sequence[int] = ()) -> None:
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_PROGRAM), str(grace)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                bufsize=0,
                pass_fds=held,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """Process id of the keeper."""
        return self._process.pid

    @property
    def pipe(self) -> int:
        """What a part gets as its standard input, to register through."""
        assert self._process.stdin is not None  # noqa: S101 - asked for with PIPE
        return self._process.stdin.fileno()

    def forget(self, pid: int) -> None:
        """The part `pid` is gone."""
        with suppress(
            BrokenPipeError
        ):  # a keeper that was killed keeps nothing, and the parts are ours to end
            os.write(self.pipe, f"- {pid}\n".encode())

    def close(self) -> None:
        """Let the keeper end what is still registered, and wait for it."""
        assert self._process.stdin is not None  # noqa: S101 - asked for with PIPE
        self._process.stdin.close()
        self._process.wait()
