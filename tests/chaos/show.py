"""What a run of chaos prints. Only printing; every number comes from figures.py."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console

from servito_cli.load.show import columns_of
from tests.chaos.figures import Figures

_MOST: int = 10
"""Sentences of each kind that are printed."""


def show(figures: Figures, console: Console) -> None:
    """The figures and the verdict."""
    f = figures
    rows = {
        kind: [each.times, f"{each.anywhere:.2f}", f"{each.table:.2f}"]
        for kind, each in f.standstills.items()
    }
    columns_of(console, ["fault", "times", "no commit anywhere, s", "at one table, s"], rows)
    late = {name: [each.count, each.p50, each.p99, each.most] for name, each in f.lateness.items()}
    columns_of(console, ["ms late, turns that fell due", "turns", "p50", "p99", "max"], late)
    console.print("\nlongest standstills of a table, where they are long:")
    for still in f.longest:
        console.print(f"  {still}", markup=False)
    counts = {
        "hands": f.hands,
        "acts accepted": f.actions,
        "acts too late": f.late_acts,
        "requests": f.requests,
        "sent again": f.repeated,
        "retries of the SDK": f.retries,
        "deadlines delivered besides": f.delivered_again,
        "processes started again": f.restarts,
        "commits": f.commits,
        "rewinds": f.rewinds,
        "commits lost by them": f.commits_lost,
        "chips lost or created": len(f.chips),
        "effects doubled": len(f.doubled),
        "cards changed": len(f.cards),
        "tables stuck": len(f.stuck),
        "other promises broken": len(f.others),
    }
    columns_of(
        console, [f"{f.mode}, seed {f.seed}, {f.tables} tables, {f.seconds:.0f} s", ""], _cells(counts)
    )
    for name, told in (
        ("errors that came out of the SDK", f.errors),
        ("calls without an answer", f.unanswered),
        ("refusals", f.refusals),
        ("refusals of what had been answered", f.refused_copies),
    ):
        listed = ", ".join(f"{reason} {count}" for reason, count in sorted(told.items()) if count)
        console.print(f"{name}: {listed or 'none'}", markup=False)
    console.print(f"this machine stood still for up to {f.machine_stood_still:.2f} s", markup=False)
    for reason in f.notes:
        console.print(f"note: {reason}", markup=False)
    for problems in (f.chips, f.doubled, f.cards, f.stuck, f.others):
        for problem in problems[:_MOST]:
            console.print(f"  {problem}", style="red", markup=False)
    for broken in f.broken:
        console.print(f"BROKEN  {broken}", style="red", markup=False)
    if not f.broken:
        console.print("Nothing lost, nothing twice, nothing changed, nothing stuck.", style="green")


def _cells(counts: Mapping[str, int]) -> dict[str, list[object]]:
    return {name: [count] for name, count in counts.items()}
