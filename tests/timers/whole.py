"""The whole of what deadlines go through, in processes that a test can freeze, kill and start again."""

from __future__ import annotations

import signal
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

from servito_local.ports import HOST, Reservations
from tests.table.processes import HASTY, Running, cards_and_judgement, service
from tests.timers.world import Server

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path


class Whole:
    """State and broker, dealer, evaluator, one table service, one worker of the timers."""

    def __init__(self, directory: Path) -> None:
        with ExitStack() as stack:
            ports = stack.enter_context(Reservations())
            self.state = stack.enter_context(closing(Server("state", ports.reserve(), directory)))
            self.broker = stack.enter_context(closing(Server("broker", ports.reserve(), directory)))
            self._table_port = ports.reserve()
            judged = stack.enter_context(cards_and_judgement(self.state.url, HASTY))
            self.settings: Mapping[str, str] = {
                **judged,
                "SERVITO_BROKER_URL": self.broker.url,
                "SERVITO_TABLE_TARGET": f"{HOST}:{self._table_port}",
            }
            self._stack = stack
            bound = {"SERVITO_GRPC_BIND": f"{HOST}:{self._table_port}"}
            self.table = self.started("table", bound)
            self.timers = self.started("timers", {})
            self.workers = [self.timers]
            self._stack = stack.pop_all()

    def started(self, name: str, settings: Mapping[str, str]) -> Running:
        """Another process of a service."""
        return self._stack.enter_context(service(name, {**self.settings, **settings}))

    def replace_timers(self) -> None:
        """Start a worker in place of one that was killed."""
        self.timers = self.started("timers", {})

    def close(self) -> None:
        """End everything."""
        self._stack.close()


def freeze(part: Running) -> None:
    """SIGSTOP."""
    part.process.send_signal(signal.SIGSTOP)


def thaw(part: Running) -> None:
    """SIGCONT."""
    part.process.send_signal(signal.SIGCONT)
