"""Actions per second of one table process, beside the ceiling: the least that a table action can cost.

The local system runs with its defaults: the state server writes its append-only file, hands are dealt and
judged by their own processes. Clients are processes of their own. Ceiling and product take turns. The table
process has a core that nobody else uses (placing.py), as in a deployment; what is measured without it, "cores
shared", has no goal. The ceiling is better off without, and so measured as its original is.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

import redis

from servito_local.seal_key import table_keys
from servito_local.system import LocalSystem
from tests.bench.measure import Goal, Row, interleaved, spread
from tests.bench.rates.placing import kept_off
from tests.bench.rates.sample import Sample
from tests.bench.rates.seats import TABLES
from tests.bench.rates.valkey import LIBRARY, bare_server

if TYPE_CHECKING:
    from tests.bench.measure import Context

SECONDS: Final = 3.0
CLIENT_SECONDS: Final = 60.0
"""A client that is not done by then hangs."""
CEILING: Final = "the ceiling"
NO_KEYS: Final[Mapping[str, str]] = MappingProxyType({})
SERVER: Final = "table"
"""The process that is compared: its CPU time says more than the rate when others use the machine too."""


class Work:
    """One thing that is measured again and again; keeps the samples."""

    def __init__(self, run: Callable[[], Sample]) -> None:
        self._run = run
        self.samples: list[Sample] = []

    def rate(self) -> float:
        """Actions per second, measured now."""
        self.samples.append(self._run())
        return self.samples[-1].per_second

    def cpu_us(self, process: str) -> float:
        """Microseconds of CPU time that an action cost a process: the median."""
        return median(sample.cpu_us[process] for sample in self.samples)

    def cost(self) -> str:
        """Medians of what an action cost each process, and of how long it took."""
        names = self.samples[0].cpu_us
        parts = [
            f"{name} {self.cpu_us(name):.0f} us ({median(s.cores[name] for s in self.samples):.2f} cores)"
            for name in names
        ]
        again = sum(sample.repeated for sample in self.samples)
        p50, p99 = (median(getattr(s, name) for s in self.samples) for name in ("p50_ms", "p99_ms"))
        total = sum(self.cpu_us(name) for name in names)
        waited = f"p50 {p50:.1f} ms, p99 {p99:.1f} ms; sent again: {again}"
        return f"CPU an action: {total:.0f} us, of it {', '.join(parts)}; {waited}"


def measure(context: Context) -> Iterator[Row | str]:
    """Start the system and take turns."""
    yield from rows(*asyncio.run(_measured(context)))


async def _measured(context: Context) -> tuple[Mapping[str, Work], Mapping[str, list[float]]]:
    with TemporaryDirectory() as directory:
        async with LocalSystem(Path(directory)) as system:
            return await asyncio.to_thread(in_turn, context, system, Path(directory))


def in_turn(
    context: Context, system: LocalSystem, data_dir: Path
) -> tuple[Mapping[str, Work], Mapping[str, list[float]]]:
    """Measure a system that runs there: by name what was done, and its rates."""
    works = _works(context, system, table_keys(data_dir))
    rates = interleaved(context, {name: work.rate for name, work in works.items()})
    if any(system.restarts.values()):
        raise RuntimeError(f"a part died while it was measured: {dict(system.restarts)}")
    return works, rates


def rows(works: Mapping[str, Work], rates: Mapping[str, list[float]]) -> Iterator[Row | str]:
    """What is said of it."""
    yield f"the ceiling: {spread(rates[CEILING], 0)} actions a second; {works[CEILING].cost()}"

    def row(what: str, name: str, goal: Goal | None) -> Row:
        by_cpu = works[CEILING].cpu_us(SERVER) / works[name].cpu_us(SERVER)
        note = f"{by_cpu:.2f} by the CPU time of the table process. {works[name].cost()}"
        return Row(what, rates[name], CEILING, rates[CEILING], goal=goal, note=note)

    yield row("Act, nobody watching", "act", Goal(0.6, 0.8))
    yield row("the same, cores shared", "act, shared", None)
    yield row("Act and GetTable, nobody watching", "asking", None)
    yield row("Play, five streams at every table", "play", Goal(1.0, 1.6))
    yield row("the same, cores shared", "play, shared", None)
    yield row("the ceiling's commit behind a stream", "bare stream", None)
    yield row("the ceiling, beside a core of its own", "ceiling apart", None)


def _works(context: Context, system: LocalSystem, keys: Mapping[str, str]) -> dict[str, Work]:
    def act(way: str, *, apart: bool = True) -> Work:
        return Work(
            lambda: sampled(context, system, "act_client", system.state_url, way, keys=keys, apart=apart)
        )

    def play(*, apart: bool = True) -> Work:
        return Work(lambda: sampled(context, system, "play_client", apart=apart))

    def ceiling(over: str, *, apart: bool = False) -> Work:
        return Work(lambda: _ceiling(over, context.seconds(SECONDS), apart=apart))

    return {
        CEILING: ceiling("unary"),
        "act": act("beside"),
        "act, shared": act("beside", apart=False),
        "asking": act("asking"),
        "play": play(),
        "play, shared": play(apart=False),
        "bare stream": ceiling("stream"),
        "ceiling apart": ceiling("unary", apart=True),
    }


def sampled(
    context: Context,
    system: LocalSystem,
    client: str,
    *arguments: str,
    keys: Mapping[str, str] = NO_KEYS,
    apart: bool = True,
) -> Sample:
    """What one of our clients measures at a system; `apart`: while only the table process uses its core."""
    seconds, tables = str(context.seconds(SECONDS)), str(context.some(TABLES))
    pids = system.pids()
    arguments = (system.target("table"), *arguments, seconds, json.dumps(pids), tables)
    with kept_off(pid for name, pid in pids.items() if apart and name != SERVER):
        return _client(client, *arguments, keys=keys, apart=apart)


def _ceiling(over: str, seconds: float, *, apart: bool) -> Sample:
    """Server and client of the ceiling, fresh ones."""
    with bare_server() as (state, socket):
        with redis.Redis(unix_socket_path=str(socket)) as client:
            client.function_load(LIBRARY)
        with _program("ceiling_server", str(socket)) as server, kept_off([state] if apart else []):
            assert server.stdout is not None
            port = server.stdout.readline().strip()
            pids = json.dumps({SERVER: server.pid, "state": state})
            return _client("ceiling_client", port, over, str(seconds), pids, apart=apart)


def _client(name: str, *arguments: str, keys: Mapping[str, str] = NO_KEYS, apart: bool) -> Sample:
    with _program(name, *arguments, keys=keys) as client, kept_off([client.pid] if apart else []):
        told = client.communicate(timeout=CLIENT_SECONDS)[0]
        if client.returncode:
            raise RuntimeError(f"{name} failed: what it said is above")
    return Sample.from_json(told)


@contextmanager
def _program(
    name: str, *arguments: str, keys: Mapping[str, str] = NO_KEYS
) -> Iterator[subprocess.Popen[str]]:
    """A module of this package as a process that does not outlive its use."""
    command = [sys.executable, "-m", f"tests.bench.rates.{name}", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | keys) as process:
        try:
            yield process
        finally:
            process.terminate()
