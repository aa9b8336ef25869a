"""The protocol of commits and deadlines keeps its laws, whatever order things happen in."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.model.machine import Protocol

EXAMPLES = int(os.environ.get("MODEL_EXAMPLES", "60"))
STEPS = int(os.environ.get("MODEL_STEPS", "60"))


@pytest.mark.timeout(3_600)
def test_the_laws_hold(model_url: str) -> None:
    """Two players, timers, lost answers and requests, kills and failovers, in many orders: all laws hold."""
    Protocol.url = model_url
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
