"""What the use cases need from outside. Changes with the adapters and tasks that provide it.

A deadline is only its member here, "<table>:<wait>"; what it ends is the table service's business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class StateAway(Exception):  # noqa: N818 - it says what is the case
    """The state server does not answer."""


class TableAway(Exception):  # noqa: N818 - it says what is the case
    """The table service does not answer, or not in time; how many deadlines it carried out is not known."""


class BrokerAway(Exception):  # noqa: N818 - it says what is the case
    """The broker did not take a message, or not in time."""


class Route(StrEnum):
    """How the deadlines of a claim get to the table service."""

    BROKER = "broker"
    """As a task, carried out by whichever worker is free."""
    DIRECT = "direct"
    """By the sweeper itself."""


class Result(StrEnum):
    """What became of a deadline."""

    EXPIRED = "expired"
    STALE = "stale"
    NOT_DUE = "not_due"
    FAILED = "failed"


@dataclass(frozen=True)
class Due:
    """A claimed deadline, and for how long it was due."""

    member: str
    late_seconds: float


@dataclass(frozen=True)
class Outage:
    """A time in which nobody swept: how long it was, how long ago it ended, and a number that is greater for
    later ones.
    """

    seconds: float
    ended_seconds: float
    number: int


@dataclass(frozen=True)
class Claim:
    """What a claim found in a partition. `wait_seconds`: until its next deadline or lease; None: has none."""

    due: tuple[Due, ...]
    wait_seconds: float | None
    unreadable: int = 0
    """Members that name no deadline."""
    outage: Outage | None = None
    """The latest of the partition."""


@dataclass(frozen=True)
class Claims:
    """What a sweep found: claims, by partition, of those where something may be due; and seconds until the
    next deadline or lease of all others. None: they have none.
    """

    found: Mapping[int, Claim]
    wait_seconds: float | None = None


class Deadlines(Protocol):
    """The deadlines in the state server. Every method may raise StateAway."""

    def claim(self, limits: Mapping[int, int], silent_seconds: float) -> Claims:
        """Take due deadlines of each partition, at most as many as its limit, for the time of the lease. It
        is noted that they were swept: `silent_seconds` ago, when what was claimed was last carried out.
        """

    def tell_taken(self, worker: str, claim: str) -> None:
        """Tell another worker that its claim is being carried out here."""

    def taken(self) -> Sequence[str]:
        """Own claims that other workers began to carry out since the last call."""


class Broker(Protocol):
    """Hands claims to whichever worker is free."""

    def publish(self, claim: str, members: Sequence[str]) -> None:
        """Make a task of a claim; BrokerAway."""


class Table(Protocol):
    """The table service."""

    def expire(self, members: Sequence[str]) -> Sequence[Result]:
        """Carry out deadlines, at most 256; what became of each; TableAway."""


class Tally(Protocol):
    """What is counted and measured."""

    def swept(self, seconds: float) -> None:
        """A sweep of all partitions took `seconds`."""

    def sweep_failed(self) -> None:
        """The state server did not answer a sweep."""

    def outage(self, seconds: float) -> None:
        """For so long nobody had swept, and players get their time again."""

    def claimed(self, due: Sequence[Due]) -> None:
        """Deadlines were claimed."""

    def unreadable(self, members: int) -> None:
        """Members were found that name no deadline."""

    def handed_over(self, route: Route) -> None:
        """A claim was sent on its way."""

    def lost(self, claims: int) -> None:
        """Claims were published and nobody began to carry them out."""

    def carried_out(self, route: Route, results: Sequence[Result]) -> None:
        """The table service answered."""

    def failed(self, route: Route) -> None:
        """The table service did not answer."""
