"""A tally that a test can read."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from servito_evaluator.app.ports import Purpose


class Counting(Counter[str]):
    """Hands that were judged, by what for."""

    def judged(self, purpose: Purpose, hands: int) -> None:
        """See `servito_evaluator.app.ports.Tally`."""
        self[purpose] += hands
