"""The state server's clock as seen from a process whose own clock means nothing."""

from __future__ import annotations

import pytest

from servito_platform.clock import ServerClock


class Local:
    """A local clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


def test_it_runs_on_between_answers() -> None:
    """From one answer on, time goes by at the local clock's pace, whatever the local clock shows."""
    local = Local()
    clock = ServerClock(local)
    clock.observe(5_000_000, sent=1000.0, received=1000.0)
    local.seconds += 1.5
    assert clock.now_ms() == 5_001_500


def test_the_quickest_answer_counts() -> None:
    """A slow answer may be wrong by half its round trip; it does not replace a quick one."""
    local = Local()
    clock = ServerClock(local)
    clock.observe(5_000_000, sent=999.998, received=1000.0)
    clock.observe(5_000_900, sent=1000.0, received=1001.0)
    local.seconds = 1001.0
    assert clock.now_ms() == 5_001_001


def test_an_old_answer_is_replaced() -> None:
    """After a minute a slower answer is worth more, because clocks drift."""
    local = Local()
    clock = ServerClock(local)
    clock.observe(5_000_000, sent=1000.0, received=1000.0)
    clock.observe(5_061_050, sent=1061.0, received=1061.1)
    local.seconds = 1061.1
    assert clock.now_ms() == 5_061_100


def test_it_is_wrong_by_half_the_round_trip_at_most() -> None:
    """Wherever between sending and receiving the server read its clock."""
    for read_at in (0.0, 0.25, 0.5, 0.75, 1.0):
        local = Local()
        clock = ServerClock(local)
        truth_ms = 7_000_000
        clock.observe(round(truth_ms + read_at * 100), sent=1000.0, received=1000.1)
        local.seconds = 1000.1
        assert abs(clock.now_ms() - (truth_ms + 100)) <= 50


def test_it_does_not_guess() -> None:
    """Before the first answer there is no server time to tell."""
    with pytest.raises(RuntimeError, match="not known"):
        ServerClock().now_ms()
