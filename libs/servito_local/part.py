"""One part of the local system, as a process: started, ready, stopped.

Here: what a part is, and the life of one process of it. Not here: which parts there are (system.py) and
what happens when one dies (supervisor.py). Each part leads a process group of its own and writes everything
to its log file.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, Self

from servito_local.child import Child
from servito_local.keeper import Keeper, registering

_TAIL_BYTES: Final = 3_000
_CHUNK: Final = 65_536

Ready = Callable[[str], Mapping[str, object] | None]
"""Of a line that a starting part printed: what it tells about itself if this says that it serves, or None."""


class PartFailed(Exception):  # noqa: N818 - the word for it
    """A part does not start; the text ends with the last lines of its log."""


@dataclass(frozen=True)
class Part:
    """What to run. Parts of a lower `rank` are stopped first."""

    name: str
    program: tuple[str, ...]
    environment: Mapping[str, str] = field(repr=False)  # it holds keys
    log: Path
    ready: Ready
    rank: int
    start_seconds: float = 30.0
    stop_seconds: float = 15.0


@dataclass
class Running:
    """A process of a part that serves. `told` is what it said about itself when it was ready."""

    part: Part
    process: Child
    told: Mapping[str, object]
    _copying: asyncio.Task[None] = field(repr=False)

    @classmethod
    async def start(cls, part: Part, keeper: Keeper) -> Self:
        """Start a process and wait until it serves; PartFailed when it does not, and it is gone again."""
        log = part.log.open("ab", buffering=0)
        begin = log.tell()
        try:
            process, output = await _spawn(part, keeper, log)
            told = await _until_ready(part, process, output, keeper, log, begin)
        except OSError as error:
            log.close()
            raise PartFailed(f"{part.name} cannot be started: {error}") from error
        except BaseException:
            log.close()
            raise
        return cls(part, process, told, asyncio.create_task(_copy(output, log)))

    async def ended(self) -> int:
        """Wait until the process is gone, end what it may have left in its group; its exit code."""
        code = await self.process.wait()
        _signal(self.process, signal.SIGKILL)
        await asyncio.wait([self._copying])
        return code

    async def stop(self) -> int:
        """SIGTERM, and SIGKILL to the whole group when it takes too long; the exit code."""
        _signal(self.process, signal.SIGTERM)
        with suppress(TimeoutError):
            return await asyncio.wait_for(self.process.wait(), self.part.stop_seconds)
        _signal(self.process, signal.SIGKILL)
        return await self.process.wait()


def tail(log: Path, lines: int = 20, begin: int = 0) -> list[str]:
    """The last lines of a log file, none from before byte `begin`, or none where there is no such file."""
    with suppress(FileNotFoundError), log.open("rb") as file:
        file.seek(max(begin, os.fstat(file.fileno()).st_size - _TAIL_BYTES))
        return file.read().decode(errors="replace").splitlines()[-lines:]
    return []


async def _spawn(part: Part, keeper: Keeper, log: IO[bytes]) -> tuple[Child, asyncio.StreamReader]:
    reading, writing = os.pipe()
    output = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(output), os.fdopen(reading, "rb", buffering=0)
    )
    try:
        process = Child(
            registering(part.rank, part.program),
            stdin=keeper.pipe,
            stdout=writing,
            stderr=log,
            environment=part.environment,
        )
    finally:
        os.close(writing)
    return process, output


async def _until_ready(
    part: Part, process: Child, output: asyncio.StreamReader, keeper: Keeper, log: IO[bytes], begin: int
) -> Mapping[str, object]:
    try:
        async with asyncio.timeout(part.start_seconds):
            while line := await output.readline():
                log.write(line)
                told = part.ready(line.decode(errors="replace"))
                if told is not None:
                    return told
            code = await process.wait()
    except BaseException as error:
        _signal(process, signal.SIGKILL)
        await process.wait()
        if isinstance(error, TimeoutError):
            raise _failure(part, f"was not ready within {part.start_seconds:g} s", begin) from None
        raise
    else:
        raise _failure(part, f"ended with code {code} before it was ready", begin)
    finally:
        if process.returncode is not None:
            keeper.forget(process.pid)


def _failure(part: Part, what: str, begin: int) -> PartFailed:
    """`begin`: where in the log this start began; what an earlier run wrote explains nothing."""
    lines = "\n".join(f"  | {line}" for line in tail(part.log, begin=begin))
    return PartFailed(f"{part.name} {what}; the end of {part.log}:\n{lines or '  (empty)'}")


async def _copy(source: asyncio.StreamReader, log: IO[bytes]) -> None:
    """Log what a part prints once it serves; left unread it would block the part in the end."""
    with log:
        while chunk := await source.read(_CHUNK):
            log.write(chunk)


def _signal(process: Child, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(process.pid, number)
