"""What a stream tells, in order and without a gap: snapshots and updates, and the place reached so far.

One message of a stream may carry several of them.

Here: the three things that a listener gets, and the cursor that drops what was seen and notices what is
missing. Not here: connections (seat.py, watching.py)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from servito.table.v1.table_pb2 import PlayResponse, TableUpdate, WatchRequest, WatchResponse
from servito_client.messages import Event, Offer, TableView, event_of


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole table as the listener may see it; supersedes everything before it."""

    table: TableView
    rewound: bool = False
    """The table has lost the latest versions that the listener had: what came after this one never happened.
    """

    @property
    def version(self) -> int:
        """Of the table."""
        return self.table.version

    @property
    def events(self) -> tuple[Event, ...]:
        """None: what led to this table is not told."""
        return ()

    @property
    def offer(self) -> Offer | None:
        """What the listener may do now; None when it is not his turn."""
        return self.table.hand.offer if self.table.hand.HasField("offer") else None


@dataclass(frozen=True, slots=True)
class Update:
    """One commit: what happened, in order, and who is to act then."""

    version: int
    events: tuple[Event, ...]
    to_act: int | None
    turn_id: int
    remaining_ms: int
    """Time left to that seat when this was sent."""
    offer: Offer | None
    """What the listener may do now; None when it is not his turn."""
    lineage: int = 0
    """Tells the version from another one of its number, where the table lost some (`Cursor`)."""


@dataclass(frozen=True, slots=True)
class Warned:
    """It is the listener's turn, and his clock runs out soon. Nothing happened at the table."""

    version: int
    """Of the table, as far as the listener knows it."""
    turn_id: int
    remaining_ms: int
    """Time left when this was sent."""

    @property
    def events(self) -> tuple[Event, ...]:
        """None."""
        return ()

    @property
    def offer(self) -> Offer | None:
        """None: that which he has still holds."""
        return None


Told = Snapshot | Update | Warned


class Gap(Exception):  # noqa: N818 - a condition of the stream, not a fault of the caller
    """A version is missing between what was seen and what arrived."""


class Cursor:
    """The last version that a listener has seen of one table, and its lineage, which tells it from another of
    that number after the table lost some.
    """

    def __init__(self, table_id: str, after_version: int | None, after_lineage: int = 0) -> None:
        self.table_id = table_id
        self.version = after_version
        self.lineage = after_lineage

    def request(self) -> WatchRequest:
        """Asks for what follows; for a snapshot where nothing was seen."""
        lineage = 0 if self.version is None else self.lineage
        return WatchRequest(table_id=self.table_id, after_version=self.version, after_lineage=lineage)

    def take(self, response: WatchResponse | PlayResponse) -> Iterator[Told]:
        """What is new in it, in order.

        `Gap` when something before it is missing: the next request asks anew.
        """
        if response.HasField("snapshot"):
            self.version, self.lineage = response.snapshot.version, response.snapshot.lineage
            yield Snapshot(response.snapshot, response.rewound)
        for update in response.updates:
            if self.version is None or update.version > self.version:
                yield self._next(update)
        if response.HasField("warning") and self.version is not None:
            yield Warned(self.version, response.warning.turn_id, response.warning.remaining_ms)

    def _next(self, update: TableUpdate) -> Update:
        if self.version is None or update.version > self.version + 1:
            self.version = None
            raise Gap(
                f"version {update.version} of table {self.table_id} arrived before one that precedes it"
            )
        self.version, self.lineage = update.version, update.lineage
        return _read(update)


def _read(update: TableUpdate) -> Update:
    return Update(
        version=update.version,
        events=tuple([event for envelope in update.events if (event := event_of(envelope)) is not None]),
        to_act=update.to_act if update.HasField("to_act") else None,
        turn_id=update.turn_id,
        remaining_ms=update.remaining_ms,
        offer=update.offer if update.HasField("offer") else None,
        lineage=update.lineage,
    )
