"""What a dashboard is made of. Words and queries only; how Grafana writes it down is `form`'s."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Unit(StrEnum):
    """Of Grafana's units, those that are used."""

    NUMBER = "short"
    PER_SECOND = "ops"
    SECONDS = "s"
    BYTES = "bytes"
    BYTES_PER_SECOND = "Bps"
    RATIO = "percentunit"
    YES_NO = "bool_yes_no"


class Kind(StrEnum):
    """How a panel looks."""

    LINES = "timeseries"
    NUMBER = "stat"
    """The latest value, large; red where it reaches the panel's `bad`."""


@dataclass(frozen=True, slots=True)
class Query:
    """`legend` may name labels as {{label}}."""

    expr: str
    legend: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """`about` is shown at its title: what it means, and what is good. `bad`: from this value on it is red."""

    title: str
    about: str
    queries: tuple[Query, ...]
    unit: Unit = Unit.NUMBER
    kind: Kind = Kind.LINES
    bad: float | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """Panels side by side under a title; those that do not fit come below."""

    title: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A dashboard; its name among BOARDS is its file and its address in Grafana."""

    title: str
    about: str
    rows: tuple[Row, ...]


def lines(title: str, about: str, unit: Unit, *queries: tuple[str, str], bad: float | None = None) -> Panel:
    """Lines over time; each query with its legend."""
    return Panel(title, about, tuple(Query(*query) for query in queries), unit, bad=bad)


def number(title: str, about: str, expr: str, unit: Unit = Unit.NUMBER, *, bad: float | None = None) -> Panel:
    """One number, as it is now."""
    return Panel(title, about, (Query(expr),), unit, Kind.NUMBER, bad)


def rate(selector: str) -> str:
    """How much a counter grows in a second, over the interval that fits the zoom."""
    return f"rate({selector}[$__rate_interval])"


def by(labels: str, selector: str) -> str:
    """The sum of such rates for each value of these labels."""
    return f"sum by ({labels}) ({rate(selector)})"


def quantile(of_100: int, histogram: str, labels: str = "", select: str = "") -> str:
    """The value that so many of a hundred observations stay below."""
    kept = f"le, {labels}" if labels else "le"
    return f"histogram_quantile({of_100 / 100:g}, sum by ({kept}) ({rate(f'{histogram}_bucket{select}')}))"
