"""Waiting for what other processes do."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for `condition`; fail when it does not come about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not come about in time"
        time.sleep(0.02)
