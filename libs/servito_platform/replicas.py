"""How many replicas must have a write before it counts as safe: only the numbers; firm.py acts on them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Replicas:
    """`wanted` replicas acknowledge within `seconds`, or those that are connected where these are fewer;
    nobody is waited for when `wanted` is 0. `strict`: one at the least.
    """

    wanted: int
    seconds: float
    strict: bool = False
