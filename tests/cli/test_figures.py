"""A demo's verdict: every way to fail is a failure, and the figures are written by their promised names."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from servito_cli.demo.figures import Figures, ProcessCost

GOOD = Figures(
    hands=203,
    actions=2100,
    chips_start=1500,
    chips_end=1500,
    wrong_tables=[],
    errors=0,
    retries=3,
    timeouts=1,
    stuck=[],
    rebuys=4,
    action_p50_ms=4.20394,
    action_p99_ms=20.5,
    first_hand_s=3.1,
    elapsed_s=10.0,
    hands_per_s=20.3,
    processes={"table": ProcessCost(cpu_s=5.0, resident_mib=60.0, restarts=1)},
)


def test_retries_timeouts_and_restarts_are_no_failure() -> None:
    """What was mended is counted, not held against the run."""
    assert GOOD.failures == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"chips_end": 1499}, "1500 bought in, 1499 found"),
        ({"chips_end": 1501}, "1500 bought in, 1501 found"),
        ({"wrong_tables": ["t3"]}, "t3"),
        ({"stuck": ["Sala 2"]}, "Sala 2 stands still"),
        ({"errors": 2}, "2 errors"),
    ],
)
def test_every_promise_that_is_broken_is_a_failure(change: dict[str, Any], says: str) -> None:
    """A chip too few or too many, a table wrong by itself, a stuck hand, an error."""
    assert says in "; ".join(replace(GOOD, **change).failures)


def test_the_promised_keys_are_written_as_json() -> None:
    """Whoever reads the file finds every figure under the name that was promised."""
    written = json.loads(json.dumps(GOOD.as_json()))
    promised = {
        *("hands", "actions", "chips_start", "chips_end", "errors", "retries", "timeouts"),
        *("action_p50_ms", "action_p99_ms", "elapsed_s", "hands_per_s"),
    }
    assert promised <= written.keys()
    assert written["action_p50_ms"] == 4.204
    assert written["processes"]["table"]["restarts"] == 1
