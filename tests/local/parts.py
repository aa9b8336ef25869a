"""Parts that are quick to start: small Python programs in place of the services."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

from servito_local.part import Part
from servito_local.services import ready_line

READY = """
import json, os, signal, sys, time
def ready():
    print(json.dumps({"event": "ready", "pid": os.getpid()}), flush=True)
"""
SERVING = f"{READY}\nready()\ntime.sleep(600)"
"""Serves, and ends at once when it is told to."""


def make_part(
    directory: Path, name: str, code: str = SERVING, *, rank: int = 0, start: float = 10, stop: float = 5
) -> Part:
    """A part that runs `code`."""
    return Part(
        name=name,
        program=(sys.executable, "-I", "-S", "-c", code),
        environment=dict(os.environ),
        log=directory / f"{name}.log",
        ready=ready_line,
        rank=rank,
        start_seconds=start,
        stop_seconds=stop,
    )


def alive(pid: int) -> bool:
    """Whether a process runs; one that is dead and not yet collected does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


async def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for `condition`; fail when it does not come about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not come about in time"
        await asyncio.sleep(0.02)
