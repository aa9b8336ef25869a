"""Ctrl-C while something runs: it is cancelled once, and puts itself away in peace."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from servito_cli.interrupts import run_interruptible

SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


async def _interrupted(first: signal.Signals, then: signal.Signals, told: list[str]) -> None:
    """Gets `first` while it works, and `then` twice while it puts away."""
    try:
        os.kill(os.getpid(), first)
        await asyncio.sleep(5)
        told.append("worked on")
    finally:
        for _ in range(2):
            os.kill(os.getpid(), then)
            await asyncio.sleep(0.05)
        told.append("put away")


@pytest.mark.parametrize("first", SIGNALS)
@pytest.mark.parametrize("then", SIGNALS)
def test_an_impatient_second_signal_does_not_cut_off_the_end(
    first: signal.Signals, then: signal.Signals
) -> None:
    """Otherwise parts that were being stopped would be left, and the command would wait for them for ever."""
    told: list[str] = []
    assert run_interruptible(_interrupted(first, then, told)) is None
    assert told == ["put away"]


def test_without_a_signal_there_is_a_result() -> None:
    """And an error is the error."""

    async def work(error: Exception | None) -> int:
        if error is not None:
            raise error
        return 7

    assert run_interruptible(work(None)) == 7
    with pytest.raises(KeyError):
        run_interruptible(work(KeyError("x")))


def test_what_was_told_to_outlive_its_terminal_does() -> None:
    """As `nohup` tells it: SIGHUP is ignored as before."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)

    async def work() -> str:
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.sleep(0.05)
        return "done"

    try:
        assert run_interruptible(work()) == "done"
    finally:
        signal.signal(signal.SIGHUP, before)
