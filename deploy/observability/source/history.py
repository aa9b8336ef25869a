"""History: that what is played gets into the archive, and how much waits for it."""

from __future__ import annotations

from typing import Final

from deploy.observability.source.parts import Board, Row, Unit, by, lines, number, quantile

_ENTRIES: Final = "max(servito_history_entries_behind)"
_OLDEST: Final = "max(servito_history_lag_seconds)"

BOARD: Final = Board(
    "Servito: history",
    "Commits and money wait in streams of the state server until the archive has them.",
    (
        Row(
            "Now",
            (
                number("Archive", "Whether there is one.", "max(servito_history_on)", Unit.YES_NO),
                number("Waiting", "Entries that the archive has not yet.", _ENTRIES),
                number("The oldest", "Told from five minutes on.", _OLDEST, Unit.SECONDS, bad=300),
                number(
                    "Failures, 24 h",
                    "Attempts that came to nothing, and entries that were not taken.",
                    "sum(increase(servito_history_failures_total[24h]))",
                    bad=1,
                ),
            ),
        ),
        Row(
            "Drain",
            (
                lines(
                    "Waiting",
                    "In all, and in the partition with most commits, whose tables begin no hand at 100,000.",
                    Unit.NUMBER,
                    (_ENTRIES, "entries"),
                    ("max(servito_table_audit_entries)", "commits"),
                    ("max(servito_table_audit_entries_most)", "commits of one partition"),
                    bad=50_000,
                ),
                lines("The oldest", "Its age.", Unit.SECONDS, (_OLDEST, "age"), bad=300),
                lines(
                    "Taken",
                    "Rows, by kind.",
                    Unit.PER_SECOND,
                    (by("kind", "servito_history_rows_total"), "{{kind}}"),
                ),
                lines(
                    "A batch takes",
                    "From the state server into the archive, until it is thrown away there.",
                    Unit.SECONDS,
                    (quantile(50, "servito_history_drain_seconds"), "p50"),
                    (quantile(99, "servito_history_drain_seconds"), "p99"),
                ),
                lines(
                    "Failures",
                    "`sql`: the database; `state`: the state server; `entry`: one that is not taken.",
                    Unit.PER_SECOND,
                    (by("what", "servito_history_failures_total"), "{{what}}"),
                ),
            ),
        ),
    ),
)
