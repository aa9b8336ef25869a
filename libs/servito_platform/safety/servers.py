"""What is unsafe about the state server and the broker, judged from what they say of themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from servito_platform.safety.facts import Facts
from servito_platform.safety.names import Risk, Unsafe

LEAST_VERSION: Final = 7


def judge_server(facts: Facts, what: str, *, keeps: bool) -> Iterator[Unsafe]:
    """Risks of one server that writes; `keeps`: what it holds must outlive it (the state; a broker's messages
    may be lost).
    """
    if facts.major < LEAST_VERSION:
        yield Unsafe(Risk.OLD_SERVER, what)
    if facts.policy is not None and facts.policy != "noeviction":
        yield Unsafe(Risk.EVICTION, what)
    if not keeps:
        return
    if facts.appends is False:
        yield Unsafe(Risk.NOT_KEPT, what)
    elif facts.fsync == "no":
        yield Unsafe(Risk.NOT_SYNCED, what)
