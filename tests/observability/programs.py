"""Debian's Prometheus, its promtool, and its exporter of Redis: as a test finds and runs them."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any, Final, Self
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest

from servito_local.ports import HOST

PROMETHEUS: Final = shutil.which("prometheus")
PROMTOOL: Final = shutil.which("promtool")
EXPORTER: Final = shutil.which("prometheus-redis-exporter") or shutil.which("redis_exporter")
needs_promtool = pytest.mark.skipif(
    PROMTOOL is None, reason="promtool is not installed (on Debian: the package prometheus)"
)
needs_prometheus = pytest.mark.skipif(
    PROMETHEUS is None or EXPORTER is None,
    reason="Prometheus and its exporter are not installed (on Debian: prometheus, prometheus-redis-exporter)",
)
_READY: Final = 20.0
_OF_EXPORTER: Final = ("--redis.addr=", "--include-system-metrics")


class Program:
    """A program that answers by HTTP at a port of this machine, until the end of the context."""

    def __init__(self, port: int, log: Path, ready: str, *arguments: str) -> None:
        self.address = f"{HOST}:{port}"
        self._log = log
        self._ready = ready
        self._arguments = arguments

    def __enter__(self) -> Self:
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(self._arguments, stdout=log, stderr=log)
        end = time.monotonic() + _READY
        while not self._answers():
            assert time.monotonic() < end, self._log.read_text()
            time.sleep(0.05)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(10)

    def _answers(self) -> bool:
        assert self._process.poll() is None, self._log.read_text()
        try:
            with urlopen(f"http://{self.address}{self._ready}", timeout=5) as answer:
                return bool(answer.status == 200)
        except (URLError, ConnectionError, TimeoutError):
            return False


class Prometheus(Program):
    """Runs on a settings file; what it keeps is in a folder beside it."""

    def __init__(self, port: int, settings: Path) -> None:
        super().__init__(
            port,
            settings.parent / "prometheus.log",
            "/-/ready",
            str(PROMETHEUS),
            f"--config.file={settings}",
            f"--storage.tsdb.path={settings.parent / 'data'}",
            f"--web.listen-address={HOST}:{port}",
        )

    def query(self, expr: str) -> list[dict[str, Any]]:
        """Its answer to a query, now; AssertionError with what it says when it cannot answer."""
        found: list[dict[str, Any]] = self.get("query", query=expr)["result"]
        return found

    def get(self, path: str, **parameters: str) -> Any:
        """The data of an answer of its API."""
        try:
            with urlopen(
                f"http://{self.address}/api/v1/{path}?{urlencode(parameters)}", timeout=10
            ) as answer:
                told = json.load(answer)
        except URLError as error:
            said = getattr(error, "read", lambda: b"")().decode()
            raise AssertionError(f"{parameters}: {error}: {said}") from error
        assert told["status"] == "success", told
        return told["data"]


class Exporter(Program):
    """Tells of any server that a request names."""

    def __init__(self, port: int, log: Path) -> None:
        super().__init__(
            port, log, "/health", str(EXPORTER), *_OF_EXPORTER, f"--web.listen-address={HOST}:{port}"
        )
