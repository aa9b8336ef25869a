"""`servito demo` as a process, with hands on its parts: for the tests that kill, freeze and steal.

What a test does to the system it does from outside, as an accident or a thief would: the product has no
hook for it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from servito_local.seal_key import table_keys

SERVITO = Path(sys.executable).with_name("servito")
START_SECONDS = 30.0


class Demo:
    """A demo under way, as a context that leaves no process. `options` are those of the command."""

    def __init__(self, folder: Path, *options: str) -> None:
        self._folder = folder  # a run that fails keeps its data: here, where pytest clears it away
        self._json, self._out = folder / "figures.json", folder / "out.txt"
        self._options = options

    def __enter__(self) -> Demo:
        with self._out.open("wb") as out:
            command = [str(SERVITO), "demo", *self._options, "--json", str(self._json)]
            self.process = subprocess.Popen(
                command, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, "TMPDIR": str(self._folder)}
            )
        self._own = psutil.Process(self.process.pid)
        return self

    def __exit__(self, *_: object) -> None:
        for part in self.family():
            with suppress(psutil.NoSuchProcess):
                part.kill()
        self.process.kill()
        self.process.wait(10)

    @property
    def text(self) -> str:
        """What it has printed so far."""
        return self._out.read_text(encoding="utf-8")

    @property
    def figures(self) -> dict[str, Any]:
        """What it wrote as JSON."""
        read: dict[str, Any] = json.loads(self._json.read_text(encoding="utf-8"))
        return read

    def playing(self) -> Demo:
        """Waits until the first hand has been dealt."""
        self.says("first hand", START_SECONDS)
        return self

    def says(self, words: str, seconds: float) -> None:
        """Waits until it has printed `words`; fails as soon as it cannot come to that any more."""
        wait_for(lambda: words in self.text or self.process.poll() is not None, seconds, lambda: self.text)
        assert words in self.text, self.text

    def finished(self, seconds: float) -> int:
        """Waits until it ends; its exit code."""
        return self.process.wait(seconds)

    def family(self) -> list[psutil.Process]:
        """Every process that it started and that is alive."""
        return self._own.children(recursive=True) if self._own.is_running() else []

    def part(self, name: str) -> psutil.Process:
        """The process of a part, once it is there: `table`, `dealer`, `evaluator`, `timers`, `state`."""
        found: list[psutil.Process] = []

        def look() -> bool:
            found[:] = [process for process in self.family() if _is(process, name)]
            return bool(found)

        wait_for(look, START_SECONDS, lambda: f"no process of {name}")
        return found[0]

    @property
    def state_url(self) -> str:
        """Its state server, as a Redis client is told."""
        listening = self.part("state").net_connections("tcp4")
        port = next(where.laddr.port for where in listening if where.status == psutil.CONN_LISTEN)
        return f"redis://127.0.0.1:{port}"

    @property
    def table_keys(self) -> str:
        """What its table service seals with: in the folder of the run."""
        return table_keys(Path(self.part("state").cwd()).parent)["SERVITO_TABLE_SEAL_KEYS"]

    def send(self, number: signal.Signals) -> None:
        """What a person's Ctrl-C or an init system does."""
        self.process.send_signal(number)


def wait_for(true: Callable[[], bool], seconds: float, otherwise: Callable[[], str]) -> None:
    """Waits until something is true; fails with what `otherwise` says."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, otherwise()
        time.sleep(0.05)


def _is(process: psutil.Process, name: str) -> bool:
    """Services are told apart by their program, the two servers by the folder in which they work."""
    try:
        server = name in ("state", "broker")
        return process.cwd().endswith(f"/{name}") if server else f"servito_{name}" in process.cmdline()
    except psutil.NoSuchProcess:
        return False
