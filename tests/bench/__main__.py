"""`make bench`: what this build does on this machine, beside what others do in the same run.

    python -m tests.bench [NAME...] [--repetitions N] [--patience SECONDS] [--part PART]

A row is ours against a peer or a ceiling, repetitions of both in turn; the ratio is the median of the
repetitions, with the least and the greatest. Nothing here fails because it was slow: rows say whether a goal
was reached, people judge.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, NamedTuple

from tests.bench import deal, evaluation, hands, history, idle, sealing, wire
from tests.bench.measure import Context, Row
from tests.bench.quiet import Quiet
from tests.bench.rates import deadlines, listing, traces
from tests.bench.rates import section as rates
from tests.bench.report import HEADING, line, machine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


class Section(NamedTuple):
    """A part of the bench, and for how many seconds a run of all sections lets it repeat."""

    title: str
    measure: Callable[[Context], Iterator[Row | str]]
    seconds: float


SECTIONS: Mapping[str, Section] = {
    "hands": Section("the rules core, by itself", hands.measure, 25),
    "evaluation": Section("the evaluator's tables, in process", evaluation.measure, 60),
    "deal": Section("the dealer's record, with and without proofs", deal.measure, 30),
    "tables": Section("one table process, nobody but us", rates.measure, 150),
    "listing": Section("ten thousand tables", listing.measure, 20),
    "traces": Section("what traces cost the table process", traces.measure, 80),
    "deadlines": Section("turns that end by the clock", deadlines.measure, 75),
    "wire": Section("the messages of one action", wire.measure, 5),
    "history": Section("commits drained to the archive", history.measure, 10),
    "sealing": Section("what seals and the audit stream cost a commit", sealing.measure, 5),
    "idle": Section("an idle table in the state server", idle.measure, 20),
}
"""With what a section does once, and with patience, all of them end within ten minutes on two idle cores."""


def main() -> None:
    """Measure the sections that are named, or all."""
    arguments = _arguments()
    context = Context(Quiet(arguments.patience), arguments.repetitions, arguments.part)
    begun = time.monotonic()
    os.environ.setdefault("SERVITO_LOG_LEVEL", "error")  # what services say of a machine of tests is no row
    _say(machine())
    for name in arguments.names or SECTIONS:
        section = SECTIONS[name]
        _say(f"\n{name}: {section.title}")
        until = inf if arguments.names else time.monotonic() + section.seconds
        headed = False
        for result in section.measure(replace(context, until=until)):
            if isinstance(result, Row) and not headed:
                _say(HEADING)
                headed = True
            _say(line(result) if isinstance(result, Row) else result)
    _say(f"\n{context.quiet.summary()}; took {time.monotonic() - begun:.0f} s")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Measure this build.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {', '.join(SECTIONS)}; all by default"
    )
    parser.add_argument(
        "--repetitions",
        type=int,
        default=5,
        help="of each measurement (default 5); all sections together do fewer where they are slow",
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=60,
        help="seconds to wait in all for other processes to be quiet (default 60)",
    )
    parser.add_argument(
        "--part",
        type=float,
        default=1,
        help="do so much of everything (default 1); less tells whether all works, and measures nothing",
    )
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.names) - set(SECTIONS)):
        parser.error(f"no such section: {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    if arguments.repetitions < 1:
        parser.error("--repetitions must be at least 1")
    if not 0 < arguments.part <= 1:
        parser.error("--part must be above 0, and at most 1")
    return arguments


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
