"""What a load run prints. Only printing; every number comes from figures.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rich.console import Console
from rich.table import Table

from servito_cli.load.figures import LoadFigures


def show(figures: LoadFigures, console: Console) -> None:
    """The figures and the verdict."""
    f = figures
    console.print(
        f"\n{f.actions} acts in {f.hands} hands at {f.tables} tables of {f.players}, pace {f.pace}: "
        f"{f.actions_per_s} acts a second"
    )
    latencies = {"act to answer": f.act_to_answer, "act to others' event": f.act_to_event}
    columns = [f"p{p}" for p in f.act_to_answer.ms]
    rows = {name: [latency.count, *latency.ms.values()] for name, latency in latencies.items()}
    columns_of(console, ["milliseconds from when due", "samples", *columns], rows)
    late = {
        name: [seen.count, *("more" if s is None else f"{s:g}" for s in seen.within_s.values())]
        for name, seen in f.lateness.items()
    }
    if late:
        columns_of(console, ["seconds late, at most", "deadlines", *columns], late)
    costs = {name: [cost.cpu_s, cost.resident_mib] for name, cost in f.processes.items()}
    columns_of(console, ["process", "CPU s", "resident MiB"], costs)
    console.print(f"\n{f.retries} retries, {f.late} acts too late, {f.rebuys} times bought in again")
    for who, refusals in (("players gave up on", f.refusals_of_players), ("table", f.refusals_of_table)):
        told = ", ".join(f"{reason} {count}" for reason, count in sorted(refusals.items()))
        console.print(f"refusals, {who}: {told or 'none'}", markup=False)
    if f.chips is None:
        console.print("chips were not counted: the state server is not known (--state-url)")
    else:
        chips = f.chips
        console.print(
            f"chips counted {chips.counts} times by state and journal, up to {chips.most} in play; "
            f"in the end {chips.bought_in} bought in and not cashed out, {chips.in_play} in play"
        )
    for line in [*(f"FAILED: {failure}" for failure in f.failures), *(f"  {error}" for error in f.errors)]:
        console.print(line, style="red", markup=False)
    if not f.failures:
        console.print("No promise broken.", style="green")


def columns_of(console: Console, columns: Iterable[str], rows: Mapping[str, Iterable[object]]) -> None:
    """Rows by their names, the first column, with figures at the right."""
    table = Table(*columns, box=None, pad_edge=False)
    for column in table.columns[1:]:
        column.justify = "right"
    for name, cells in rows.items():
        table.add_row(name, *map(str, cells))
    console.print()
    console.print(table)
