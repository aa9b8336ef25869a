"""The services as programs, at their most talkative level, gRPC's own included, with traces on, and all that
they write and send away.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

from tests.table.processes import service
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
    environment = {
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
            running = stack.enter_context(service(name, environment, found.written[name]))
            environment[f"SERVITO_{name.upper()}_TARGET"] = found.grpc = running.grpc
            found.metrics[name] = running.metrics
        yield found
