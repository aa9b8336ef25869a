"""Alarms of the dealer: what a person has to look at, logged as critical and counted.

Nothing that is told names a seed or a card.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum


class Alarm(StrEnum):
    """Kinds."""

    ENTROPY = "entropy"
    """The operating system gave no random bytes, or the same ones twice: nothing is dealt."""
    SEAL = "seal"
    """What is stored of a hand does not open: it was changed or moved, or its key is not here."""


Sound = Callable[[Alarm], None]
"""Counts one."""


def unheard(_: Alarm) -> None:
    """For who only logs: tools without a metrics page."""
