"""Ranges of numbers as they are typed: `50..200`, `50..`, `..200`, or one number for both ends."""

from __future__ import annotations

import re
from typing import Final

_SPAN: Final = re.compile(r"(\d{1,15})?\.\.(\d{1,15})?|(\d{1,15})", re.ASCII)


def span(word: str) -> tuple[int, int]:
    """Both ends, 0 for one that is open; ValueError saying what cannot be read."""
    found = _SPAN.fullmatch(word)
    if found is None or word == "..":
        raise ValueError(f"{word!r} must be LEAST..MOST, such as 50..200, or one number")
    least, most, both = found.groups()
    if both is not None:
        return int(both), int(both)
    ends = int(least or 0), int(most or 0)
    if most is not None and ends[0] > ends[1]:
        raise ValueError(f"{word!r} begins above its end")
    return ends
