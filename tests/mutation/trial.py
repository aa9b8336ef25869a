"""A pytest plugin that runs, instead of the tests once, the tests that reach a fault once for every fault.

Tests are collected and run without a fault first: which functions each calls, and how long it takes. Then
every mutant has a process of its own, forked from there, which runs the tests of its function, quickest
first, until one fails. A mutant that uses up its time or memory counts as killed.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.mutation.graft import forget, graft
from tests.mutation.mutants import mutants_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import CodeType, FrameType

    from tests.mutation.mutants import Mutant

MORE_MEMORY = 400 * 2**20
NO_TRIAL = 3
LONGEST = 0.5
"""Seconds of a test that is run for mutants; a longer one is left out."""


class Verdict(NamedTuple):
    """What became of a mutant."""

    module: str
    mutant: Mutant
    killed: bool


class Trial:
    """The plugin. Afterwards `sound`: without a fault all tests passed; `complete`: no mutant is left."""

    def __init__(self, modules: list[str], jobs: int, until: float, tell: Callable[[Verdict], None]) -> None:
        self.modules = modules
        self.jobs = jobs
        self.until = until
        self.tell = tell
        self.sound = True
        self.complete = False
        self.failed = False
        self.reached: dict[tuple[str, str], list[pytest.Item]] = {}
        self.killers: dict[tuple[str, str], pytest.Item] = {}

    def pytest_sessionstart(self) -> None:
        """Let properties try the same examples for every mutant."""
        from hypothesis import settings  # pytest wants to see it first

        settings.register_profile("mutation", derandomize=True, database=None)
        settings.load_profile("mutation")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember that something failed."""
        self.failed = self.failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """The whole trial."""
        self._without_faults(session.items)
        if self.sound:
            self._with_faults()
        return True

    def _without_faults(self, items: list[pytest.Item]) -> None:
        took: dict[pytest.Item, float] = {}
        for item in items:
            seen: set[CodeType] = set()
            forget()
            begun = time.process_time()
            sys.settrace(_noting(seen))
            self._run([item])
            sys.settrace(None)
            took[item] = time.process_time() - begun
            self.sound = self.sound and not self.failed
            for code in seen:
                self.reached.setdefault((code.co_filename, code.co_qualname), []).append(item)
        for reached in self.reached.values():
            reached[:] = sorted((item for item in reached if took[item] < LONGEST), key=took.__getitem__)

    def _with_faults(self) -> None:
        running: dict[int, tuple[Verdict, int]] = {}
        for name, mutant in self._mutants():
            if time.monotonic() > self.until:
                break
            if len(running) == self.jobs:
                self._collect(running)
            reading, writing = os.pipe()
            pid = os.fork()
            if pid == 0:
                self._carry(name, mutant, writing)
            os.close(writing)
            running[pid] = (Verdict(name, mutant, False), reading)
        else:
            self.complete = True
        while running:
            self._collect(running)

    def _mutants(self) -> Iterator[tuple[str, Mutant]]:
        for name in self.modules:
            path = import_module(name).__file__
            for mutant in mutants_of(Path(str(path))):
                yield name, mutant

    def _tests(self, name: str, mutant: Mutant) -> list[pytest.Item]:
        """The tests that reach the function (a constant: the module), the latest killer first."""
        path = str(import_module(name).__file__)
        if mutant.code.co_name == "<module>":
            several = [items for (file, _), items in self.reached.items() if file == path]
            items = list(dict.fromkeys(item for items in several for item in items))
        else:
            items = self.reached.get((path, mutant.owner), [])
        killer = self.killers.get((name, mutant.owner))
        return items if killer is None else [killer, *(item for item in items if item is not killer)]

    def _carry(self, name: str, mutant: Mutant, writing: int) -> None:
        """The life of a process with a fault; it does not return."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        memory = pages * resource.getpagesize() + MORE_MEMORY
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CPU, (20, 21))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            graft(import_module(name), mutant)
            forget()
        except BaseException:  # noqa: BLE001 - this process is a copy and must not go on as the original
            os._exit(NO_TRIAL)
        for number, item in enumerate(self._tests(name, mutant)):
            self._run([item])
            if self.failed:
                os.write(writing, str(number).encode())
                os._exit(1)
        os._exit(0)

    def _collect(self, running: dict[int, tuple[Verdict, int]]) -> None:
        pid, status = os.wait()
        verdict, reading = running.pop(pid)
        said = os.read(reading, 20)
        os.close(reading)
        if said:
            key = (verdict.module, verdict.mutant.owner)
            self.killers[key] = self._tests(*verdict[:2])[int(said)]
        if os.waitstatus_to_exitcode(status) == NO_TRIAL:
            raise RuntimeError(f"{verdict.mutant.instead!r} could not be put into {verdict.module}")
        self.tell(verdict._replace(killed=status != 0))

    def _run(self, items: list[pytest.Item]) -> None:
        for item in items:
            item.ihook.pytest_runtest_protocol(item=item, nextitem=None)


def _noting(seen: set[CodeType]) -> Callable[[FrameType, str, object], None]:
    def note(frame: FrameType, event: str, argument: object) -> None:
        seen.add(frame.f_code)

    return note
