"""The machine's clock, and a process whose clock is wrong: Debian's libfaketime in front of the C library.

Only the time of day is off; monotonic clocks, by which programs wait, run on as they do on a machine with a
wrong clock. Where the library is not installed the kind is left out, and the report says so.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

_PLACES: Final = (
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1",
)


def now_ms() -> int:
    """The machine's clock, which is that of its servers."""
    return time.time_ns() // 1_000_000


def library() -> str | None:
    """Where libfaketime is (LIBFAKETIME names another place); None where it is not."""
    places = [os.environ.get("LIBFAKETIME", ""), *_PLACES]
    return next((place for place in places if place and Path(place).is_file()), None)


def skewed(seconds: int) -> dict[str, str]:
    """The environment of a process whose clock is ahead by `seconds`."""
    found = library()
    if found is None:
        raise LookupError("libfaketime is not installed: apt-get install libfaketime")
    return {"LD_PRELOAD": found, "FAKETIME": f"{seconds:+d}s", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
