"""How long the call that is being handled may still take.

Set by the server (grpc_errors.py) from the client's deadline, read by channels (grpc_channel.py), so that a
call made on behalf of another never outlives it.
"""

from __future__ import annotations

from contextvars import ContextVar
from time import monotonic

_until: ContextVar[float | None] = ContextVar("until", default=None)


def start_countdown(seconds: float | None) -> None:
    """The current call ends in `seconds`; None: its client set no deadline."""
    _until.set(None if seconds is None else monotonic() + seconds)


def remaining() -> float | None:
    """Seconds left to the current call, perhaps negative; None outside a call and without a deadline."""
    until = _until.get()
    return None if until is None else until - monotonic()
