"""The bench's section of deadlines still works: a little of it, and nothing is said of lateness."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.bench.measure import Context, Row
from tests.bench.quiet import Quiet
from tests.bench.rates import deadlines

if TYPE_CHECKING:
    from tests.timers.whole import Whole

pytestmark = pytest.mark.one_server


def test_deadlines_fall_due_and_a_worker_dies(whole: Whole) -> None:
    """All that fell due was carried out, also what the dead worker had claimed: else none would be told."""
    few, many, dead, idle = deadlines.at(Context(Quiet(patience=0), repetitions=1, part=0.05), whole)
    assert isinstance(few, Row)
    assert isinstance(many, Row)
    assert isinstance(dead, Row)
    assert many.what.startswith("500 due together")
    assert "claims for 500 deadlines: " in many.note
    assert str(idle).startswith("idle workers: one costs the state server ")
