"""What the use cases need from outside, and nothing else: a place to count."""

from __future__ import annotations

from typing import Literal, Protocol

Purpose = Literal["rank", "open", "win", "odds"]


class Tally(Protocol):
    """Counts what was judged."""

    def judged(self, purpose: Purpose, hands: int) -> None:
        """So many hands were judged for this purpose."""
