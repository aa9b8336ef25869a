"""Seeds from the operating system, and from nothing else.

`os.urandom` is the kernel's generator; it blocks until that is seeded. If it fails, or is seen to repeat
itself, no hand can be opened until it works again: there is no second source to fall back to.
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING

import structlog

from servito_dealer.adapters.alarms import Alarm, Sound, unheard
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.stream import SEED_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class OperatingSystemEntropy:
    """The port `Entropy`; `source` gives so many random bytes, `sound` counts an alarm."""

    def __init__(self, source: Callable[[int], bytes] = os.urandom, sound: Sound = unheard) -> None:
        self._source = source
        self._sound = sound
        self._last = b""

    def seed(self) -> bytes:
        """32 fresh bytes. Refused: UNAVAILABLE, which is an alarm for whoever runs this machine."""
        try:
            seed = self._source(SEED_BYTES)
        except (OSError, NotImplementedError) as error:
            raise self._alarm("failed", type(error).__name__) from error
        digest = hashlib.sha256(seed).digest()
        if len(seed) != SEED_BYTES or digest == self._last:
            raise self._alarm("gave too little" if len(seed) != SEED_BYTES else "repeated itself", "")
        self._last = digest
        return seed

    def _alarm(self, what: str, error: str) -> Refused:
        _log.critical("entropy_alarm", what=what, error=error)
        self._sound(Alarm.ENTROPY)
        return Refused(Reason.UNAVAILABLE, f"the operating system's entropy {what}; nothing was dealt")
