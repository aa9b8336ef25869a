"""Where each seat is drawn: round the table, clockwise, the viewer's own at the bottom.

Pure geometry of at most ten seats: a row above, one seat at each side, a row below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ROWS: Final = {
    2: (1, 0, 1, 0),
    3: (1, 1, 0, 1),
    4: (1, 1, 1, 1),
    5: (1, 1, 2, 1),
    6: (1, 1, 3, 1),
    7: (3, 1, 2, 1),
    8: (3, 1, 3, 1),
    9: (3, 1, 4, 1),
    10: (4, 1, 4, 1),
}
"""By the number of seats: how many below, left, above and right, which is the way round."""


@dataclass(frozen=True, slots=True)
class Places:
    """Seats by place; those above and below from left to right."""

    below: tuple[int, ...]
    left: tuple[int, ...]
    above: tuple[int, ...]
    right: tuple[int, ...]

    @property
    def widest(self) -> int:
        """How many seats stand side by side at most; the middle is as wide as two."""
        return max(len(self.below), len(self.above), len(self.left) + 2 + len(self.right))


def places(seats: int, own: int | None) -> Places:
    """The places of seats 0 .. `seats` - 1; `own` (or seat 0) is in the middle of the row below."""
    below, left, above, _ = ROWS[seats]
    # Clockwise goes from the bottom to the left: the row below is walked from right to left.
    first = (own or 0) - below // 2
    order = [(first + step) % seats for step in range(seats)]
    return Places(
        below=tuple(reversed(order[:below])),
        left=tuple(order[below : below + left]),
        above=tuple(order[below + left : below + left + above]),
        right=tuple(order[below + left + above :]),
    )
