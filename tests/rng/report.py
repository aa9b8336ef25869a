"""The report: what was tested and how, every test with its p-value, the wrong shuffles, and pictures."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from matplotlib.figure import Figure

from tests.rng.battery import Battery, Finding, eulerian, holm

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

METHOD: Final = """\
Every test is exact: cells of a multinomial distribution over independent deals, or a known one. p-values are
of both sides, so that counts that are too even fail as well. With a shuffle that is right, all tests together
find something in {level} of such reports.

| test | what is compared |
|--|--|
| position by card | how often each card lay at each position: (n - 1)^2 degrees of freedom |
| first card | which card is dealt first |
| adjacent pairs | which two cards follow one another, at one place of each deal |
| runs | ascending runs of the order, against the Eulerian distribution |
| serial | first card of a deal by first card of the next |
| categories | what the first player was dealt, against exact counts (tests/rules/counts.json) |
| repeats | orders that had been there before |
"""
PICTURES: Final = """
![p-values](p-values.png)

Sorted p-values of all tests: with a right shuffle they lie along the line.

![positions](positions.png)

How far each count of card by position is from the expected, in standard deviations.

![runs](runs.png)

## Shuffles that are known to be wrong

The same tests on shuffles with planted faults; each has to be found.

| fault | found by | smallest p |
|--|--|--|"""


@dataclass(frozen=True)
class Run:
    """What the report is about."""

    deals: int
    seconds: float
    level: float
    batteries: Sequence[Battery]
    wrong: Mapping[str, Sequence[Finding]]
    """The findings about each shuffle that is known to be wrong."""

    @property
    def findings(self) -> list[Finding]:
        """Those of all decks."""
        return [finding for battery in self.batteries for finding in battery.findings()]

    @property
    def passed(self) -> bool:
        """The dealer's shuffle passes, and every wrong one is found."""
        right = not holm(self.findings, self.level) and not any(b.no_permutations for b in self.batteries)
        return right and all(holm(list(found), self.level) for found in self.wrong.values())


def write(run: Run, folder: Path) -> Path:
    """Writes report.md and its pictures; the path of the report."""
    folder.mkdir(parents=True, exist_ok=True)
    findings = run.findings
    _places(run.batteries, folder / "positions.png")
    _p_values(findings, folder / "p-values.png")
    _runs(run.batteries[0], folder / "runs.png")
    path = folder / "report.md"
    path.write_text("\n".join(_lines(run, findings)) + "\n", encoding="utf-8")
    return path


def _lines(run: Run, findings: list[Finding]) -> list[str]:
    tests = [finding.test for finding in run.batteries[0].findings()]
    lines = [*_summary(run, findings), "", "## The dealer's shuffle", ""]
    lines += ["| cards | " + " | ".join(tests) + " |", "|--|" + "--|" * len(tests)]
    for battery in run.batteries:
        cells = (
            f"{found.statistic:.0f}" if found.test == "repeats" else f"p = {found.p:.4f}"
            for found in battery.findings()
        )
        lines.append(f"| {battery.size} | {' | '.join(cells)} |")
    smallest, least = min(findings, key=lambda finding: finding.p), run.level / len(findings)
    where = f"{smallest.test}, {smallest.deck} cards"
    lines += ["", f"Smallest: p = {smallest.p:.2g} ({where}); significant would be below {least:.2g}."]
    lines += [PICTURES]
    for fault, found in run.wrong.items():
        significant = holm(list(found), run.level)
        names = ", ".join(dict.fromkeys(each.test for each in significant)) or "**NOT FOUND**"
        lines.append(f"| {fault} | {names} | {min(each.p for each in found):.2g} |")
    return lines


def _summary(run: Run, findings: list[Finding]) -> list[str]:
    total = sum(battery.deals for battery in run.batteries)
    broken = sum(battery.no_permutations for battery in run.batteries)
    machine = f"Python {platform.python_version()}, {platform.machine()}"
    return [
        "# Randomness of the deal",
        "",
        f"**{'Passed' if run.passed else 'FAILED'}**: {total:,} deals of the dealer's own shuffle,",
        f"{run.deals:,} for each of {len(run.batteries)} decks, seeds from the operating system;",
        f"{len(findings)} tests,",
        f"{len(holm(findings, run.level))} significant at {run.level} for all of them together (Holm);",
        f"{broken} orders that are no permutation. {run.seconds:.0f} s on {machine}.",
        "",
        METHOD.format(level=f"{run.level:.1%}"),
    ]


def _places(batteries: Sequence[Battery], path: Path) -> None:
    figure = Figure(figsize=(14, 7), layout="constrained")
    axes = figure.subplots(2, 4)
    image = None
    for battery, axis in zip(batteries, axes.flat, strict=False):
        expected = battery.deals / battery.size
        deviation = (battery.places - expected) / np.sqrt(expected * (1 - 1 / battery.size))
        image = axis.imshow(deviation, cmap="RdBu", vmin=-4, vmax=4)
        axis.set_title(f"{battery.size} cards")
        axis.set_xlabel("card")
        axis.set_ylabel("position")
    if image is not None:
        figure.colorbar(image, ax=axes)
    figure.savefig(path, dpi=100)


def _p_values(findings: list[Finding], path: Path) -> None:
    values = sorted(finding.p for finding in findings if finding.test != "repeats")
    figure = Figure(figsize=(6, 6), layout="constrained")
    axis = figure.subplots()
    axis.plot((np.arange(len(values)) + 0.5) / len(values), values, "o", markersize=4)
    axis.plot([0, 1], [0, 1], color="grey")
    axis.set_xlabel("expected")
    axis.set_ylabel("p")
    figure.savefig(path, dpi=100)


def _runs(battery: Battery, path: Path) -> None:
    figure = Figure(figsize=(8, 4), layout="constrained")
    axis = figure.subplots()
    places = np.arange(1, battery.size + 1)
    axis.bar(places, battery.runs[1:] / battery.deals, label="dealt")
    axis.plot(places, eulerian(battery.size), color="black", label="exact")
    axis.set_xlabel(f"ascending runs in an order of {battery.size} cards")
    axis.set_ylabel("share of deals")
    axis.legend()
    figure.savefig(path, dpi=100)
