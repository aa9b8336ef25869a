"""Giving memory back to the system that was freed: glibc keeps what lay on its heap.

After large arrays of changing sizes it keeps tens of megabytes for good: the size from which on an array has
pages of its own grows with the largest one that was freed. Elsewhere nothing happens.
"""

from __future__ import annotations

import ctypes


def give_back() -> None:
    """Some milliseconds; other threads run meanwhile, but for those that want memory."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
