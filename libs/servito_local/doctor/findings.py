"""What a check finds, as data: a kind, how bad it is, and the facts that a sentence about it needs.

Changes with the texts of the doctor in the command: each kind has its words there, with the facts named here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum


class Severity(IntEnum):
    """How bad; also the exit code of a report with nothing worse, but for a note."""

    NOTE = 0
    """Worth knowing; nothing to do."""
    WARNING = 1
    """Works, and will hurt."""
    ERROR = 2
    """Broken, or about to lose something."""


class Check(StrEnum):
    """What is looked at, in this order."""

    SETTINGS = "settings"
    STATE = "state"
    BROKER = "broker"
    KEEPING = "keeping"
    MEMORY = "memory"
    REPLICAS = "replicas"
    CLOCKS = "clocks"
    SWEEPS = "sweeps"
    DEADLINES = "deadlines"
    CHIPS = "chips"
    HANDS = "hands"
    HISTORY = "history"
    OPENING = "opening"
    SERVICES = "services"


class Kind(StrEnum):
    """What may be found; behind each the facts."""

    DEVELOPMENT = "development"
    """risks"""
    UNSAFE = "unsafe"
    """risk, what"""
    SETTING_WRONG = "setting-wrong"
    """service, told"""
    SETTING_UNKNOWN = "setting-unknown"
    """variable"""
    SETTING_MISSPELT = "setting-misspelt"
    """variable, meant"""
    SETTING_ELSEWHERE = "setting-elsewhere"
    """service, variable"""
    UNREACHABLE = "unreachable"
    """server, error"""
    LOCKED_OUT = "locked-out"
    """server, error"""
    LOADING = "loading"
    """server"""
    OTHER_KIND = "other-kind"
    """server, wanted, found"""
    NOT_PRIMARY = "not-primary"
    """server"""
    CLUSTER_BROKEN = "cluster-broken"
    """state, slots"""
    SENTINEL_AWAY = "sentinel-away"
    """server, left, all"""
    NO_QUORUM = "no-quorum"
    """master, told"""
    PARTITIONS_OTHER = "partitions-other"
    """given, found"""
    APPEND_FAILING = "append-failing"
    """server"""
    SNAPSHOT_FAILING = "snapshot-failing"
    """server"""
    MEMORY_SHORT = "memory-short"
    """server, percent"""
    REPLICAS_FEW = "replicas-few"
    """server, wanted, found"""
    REPLICAS_MORE = "replicas-more"
    """server, wanted, found"""
    REPLICA_BEHIND = "replica-behind"
    """server, replica, seconds, kilobytes"""
    WRITES_REFUSED = "writes-refused"
    """server, wanted, found"""
    REPLICAS_OPTIONAL = "replicas-optional"
    """server"""
    CLOCK_WRONG = "clock-wrong"
    """server, seconds"""
    CLOCKS_DIFFER = "clocks-differ"
    """server, other, seconds"""
    NEVER_SWEPT = "never-swept"
    """partitions, all"""
    SWEEP_OLD = "sweep-old"
    """partitions, all, seconds"""
    OUTAGE = "outage"
    """seconds, ago"""
    OVERDUE = "overdue"
    """deadlines, seconds"""
    DEADLINE_UNREADABLE = "deadline-unreadable"
    """deadlines, partition"""
    CHIPS_WRONG = "chips-wrong"
    """table, in_play, bought_in, difference"""
    TABLE_UNREADABLE = "table-unreadable"
    """table"""
    JOURNAL_UNREADABLE = "journal-unreadable"
    """partition, entry"""
    SCHEMAS_APART = "schemas-apart"
    """schemas"""
    FORMS = "forms"
    """forms"""
    SEAL_KEYS = "seal-keys"
    """keys"""
    NO_DEADLINE = "no-deadline"
    """table, hand"""
    EVENTS_AHEAD = "events-ahead"
    """table, version, newest"""
    EVENTS_BEHIND = "events-behind"
    """table, version, newest"""
    DEADLINE_LOST = "deadline-lost"
    """table, wait"""
    TABLE_STUCK = "table-stuck"
    """table, hand, seconds"""
    WAITS_FOR_CARDS = "waits-for-cards"
    """table, hand, seconds"""
    MAINTENANCE_ON = "maintenance-on"
    """by, minutes"""
    MAINTENANCE_BEHIND = "maintenance-behind"
    """tables, state"""
    TABLE_NOT_OPENED = "table-not-opened"
    """table, told"""
    TABLES_LEFT = "tables-left"
    """asked, all"""
    HISTORY_OFF = "history-off"
    """variable"""
    HISTORY_BEHIND = "history-behind"
    """entries, seconds"""
    QUEUE_LONG = "queue-long"
    """server, length"""
    AROUND_BROKER = "around-broker"
    """service"""
    SERVICE_UNREACHABLE = "service-unreachable"
    """service, address, error"""
    SERVICE_UNWELL = "service-unwell"
    """service, address, status"""
    SERVICE_UNKNOWN = "service-unknown"
    """service"""
    PAGE_UNREADABLE = "page-unreadable"
    """service, address"""
    RUNS_UNSAFE = "runs-unsafe"
    """risk, services"""
    VERSIONS_DIFFER = "versions-differ"
    """versions"""
    MODES_DIFFER = "modes-differ"
    """modes"""


Fact = str | int | float


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found."""

    kind: Kind
    severity: Severity
    facts: Mapping[str, Fact] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Result:
    """What a check found. `looked_at`: how much it saw; None: it could not be made."""

    check: Check
    findings: tuple[Finding, ...]
    looked_at: int | None

    @property
    def worst(self) -> Severity:
        """Of its findings."""
        return max((finding.severity for finding in self.findings), default=Severity.NOTE)


@dataclass(frozen=True, slots=True)
class Report:
    """All checks, in their order."""

    results: tuple[Result, ...]

    @property
    def worst(self) -> Severity:
        """Of all findings."""
        return max((result.worst for result in self.results), default=Severity.NOTE)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All."""
        return tuple(finding for result in self.results for finding in result.findings)


def error(kind: Kind, **facts: Fact) -> Finding:
    """Something broken."""
    return Finding(kind, Severity.ERROR, facts)


def warning(kind: Kind, **facts: Fact) -> Finding:
    """Something that will hurt."""
    return Finding(kind, Severity.WARNING, facts)


def note(kind: Kind, **facts: Fact) -> Finding:
    """Something worth knowing."""
    return Finding(kind, Severity.NOTE, facts)
