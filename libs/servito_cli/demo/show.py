"""What a demo prints: stages, progress, told hands, the closing tables, and how to go on.

Only printing; every number comes from elsewhere (playing.py, figures.py, servito_local).
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from servito_cli.console import card_text, output
from servito_cli.demo.figures import Figures
from servito_cli.demo.playing import Plan, Playing
from servito_cli.story.telling import Tale, tell
from servito_cli.texts import TEXTS
from servito_local.stages import Stage

PLAIN_SECONDS: Final = 5.0
"""Between two lines of progress where there is no terminal."""


class Show:
    """The printed side of one demo."""

    def __init__(self, plan: Plan, console: Console | None = None) -> None:
        self._plan = plan
        self._console = console or output()

    def opening(self) -> None:
        """What is going to happen."""
        plan = self._plan
        self._console.print(
            f"Servito demo: {_plural(plan.tables, 'table')} with {plan.players} bots each, "
            f"about {_plural(plan.hands, 'hand')}, rules {plan.rules}.",
            markup=False,
        )

    def stage(self, stage: Stage) -> None:
        """A finished stage of the start and its time."""
        self._console.print(f"  {stage.name:<38} {stage.seconds:6.2f} s")

    @contextmanager
    def progress(self) -> Iterator[_Progress]:
        """Shows hands as they are played."""
        columns = (
            TextColumn("playing"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("hands"),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=self._console, disable=not self._console.is_terminal) as bar:
            yield _Progress(self._console, bar, self._plan)

    def tales(self, tales: Iterable[Tale]) -> None:
        """A few hands, told."""
        text = card_text(self._console)
        for tale in tales:
            self._console.print()
            for line in tell(tale, text, TEXTS[self._plan.language].story):
                self._console.print(line, markup=False)

    def figures(self, figures: Figures) -> None:
        """The closing tables."""
        processes = Table("process", "CPU s", "resident MiB", "restarts", box=None, pad_edge=False)
        for column in processes.columns[1:]:
            column.justify = "right"
        for name, cost in figures.processes.items():
            processes.add_row(name, f"{cost.cpu_s:.1f}", f"{cost.resident_mib:.0f}", str(cost.restarts))
        self._console.print()
        self._console.print(processes)
        self._console.print()
        print_ = self._console.print
        print_(
            f"{figures.hands} hands in {figures.elapsed_s:.1f} s ({figures.hands_per_s:.1f} a second), "
            f"the first one {figures.first_hand_s:.1f} s after the command"
        )
        print_(
            f"{figures.actions} actions, answered in {figures.action_p50_ms:.1f} ms (median), "
            f"{figures.action_p99_ms:.1f} ms (99 of 100)"
        )
        print_(
            f"{figures.timeouts} turns ended by the clock, {figures.retries} retries, "
            f"{figures.rebuys} times a bot bought in again"
        )
        print_(f"{figures.chips_start} chips bought in, {figures.chips_end} found again by state and journal")

    def verdict(self, failures: Sequence[str], errors: Sequence[str], kept: str) -> None:
        """Whether it went well; where the logs are if not."""
        if not failures:
            self._console.print("No chip missing, no hand stuck, no error.", style="green")
            return
        for line in [f"FAILED: {failure}" for failure in failures] + [f"  {error}" for error in errors[:10]]:
            self._console.print(line, style="red", markup=False)
        self._console.print(f"Logs and state are kept in {kept}", markup=False)

    def how_to_go_on(self) -> None:
        """What to try next."""
        servito = sys.argv[0]
        self._console.print()
        self._console.print("Go on from here:")
        for command, what in (
            ("up", "run the system until Ctrl-C, for clients of your own"),
            ("demo --tables 8 --hands 2000 --players 6", "a longer run"),
            ("demo --preset classico", "other rules: with blinds, and pots that nobody bets for are carried"),
            ("hand run tests/cases/hands/*.json", "play scripted hands against the rules"),
            ("eval AhKhQhJhTh 9s9d9c9hAs", "name hands and the winner"),
            ("odds AhAdKc7s2d", "what a draw may bring, counted exactly"),
            ("rules show classico", "rules told in words"),
            ("--help", "everything else"),
        ):
            self._console.print(f"  {servito} {command:<42} {what}", markup=False)


class _Progress:
    """Called again and again with the run; shows a bar, or a line now and then where there is no terminal."""

    def __init__(self, console: Console, bar: Progress, plan: Plan) -> None:
        self._console, self._bar, self._plan = console, bar, plan
        self._task = bar.add_task("playing", total=plan.hands)
        self._next_line = monotonic() + PLAIN_SECONDS

    def __call__(self, playing: Playing) -> None:
        self._bar.update(self._task, completed=min(playing.hands, self._plan.hands))
        for name in playing.stuck:
            self._console.print(f"  {name}: nothing happens any more", style="red", markup=False)
        if not self._console.is_terminal and monotonic() >= self._next_line:
            self._next_line += PLAIN_SECONDS
            self._console.print(f"  {playing.hands} of {self._plan.hands} hands")


def _plural(count: int, thing: str) -> str:
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"
