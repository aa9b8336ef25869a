"""Twins of the dealer's ports without a server: a vault in memory, entropy that is told, a monitor that
remembers.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import count

from servito_dealer.app.ports import Mark, Stored
from servito_dealer.app.refusals import Reason
from servito_dealer.app.requests import DealEntry, Entry, Opening


@dataclass
class MemoryVault:
    """The port `Vault`; `calls` counts what would be round trips. The contract tests run on it and on the
    real one.
    """

    hands: dict[str, Stored] = field(default_factory=dict)
    calls: Counter[str] = field(default_factory=Counter)
    acknowledges: bool = True
    _serial: count[int] = field(default_factory=count)

    async def open(self, opening: Opening, seed: bytes, *first: DealEntry) -> Stored:
        self.calls["open"] += 1
        fresh = Stored(seed, opening, first, self._mark(1 + len(first)))
        stored = self.hands.setdefault(opening.hand, fresh)
        return replace(stored, safe=self.acknowledges)

    async def safe(self, hand: str) -> bool:
        self.calls["safe"] += 1
        return hand in self.hands and self.acknowledges

    async def load(self, hand: str) -> Stored | None:
        self.calls["load"] += 1
        return self.hands.get(hand)

    async def append(self, hand: str, mark: Mark, entry: Entry) -> Mark | Stored | None:
        self.calls["append"] += 1
        stored = self.hands.get(hand)
        if stored is None or stored.mark != mark:
            return stored
        written = self._mark(mark.length + 1)
        self.hands[hand] = Stored(stored.seed, stored.opening, (*stored.entries, entry), written)
        return written

    def _mark(self, length: int) -> Mark:
        return Mark(length, b"%d" % next(self._serial))


@dataclass
class Counts:
    """The port `Monitor`."""

    counted: Counter[str] = field(default_factory=Counter)

    def hand_opened(self) -> None:
        self.counted["hands"] += 1

    def entry_recorded(self, kind: str, cards: int) -> None:
        self.counted[kind] += 1
        self.counted[f"{kind} cards"] += cards

    def refused(self, reason: Reason) -> None:
        self.counted[reason] += 1
