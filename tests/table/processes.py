"""The real services as processes of their own, started and stopped by a test."""

from __future__ import annotations

import base64
import json
import os
import selectors
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

START_SECONDS = 30.0
STOP_SECONDS = 20.0
_NO_MORE: Mapping[str, str] = {}
HASTY: Mapping[str, str] = {"SERVITO_STATE_TIMEOUT": "0.3"}
"""As services are where nothing else is said: for tests in which the state server goes away."""


@dataclass
class Running:
    """A service that said that it serves."""

    process: subprocess.Popen[bytes]
    grpc: str
    metrics: str

    def kill(self) -> None:
        """As if the machine had gone."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> int:
        """As whoever runs it asks it to stop; its exit code."""
        self.process.terminate()
        return self.process.wait(STOP_SECONDS)


@contextmanager
def service(name: str, environment: Mapping[str, str], log: Path | None = None) -> Iterator[Running]:
    """`python -m servito_<name>` with these settings; it logs to `log`, or where the tests themselves do."""
    with _begun(name, environment, log) as process:
        yield _serving(process)


@contextmanager
def cards_and_judgement(state_url: str, more: Mapping[str, str] = _NO_MORE) -> Iterator[dict[str, str]]:
    """A dealer and an evaluator, with more settings; yields those with which a table service finds them. All
    are patient with a state server that a busy machine does not run, unless `more` says that they are not.
    """
    key = "test:" + base64.b64encode(bytes(range(32))).decode()
    settings = {
        "SERVITO_STATE_URL": state_url,
        "SERVITO_DEALER_SEAL_KEYS": key,
        "SERVITO_LOG_LEVEL": os.environ.get("SERVITO_LOG_LEVEL", "warning"),
        "SERVITO_STATE_TIMEOUT": "5",
        **more,
    }
    with _begun("dealer", settings) as dealer, _begun("evaluator", settings) as evaluator:
        yield settings | {
            "SERVITO_DEALER_TARGET": _serving(dealer).grpc,
            "SERVITO_EVALUATOR_TARGET": _serving(evaluator).grpc,
        }


@contextmanager
def _begun(
    name: str, environment: Mapping[str, str], log: Path | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """A service that starts; in the end it stops as if it were asked to."""
    command = [sys.executable, "-m", f"servito_{name}"]
    with ExitStack() as stack:
        written = stack.enter_context(log.open("wb")) if log else None
        process = stack.enter_context(
            subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=written, env={**os.environ, **environment}
            )
        )
        try:
            yield process
            if process.poll() is None:
                process.terminate()
                process.wait(STOP_SECONDS)
        finally:
            if process.poll() is None:
                process.kill()


def _serving(process: subprocess.Popen[bytes]) -> Running:
    """Where it serves, as soon as it does."""
    ready = json.loads(first_line(process))
    return Running(process, ready["grpc"], ready["metrics"])


def first_line(process: subprocess.Popen[bytes]) -> bytes:
    """What it says first, on its standard output."""
    assert process.stdout is not None
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        if not selector.select(START_SECONDS):
            raise TimeoutError("the service did not say that it serves")
    return process.stdout.readline()
