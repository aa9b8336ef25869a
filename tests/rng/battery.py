"""The tests of randomness: what is counted of many orders, and how likely such counts are.

Every test is exact in what it expects: cells of a multinomial, or a known distribution, and orders that are
independent of one another. A p-value is that of both sides, since counts that are too even are wrong as well.
`Battery.add` may be called again and again; one battery is for one size of deck.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import comb, expm1, factorial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from scipy import stats

from servito_core.rules import preset
from servito_evaluator.app.shelf import judge_for

if TYPE_CHECKING:
    import numpy.typing as npt

    from tests.rng.orders import Orders

    Counts = npt.NDArray[np.int64]
    Expected = npt.NDArray[np.float64]

COUNTS: Final = json.loads((Path(__file__).parents[1] / "rules" / "counts.json").read_text())
LEAST: Final = 10.0
"""Cells that are expected less often than this are counted together."""


@dataclass(frozen=True)
class Finding:
    """What one test says. `cells`: how many numbers were compared."""

    deck: int
    test: str
    statistic: float
    cells: int
    p: float


class Battery:
    """The counts of one deck; see the module."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.deals = 0
        self.no_permutations = 0
        self.places = np.zeros((size, size), np.int64)
        self.pairs = np.zeros((size, size), np.int64)
        self.serial = np.zeros((size, size), np.int64)
        self.runs = np.zeros(size + 1, np.int64)
        self.categories: dict[str, int] = {}
        self._digests: list[npt.NDArray[np.uint64]] = []

    def add(self, orders: Orders) -> None:
        """Count these, an even number of them."""
        size, count = self.size, len(orders)
        self.no_permutations += int((np.sort(orders, axis=1) != np.arange(size, dtype=np.uint8)).any(1).sum())
        for place in range(size):
            self.places[place] += np.bincount(orders[:, place], minlength=size)[:size]
        # One pair of neighbours of each order, another place each time: pairs of one order would depend.
        at, rows = np.arange(count) % (size - 1), np.arange(count)
        self.pairs += _table(orders[rows, at], orders[rows, at + 1], size)
        self.serial += _table(orders[0::2, 0], orders[1::2, 0], size)
        falls = (orders[:, 1:] < orders[:, :-1]).sum(axis=1)
        self.runs += np.bincount(falls + 1, minlength=size + 1)
        self._count_categories(orders)
        weights = np.random.default_rng(1).integers(1, 2**63, size, dtype=np.uint64) | np.uint64(1)
        self._digests.append((orders * weights).sum(axis=1, dtype=np.uint64))
        self.deals += count

    def _count_categories(self, orders: Orders) -> None:
        """What the first of as many players as the deck is for was dealt."""
        players = max(2, 11 - (15 - self.size // 4))
        hands = orders[:, : 5 * players : players] + np.uint8(52 - self.size)
        judge = judge_for(preset("italiana").ranking, 15 - self.size // 4)
        rows, _ = judge.read(hands)
        for row, count in enumerate(np.bincount(rows).tolist()):
            if count:
                shape = judge.tables.shapes[row]
                name = _NAMES[shape.category.name if shape.kind is None else shape.kind.name]
                self.categories[name] = self.categories.get(name, 0) + count

    @property
    def repeats(self) -> int:
        """How many orders had been there before."""
        digests = np.concatenate(self._digests)
        return self.deals - len(np.unique(digests))

    def findings(self) -> list[Finding]:
        """What every test says."""
        size, deals = self.size, self.deals
        everywhere = np.full((size, size), deals / size)
        statistic = _chi_square(self.places, everywhere) * (size - 1) / size
        found = [Finding(size, "position by card", statistic, size * size, _p(statistic, (size - 1) ** 2))]
        found.append(self._fit("first card", self.places[0], np.full(size, deals / size)))
        apart = ~np.eye(size, dtype=bool)
        expected = np.full(size * (size - 1), deals / (size * (size - 1)))
        found.append(self._fit("adjacent pairs", self.pairs[apart], expected))
        found.append(self._fit("runs", self.runs[1:], deals * eulerian(size)))
        serial = np.full(size * size, deals / 2 / size**2)
        found.append(self._fit("serial", self.serial.ravel(), serial))
        exact = COUNTS[str(size)]
        names = list(exact["counts"])
        shares = np.array([exact["counts"][name] for name in names]) / exact["total"]
        counted = np.array([self.categories.get(name, 0) for name in names])
        found.append(self._fit("categories", counted, deals * shares))
        # So many pairs of orders might be equal; that one is has a probability that nobody can write down.
        chance = comb(deals, 2) / factorial(size)
        found.append(Finding(size, "repeats", self.repeats, 1, -expm1(-chance) if self.repeats else 1.0))
        return found

    def _fit(self, test: str, counted: Counts, expected: Expected) -> Finding:
        counted, expected = _pooled(counted, expected)
        statistic = _chi_square(counted, expected)
        return Finding(self.size, test, statistic, len(counted), _p(statistic, len(counted) - 1))


_NAMES: Final = {
    "FOUR_OF_A_KIND": "quads",
    "FLUSH": "flush",
    "FULL_HOUSE": "full",
    "STRAIGHT": "straight",
    "THREE_OF_A_KIND": "trips",
    "TWO_PAIR": "two_pair",
    "ONE_PAIR": "pair",
    "HIGH_CARD": "high",
    "MINIMA": "sf_min",
    "MEDIA": "sf_med",
    "MASSIMA": "sf_max",
}
"""Categories, and kinds of straight flush, by the names of counts.json."""


def holm(findings: list[Finding], level: float) -> list[Finding]:
    """Those that are significant at `level` for all of them together (Holm)."""
    rejected = []
    for rank, finding in enumerate(sorted(findings, key=lambda finding: finding.p)):
        if finding.p > level / (len(findings) - rank):
            break
        rejected.append(finding)
    return rejected


def _table(one: Orders, other: Orders, size: int) -> Counts:
    cells = one.astype(np.int64) * size + other
    return np.bincount(cells, minlength=size * size).reshape(size, size)


def _chi_square(counted: Counts, expected: Expected) -> float:
    return float(((counted - expected) ** 2 / expected).sum())


def _p(statistic: float, freedom: int) -> float:
    """Of both sides."""
    upper, lower = stats.chi2.sf(statistic, freedom), stats.chi2.cdf(statistic, freedom)
    return float(min(1.0, 2 * min(upper, lower)))


def _pooled(counted: Counts, expected: Expected) -> tuple[Counts, Expected]:
    """Neighbouring rare cells counted together, as many as are expected `LEAST` times."""
    rare = expected < LEAST
    if not rare.any():
        return counted, expected
    groups = np.minimum(np.cumsum(expected[rare]) // LEAST, max(0, expected[rare].sum() // LEAST - 1))
    together = np.bincount(groups.astype(np.int64), weights=counted[rare]).astype(np.int64)
    chances = np.bincount(groups.astype(np.int64), weights=expected[rare])
    return np.append(counted[~rare], together), np.append(expected[~rare], chances)


def eulerian(size: int) -> Expected:
    """The chance of 1, 2 ... `size` ascending runs."""
    row = [1]
    for length in range(2, size + 1):
        before = [0, *row, 0]
        row = [(length - at) * before[at] + (at + 1) * before[at + 1] for at in range(length)]
    return np.array([number / factorial(size) for number in row])
