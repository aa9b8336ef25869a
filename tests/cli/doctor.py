"""Everything that `servito doctor` can say: what `test_doctor` compares, and how it is written anew.

`python -m tests.cli.doctor` writes tests/cli/doctor/*.txt, in both languages; read the difference before
committing it.
"""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Final

from rich.console import Console

from servito_cli.doctor.show import show
from servito_cli.texts import TEXTS, Language
from servito_local.doctor.findings import Check, Fact, Finding, Kind, Report, Result, Severity
from servito_platform.safety.names import Risk

GOLDEN: Final = Path("tests/cli/doctor")

FACTS: Final[dict[Kind, dict[str, Fact]]] = {
    Kind.DEVELOPMENT: {"risks": "dev-tokens, plain-grpc"},
    Kind.SETTING_WRONG: {"service": "table", "told": "SERVITO_PARTITIONS: Input should be a valid integer"},
    Kind.SETTING_UNKNOWN: {"variable": "SERVITO_COLOUR"},
    Kind.SETTING_MISSPELT: {"variable": "SERVITO_PARTITION", "meant": "SERVITO_PARTITIONS"},
    Kind.SETTING_ELSEWHERE: {"service": "dealer", "variable": "SERVITO_DEALER_SEAL_KEYS"},
    Kind.UNREACHABLE: {"server": "broker 10.0.0.2:6379", "error": "ConnectionError"},
    Kind.LOCKED_OUT: {"server": "state server 10.0.0.1:6379", "error": "WRONGPASS"},
    Kind.LOADING: {"server": "state server 10.0.0.1:6379"},
    Kind.OTHER_KIND: {"server": "state server 10.0.0.1:6379", "wanted": "single", "found": "cluster"},
    Kind.NOT_PRIMARY: {"server": "state server 10.0.0.1:6379"},
    Kind.CLUSTER_BROKEN: {"state": "fail", "slots": 10922},
    Kind.SENTINEL_AWAY: {"server": "10.0.0.3:26379", "left": 2, "all": 3},
    Kind.NO_QUORUM: {"master": "main", "told": "NOQUORUM 1 usable Sentinels"},
    Kind.PARTITIONS_OTHER: {"given": 32, "found": 64},
    Kind.APPEND_FAILING: {"server": "state server 10.0.0.1:6379"},
    Kind.SNAPSHOT_FAILING: {"server": "state server 10.0.0.1:6379"},
    Kind.MEMORY_SHORT: {"server": "state server 10.0.0.1:6379", "percent": 81},
    Kind.REPLICAS_FEW: {"server": "10.0.0.1:6379", "wanted": 1, "found": 0},
    Kind.REPLICAS_MORE: {"server": "10.0.0.1:6379", "wanted": 1, "found": 2},
    Kind.REPLICA_BEHIND: {
        "server": "10.0.0.1:6379",
        "replica": "10.0.0.4:6379",
        "seconds": 7,
        "kilobytes": 310,
    },
    Kind.WRITES_REFUSED: {"server": "10.0.0.1:6379", "wanted": 1, "found": 0},
    Kind.REPLICAS_OPTIONAL: {"server": "10.0.0.1:6379"},
    Kind.CLOCK_WRONG: {"server": "state server 10.0.0.1:6379", "seconds": -4.2},
    Kind.CLOCKS_DIFFER: {"server": "10.0.0.1:6379", "other": "10.0.0.4:6379", "seconds": 1.3},
    Kind.NEVER_SWEPT: {"partitions": 12, "all": 64},
    Kind.SWEEP_OLD: {"partitions": 64, "all": 64, "seconds": 31},
    Kind.OUTAGE: {"seconds": 12, "ago": 340},
    Kind.OVERDUE: {"deadlines": 3, "seconds": 12.4},
    Kind.DEADLINE_UNREADABLE: {"deadlines": 1, "partition": 5},
    Kind.CHIPS_WRONG: {"table": "t1", "in_play": 393, "bought_in": 400, "difference": -7},
    Kind.TABLE_UNREADABLE: {"table": "t1"},
    Kind.JOURNAL_UNREADABLE: {"partition": 4, "entry": 17},
    Kind.SCHEMAS_APART: {"schemas": "1, 3"},
    Kind.FORMS: {"forms": "1: 20, 3: 400"},
    Kind.SEAL_KEYS: {"keys": "k1: 3, k2: 417"},
    Kind.NO_DEADLINE: {"table": "t1", "hand": "t1-3"},
    Kind.EVENTS_AHEAD: {"table": "t1", "version": 40, "newest": 43},
    Kind.EVENTS_BEHIND: {"table": "t1", "version": 43, "newest": 40},
    Kind.DEADLINE_LOST: {"table": "t1", "wait": "17"},
    Kind.TABLE_STUCK: {"table": "t1", "hand": "t1-3", "seconds": 40},
    Kind.WAITS_FOR_CARDS: {"table": "t1", "hand": "t1-3", "seconds": 40},
    Kind.MAINTENANCE_ON: {"by": "olga", "minutes": 12},
    Kind.MAINTENANCE_BEHIND: {"tables": 3, "state": "on"},
    Kind.TABLE_NOT_OPENED: {"table": "t1", "told": "a table of table t1 does not open: it was changed"},
    Kind.TABLES_LEFT: {"asked": 6200, "all": 10_000},
    Kind.HISTORY_OFF: {"variable": "SERVITO_HISTORY_URL"},
    Kind.HISTORY_BEHIND: {"entries": 5120, "seconds": 95},
    Kind.QUEUE_LONG: {"server": "10.0.0.2:6379", "length": 600},
    Kind.AROUND_BROKER: {"service": "10.0.0.8:9100"},
    Kind.SERVICE_UNREACHABLE: {"service": "dealer", "address": "10.0.0.5:50051", "error": "UNAVAILABLE"},
    Kind.SERVICE_UNWELL: {"service": "table", "address": "10.0.0.6:50053", "status": "NOT_SERVING"},
    Kind.SERVICE_UNKNOWN: {"service": "timers"},
    Kind.PAGE_UNREADABLE: {"service": "table", "address": "10.0.0.6:9100"},
    Kind.RUNS_UNSAFE: {"risk": "plain-grpc", "services": "dealer, table"},
    Kind.VERSIONS_DIFFER: {"versions": "0.1.0: dealer; 0.2.0: table"},
    Kind.MODES_DIFFER: {"modes": "development: dealer; production: table"},
}
"""One example of each kind but UNSAFE, with the facts that findings.py names."""


KINDS: Final[dict[Check, tuple[Kind, ...]]] = {
    Check.SETTINGS: (
        Kind.DEVELOPMENT,
        Kind.SETTING_WRONG,
        Kind.SETTING_UNKNOWN,
        Kind.SETTING_MISSPELT,
        Kind.SETTING_ELSEWHERE,
    ),
    Check.STATE: (
        Kind.LOCKED_OUT,
        Kind.LOADING,
        Kind.OTHER_KIND,
        Kind.NOT_PRIMARY,
        Kind.CLUSTER_BROKEN,
        Kind.SENTINEL_AWAY,
        Kind.NO_QUORUM,
        Kind.PARTITIONS_OTHER,
    ),
    Check.BROKER: (
        Kind.UNREACHABLE,
        Kind.QUEUE_LONG,
    ),
    Check.KEEPING: (
        Kind.APPEND_FAILING,
        Kind.SNAPSHOT_FAILING,
    ),
    Check.MEMORY: (Kind.MEMORY_SHORT,),
    Check.REPLICAS: (
        Kind.REPLICAS_FEW,
        Kind.REPLICAS_MORE,
        Kind.REPLICA_BEHIND,
        Kind.WRITES_REFUSED,
        Kind.REPLICAS_OPTIONAL,
    ),
    Check.CLOCKS: (
        Kind.CLOCK_WRONG,
        Kind.CLOCKS_DIFFER,
    ),
    Check.SWEEPS: (
        Kind.NEVER_SWEPT,
        Kind.SWEEP_OLD,
        Kind.OUTAGE,
    ),
    Check.DEADLINES: (
        Kind.OVERDUE,
        Kind.DEADLINE_UNREADABLE,
    ),
    Check.CHIPS: (
        Kind.CHIPS_WRONG,
        Kind.TABLE_UNREADABLE,
        Kind.JOURNAL_UNREADABLE,
        Kind.SCHEMAS_APART,
        Kind.FORMS,
        Kind.SEAL_KEYS,
    ),
    Check.HANDS: (
        Kind.NO_DEADLINE,
        Kind.EVENTS_AHEAD,
        Kind.EVENTS_BEHIND,
        Kind.DEADLINE_LOST,
        Kind.TABLE_STUCK,
        Kind.WAITS_FOR_CARDS,
        Kind.MAINTENANCE_ON,
        Kind.MAINTENANCE_BEHIND,
    ),
    Check.HISTORY: (Kind.HISTORY_OFF, Kind.HISTORY_BEHIND),
    Check.OPENING: (
        Kind.TABLE_NOT_OPENED,
        Kind.TABLES_LEFT,
    ),
    Check.SERVICES: (
        Kind.SERVICE_UNREACHABLE,
        Kind.SERVICE_UNWELL,
        Kind.SERVICE_UNKNOWN,
        Kind.PAGE_UNREADABLE,
        Kind.AROUND_BROKER,
        Kind.RUNS_UNSAFE,
        Kind.VERSIONS_DIFFER,
        Kind.MODES_DIFFER,
    ),
}
"""Where each is found."""
NOTES: Final = frozenset(
    {
        Kind.DEVELOPMENT,
        Kind.SETTING_ELSEWHERE,
        Kind.OUTAGE,
        Kind.HISTORY_OFF,
        Kind.MAINTENANCE_ON,
        Kind.TABLES_LEFT,
        Kind.SERVICE_UNKNOWN,
        Kind.RUNS_UNSAFE,
    }
)
WARNINGS: Final = frozenset(
    {
        Kind.SETTING_MISSPELT,
        Kind.MEMORY_SHORT,
        Kind.REPLICA_BEHIND,
        Kind.CLOCKS_DIFFER,
        Kind.HISTORY_BEHIND,
        Kind.QUEUE_LONG,
    }
)


def everything() -> Report:
    """A report with each kind and each risk; the risks are told with the settings."""
    unsafe = tuple(
        Finding(Kind.UNSAFE, Severity.ERROR, {"risk": risk.value, "what": _about(risk)}) for risk in Risk
    )
    return Report(
        tuple(
            Result(
                check,
                (
                    *(unsafe if check is Check.SETTINGS else ()),
                    *(Finding(k, _severity(k), FACTS[k]) for k in kinds),
                ),
                None if check is Check.STATE else 7,
            )
            for check, kinds in KINDS.items()
        )
    )


def _severity(kind: Kind) -> Severity:
    if kind in NOTES:
        return Severity.NOTE
    return Severity.WARNING if kind in WARNINGS else Severity.ERROR


def _about(risk: Risk) -> str:
    if risk in (Risk.EVICTION, Risk.NOT_KEPT, Risk.NOT_SYNCED, Risk.OLD_SERVER, Risk.WAKE_CLOSED):
        return "state server 10.0.0.1:6379"
    return {
        Risk.OWN_DEV_TOKEN: "SERVITO_TABLE_TOKEN",
        Risk.EXAMPLE_KEY: "SERVITO_DEALER_SEAL_KEYS k1",
        Risk.NO_PASSWORD: "SERVITO_STATE_URL",
        Risk.PLAIN_GRPC: "calls to other services",
        Risk.OPEN_METRICS: "SERVITO_METRICS_BIND",
    }.get(risk, "")


def well() -> Report:
    """One without a finding."""
    return Report(tuple(Result(check, (), 3) for check in Check))


def told(report: Report, language: Language) -> str:
    """As it is printed where there is no terminal."""
    out = StringIO()
    show(report, TEXTS[language].doctor, Console(file=out, highlight=False, soft_wrap=True))
    return out.getvalue()


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for language in Language:
        (GOLDEN / f"everything.{language}.txt").write_text(told(everything(), language), encoding="utf-8")
        (GOLDEN / f"well.{language}.txt").write_text(told(well(), language), encoding="utf-8")
