"""`make mutation`: whether the tests notice small faults in ranking, betting, pots and showdown.

    python -m tests.mutation [MODULE...] [--jobs N] [--seconds N]

Prints every survivor, then for each module its mutants, killed and survived. Exit status 1 if less than 90 %
are killed in a module, 2 if the trial itself failed or its time was up. README.md says why survivors may
live, and changes with them.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter

import pytest

from tests.mutation.trial import Trial, Verdict

MODULES = (
    "pots", "showdown", "limits", "betting",
    "ranking.rank", "ranking.shape", "ranking.strength", "ranking.winning",
    "turns", "opening", "openers", "endings", "changes.betting", "changes.chips",
)  # fmt: skip
TESTS = (
    "tests/core/hand", "tests/core/ranking", "tests/core/test_openers.py", "tests/core/test_cards.py",
    "tests/script/test_hand_scripts.py", "tests/script/test_comparisons.py",
    "tests/script/test_judged_hands.py",
)  # fmt: skip
LEAST = 90


def main() -> int:
    """Try the modules that are named, or all."""
    arguments = _arguments()
    os.nice(10)
    verdicts: list[Verdict] = []

    def tell(verdict: Verdict) -> None:
        verdicts.append(verdict)
        if not verdict.killed:
            fault = verdict.mutant
            _say(f"  lives: {_short(verdict.module)}:{fault.line} {fault.was!r} -> {fault.instead!r}")

    modules = [f"servito_core.{name}" for name in arguments.names or MODULES]
    trial = Trial(modules, arguments.jobs, time.monotonic() + arguments.seconds, tell)
    begun = time.monotonic()
    options = ("-p", "no:terminal", "-p", "no:cacheprovider", "-o", "addopts=", "--import-mode=importlib")
    status = pytest.main([*options, "-x", *TESTS], plugins=[trial])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED) or not trial.sound or not verdicts:
        _say(f"no trial: the tests have to pass without a fault first (pytest: {status!r})")
        return 2
    enough = _table(modules, verdicts)
    _say(f"took {time.monotonic() - begun:.0f} s")
    if not trial.complete:
        _say(f"stopped after {arguments.seconds} s: not every mutant was tried")
        return 2
    return 0 if enough else 1


def _table(modules: list[str], verdicts: list[Verdict]) -> bool:
    """Print the figures; whether enough are killed in every module."""
    tried = Counter(verdict.module for verdict in verdicts)
    killed = Counter(verdict.module for verdict in verdicts if verdict.killed)
    _say(f"{'module':<18} {'mutants':>8} {'killed':>8} {'survived':>9} {'':>6}")
    for module in (*modules, ""):
        count = tried[module] if module else tried.total()
        dead = killed[module] if module else killed.total()
        if count:
            name = _short(module) if module else "all"
            _say(f"{name:<18} {count:>8} {dead:>8} {count - dead:>9} {100 * dead / count:>5.1f}%")
    return all(100 * killed[module] >= LEAST * tried[module] for module in modules)


def _short(module: str) -> str:
    return module.removeprefix("servito_core.")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description="Try the tests on faults.")
    parser.add_argument("names", nargs="*", metavar="MODULE", help=f"of {', '.join(MODULES)}; all by default")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once (default 2)")
    parser.add_argument("--seconds", type=int, default=1200, help="stop after so long (default 1200)")
    return parser.parse_args()


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
