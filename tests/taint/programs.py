"""The services as programs, at their most talkative level, gRPC's own included, with traces on, and all that
they write and send away.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from tests.table.processes import _first_line
from tests.tracing.collector import Collected, collecting


@dataclass
class Programs:
    """Where the table service is, where everybody's metrics are, and what was written so far."""

    grpc: str
    metrics: dict[str, str]
    written: dict[str, Path]
    collected: Collected

    def pages(self) -> dict[str, str]:
        """The metrics pages by service; blocks."""
        pages = {}
        for name, address in self.metrics.items():
            with urlopen(f"http://{address}/metrics") as answer:
                pages[name] = answer.read().decode()
        return pages

    def lines(self) -> list[str]:
        """All that the services wrote."""
        return [line for path in self.written.values() for line in path.read_text().splitlines()]


@contextmanager
def programs(state_url: str, directory: Path) -> Iterator[Programs]:
    """Dealer, evaluator and table service."""
    environment = os.environ | {
        "SERVITO_STATE_URL": state_url,
        "SERVITO_DEALER_SEAL_KEYS": "test:" + base64.b64encode(bytes(range(32))).decode(),
        "SERVITO_LOG_LEVEL": "debug",
        "GRPC_VERBOSITY": "debug",
        "PYTHONASYNCIODEBUG": "1",
    }
    with ExitStack() as stack:
        collected = stack.enter_context(collecting())
        environment |= collected.settings
        found = Programs("", {}, {}, collected)
        for name in ("dealer", "evaluator", "table"):
            found.written[name] = directory / f"{name}.log"
            process = stack.enter_context(_program(name, environment, found.written[name]))
            ready = json.loads(_first_line(process))
            environment[f"SERVITO_{name.upper()}_TARGET"] = found.grpc = ready["grpc"]
            found.metrics[name] = ready["metrics"]
        yield found


@contextmanager
def _program(name: str, environment: dict[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", f"servito_{name}"]
    with (
        log.open("wb") as file,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=file, env=environment) as process,
    ):
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
