"""Which judges are kept: those that were asked last, as many as fit into a bounded memory.

A judge of ten players takes forty times the memory of one of three, so what counts is the size of its tables
and not the number of judges. Everything that is worked out for a judge hangs on it and goes with it.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Final

from servito_evaluator.app.judge import Judge

if TYPE_CHECKING:
    from servito_core.rules import RankingRules

MOST_ROWS: Final = 200_000
"""Of all tables together, 170 bytes each: 34 MB. The eight decks of one set of rules have 36,556."""


class Shelf:
    """Judges by rules and deck, built when first asked for. Threads may use it side by side."""

    def __init__(self, most_rows: int = MOST_ROWS) -> None:
        self._most = most_rows
        self._judges: OrderedDict[tuple[RankingRules, int], Judge] = OrderedDict()
        self._lock = Lock()
        self.rows = 0
        """Of what is kept."""

    def judge(self, rules: RankingRules, lowest: int) -> Judge:
        """The judge of that deck and those rules."""
        key = rules, lowest
        with self._lock:
            if (held := self._judges.get(key)) is not None:
                self._judges.move_to_end(key)
                return held
        built = Judge(rules, lowest)  # others may ask meanwhile
        with self._lock:
            if (held := self._judges.get(key)) is not None:
                return held
            self._judges[key] = built
            self.rows += built.rows
            while self.rows > self._most and len(self._judges) > 1:
                self.rows -= self._judges.popitem(last=False)[1].rows
        return built

    def forget(self) -> None:
        """Keep none."""
        with self._lock:
            self._judges.clear()
            self.rows = 0


SHELF: Final = Shelf()
"""That of this process."""


def judge_for(rules: RankingRules, lowest: int) -> Judge:
    """The judge of that deck and those rules, from the shelf of this process."""
    return SHELF.judge(rules, lowest)
