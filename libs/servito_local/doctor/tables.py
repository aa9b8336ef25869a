"""What is stored: sweeps, deadlines, chips, hands that stand still. Judged partition by partition.

A running hand always waits with a deadline, for a player or for the dealer; between hands a table may wait
without one. A deadline stands in the table's hash and in the sorted set that is swept: one that is missing
there is never carried out. Of a state nothing is told but ids, phase of waiting and chips.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from google.protobuf.message import DecodeError

from servito.table.v1 import store_pb2
from servito_local.doctor.findings import Fact, Finding, Kind, Severity, error, note, warning
from servito_local.doctor.maintenance import Held
from servito_local.doctor.sealed import Sealed
from servito_platform.deadlines import Due
from servito_witness.chips import chips_in_play
from servito_witness.hands import runs as runs_a_hand
from servito_witness.stored import Partition, StoredHash

OLD_SWEEP: Final = 5.0
"""Seconds; a sweep is noted once a second."""
LATE: Final = 1.0
"""Seconds that a deadline may be due without anybody being to blame."""
VERY_LATE: Final = 3.0
BEHIND: Final = 60.0
"""Seconds for which a commit may wait for the archive: it is drained once a second."""
FAR_BEHIND: Final = 600.0
RECENT: Final = 3600.0
"""Seconds for which an outage is worth telling."""


@dataclass
class Seen:
    """What was read so far. `patience`: seconds after which a table counts as stuck."""

    patience: float
    partitions: int = 0
    tables: int = 0
    deadlines: int = 0
    hands: int = 0
    never: int = 0
    """Partitions that were never swept though something waits in them."""
    old: list[float] = field(default_factory=list)
    """Ages of sweeps that are too old."""
    outage: tuple[float, float] | None = None
    """Its seconds, and how long ago it ended; the longest one."""
    overdue: list[float] = field(default_factory=list)
    unarchived: int = 0
    """Entries that wait for the archive."""
    unarchived_for: float = 0.0
    """Seconds that the oldest has waited."""
    of_deadlines: list[Finding] = field(default_factory=list)
    of_chips: list[Finding] = field(default_factory=list)
    of_hands: list[Finding] = field(default_factory=list)
    readable: list[str] = field(default_factory=list)
    """Tables whose public part is a message."""
    held: Held = field(default_factory=Held)
    sealed: Sealed = field(default_factory=Sealed)

    def take(self, partition: Partition) -> None:
        """Judge one."""
        self.partitions += 1
        self.tables += len(partition.tables)
        self.deadlines += len(partition.deadlines)
        self._sweep(partition)
        self.unarchived += partition.undrained
        if partition.oldest is not None:
            self.unarchived_for = max(self.unarchived_for, (partition.now - partition.oldest) / 1000)
        self._due(partition)
        states = dict(self._states(partition))
        self.of_chips += _chips(partition, states)
        for table in partition.tables:
            if (state := states.get(table.table_id)) is not None:
                self.held.take(state)
                self.of_hands += self._table(partition, table, state)

    def sweeps(self) -> Iterator[Finding]:
        """About the sweepers."""
        if self.never:
            yield error(Kind.NEVER_SWEPT, partitions=self.never, all=self.partitions)
        if self.old:
            yield error(
                Kind.SWEEP_OLD, partitions=len(self.old), all=self.partitions, seconds=round(max(self.old))
            )
        if self.outage is not None:
            seconds, ago = self.outage
            yield note(Kind.OUTAGE, seconds=round(seconds), ago=round(ago))

    def late(self) -> Iterator[Finding]:
        """About deadlines that are due."""
        if self.overdue:
            worst = max(self.overdue)
            severity = Severity.ERROR if worst > VERY_LATE else Severity.WARNING
            facts: dict[str, Fact] = {"deadlines": len(self.overdue), "seconds": round(worst, 1)}
            yield Finding(Kind.OVERDUE, severity, facts)
        yield from self.of_deadlines

    def history(self, *, kept: bool) -> Iterator[Finding]:
        """About what waits for the archive; `kept`: there is one."""
        if not kept:
            yield note(Kind.HISTORY_OFF, variable="SERVITO_HISTORY_URL")
        elif self.unarchived_for > BEHIND:
            severity = Severity.ERROR if self.unarchived_for > FAR_BEHIND else Severity.WARNING
            facts: dict[str, Fact] = {"entries": self.unarchived, "seconds": round(self.unarchived_for)}
            yield Finding(Kind.HISTORY_BEHIND, severity, facts)

    def chips(self) -> Iterator[Finding]:
        """About chips, and states that cannot be read."""
        yield from self.of_chips
        yield from self.sealed.of_chips()

    def _sweep(self, partition: Partition) -> None:
        times = [int(word) for word in (partition.swept or b"").split()]
        if not times:
            self.never += bool(partition.deadlines)
            return
        age = (partition.now - times[0]) / 1000
        if age > OLD_SWEEP:
            self.old.append(age)
        if len(times) == 3 and (partition.now - times[2]) / 1000 < RECENT:
            outage = ((times[2] - times[1]) / 1000, (partition.now - times[2]) / 1000)
            self.outage = max(self.outage or outage, outage)

    def _due(self, partition: Partition) -> None:
        unreadable = 0
        for member, score in partition.deadlines.items():
            try:
                Due.of_member(member, late_ms=0)
            except ValueError:
                unreadable += 1
                continue
            if (late := (partition.now - score) / 1000) > LATE:
                self.overdue.append(late)
        if unreadable:
            self.of_deadlines.append(
                warning(Kind.DEADLINE_UNREADABLE, deadlines=unreadable, partition=partition.number)
            )

    def _states(self, partition: Partition) -> Iterator[tuple[str, store_pb2.StoredTable]]:
        for table in partition.tables:
            if table.state is None:
                continue
            try:
                state = store_pb2.StoredTable.FromString(table.state)
            except DecodeError:
                self.of_chips.append(error(Kind.TABLE_UNREADABLE, table=table.table_id))
                continue
            self.sealed.take(state)
            self.readable.append(table.table_id)
            yield table.table_id, state

    def _table(
        self, partition: Partition, table: StoredHash, state: store_pb2.StoredTable
    ) -> Iterator[Finding]:
        runs = runs_a_hand(state)
        self.hands += runs
        hand = f"{table.table_id}-{state.hand.number}" if runs else ""
        late = (partition.now - table.deadline) / 1000
        if runs and not table.deadline:
            yield error(Kind.NO_DEADLINE, table=table.table_id, hand=hand)
        elif table.deadline and late > self.patience:
            waits_for_cards = runs and not state.hand.HasField("to_act")
            kind = Kind.WAITS_FOR_CARDS if waits_for_cards else Kind.TABLE_STUCK
            seconds = (partition.now - table.started) / 1000 if waits_for_cards else late
            yield error(kind, table=table.table_id, hand=hand or "-", seconds=round(seconds))
        yield from _events(table)
        waits = [*table.waits, *([(table.member, table.deadline)] if table.deadline else [])]
        for member, _ in waits:
            if member.encode() not in partition.deadlines:
                yield error(
                    Kind.DEADLINE_LOST,
                    table=table.table_id,
                    wait=member.rpartition(":")[2] or "-",
                )


def _events(table: StoredHash) -> Iterator[Finding]:
    """Whether hash and stream are of one moment; the stream of a closed table ends before its hash."""
    facts: dict[str, Fact] = {"table": table.table_id, "version": table.version, "newest": table.newest}
    if table.newest > table.version:
        yield Finding(Kind.EVENTS_AHEAD, Severity.ERROR, facts)
    elif table.newest < table.version and not (table.closed and not table.newest):
        yield Finding(Kind.EVENTS_BEHIND, Severity.WARNING, facts)


def _chips(partition: Partition, states: dict[str, store_pb2.StoredTable]) -> Iterator[Finding]:
    """Tables whose chips are not what their journal says; those that cannot be read were told before."""
    bought_in: Counter[str] = Counter(partition.carried)
    for place, blob in enumerate(partition.journal):
        try:
            entry = store_pb2.JournalEntry.FromString(blob)
        except DecodeError:
            yield error(Kind.JOURNAL_UNREADABLE, partition=partition.number, entry=place + 1)
            return
        bought_in[entry.table_id] += entry.amount
    unreadable = {table.table_id for table in partition.tables if table.state is not None} - states.keys()
    for table_id in sorted(bought_in.keys() | states.keys() - unreadable):
        if table_id in unreadable:
            continue
        in_play = chips_in_play(states[table_id]) if table_id in states else 0
        if in_play != bought_in[table_id]:
            yield error(
                Kind.CHIPS_WRONG,
                table=table_id,
                in_play=in_play,
                bought_in=bought_in[table_id],
                difference=in_play - bought_in[table_id],
            )
