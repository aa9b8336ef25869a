"""`make rng-report`: tests the dealer's shuffle over millions of deals and writes a report with plots.

    python -m tests.rng [--deals N] [--out FOLDER] [--processes N]

Seeds come from the operating system by the dealer's own adapter, so that no two reports are alike. Exit
code: 0 passed, 1 something was found, or a shuffle that is wrong was not.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

import numpy as np

from servito_dealer.adapters.entropy import OperatingSystemEntropy
from tests.rng.battery import Battery, Finding
from tests.rng.orders import LOWEST_RANKS, WRONG, dealt, size_of
from tests.rng.report import Run, write

LEVEL: Final = 0.001
BATCH: Final = 50_000
WRONG_DEALS: Final = 300_000
WRONG_DECK: Final = 9
"""The smallest one: what is found there with so many deals is found in others."""


def main() -> int:
    """Test, write, say; the exit code."""
    arguments = _arguments()
    begun = time.monotonic()
    with ProcessPoolExecutor(arguments.processes) as pool:
        decks = [pool.submit(_tested, lowest_rank, arguments.deals) for lowest_rank in LOWEST_RANKS]
        wrong = {fault: pool.submit(_wrong, fault) for fault in WRONG}
        batteries = [deck.result() for deck in decks]
        found = {fault: findings.result() for fault, findings in wrong.items()}
    run = Run(arguments.deals, time.monotonic() - begun, LEVEL, batteries, found)
    path = write(run, arguments.out)
    sys.stdout.write(f"{'passed' if run.passed else 'FAILED'}: {path}\n")
    return 0 if run.passed else 1


def _tested(lowest_rank: int, deals: int) -> Battery:
    """The counts of so many deals, an even number of them."""
    battery, entropy = Battery(size_of(lowest_rank)), OperatingSystemEntropy()
    for first in range(0, deals, BATCH):
        count = min(BATCH, deals - first) // 2 * 2
        battery.add(dealt(lowest_rank, count, lambda _size: entropy.seed(), first))
    return battery


def _wrong(fault: str) -> list[Finding]:
    battery = Battery(size_of(WRONG_DECK))
    battery.add(WRONG[fault](battery.size, WRONG_DEALS, np.random.default_rng()))
    return battery.findings()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.rng", description="Test the dealer's shuffle.")
    parser.add_argument(
        "--deals", type=int, default=1_000_000, help="for each size of deck (default 1,000,000)"
    )
    parser.add_argument("--out", type=Path, default=Path("build/rng-report"), help="where the report goes")
    parser.add_argument("--processes", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
