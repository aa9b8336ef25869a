"""How many replicas must have a write before it counts as safe: only the numbers; firm.py acts on them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Replicas:
    """`wanted` replicas acknowledge within `seconds`; nobody is waited for when `wanted` is 0.

    `strict`: also where fewer are connected to the primary, so that nobody there could take over.
    """

    wanted: int
    seconds: float
    strict: bool = False
