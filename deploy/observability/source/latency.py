"""Latency and errors: what is a fault of ours, how fast the error budget goes, and where time is spent."""

from __future__ import annotations

from typing import Final

from deploy.observability.source.parts import Board, Row, Unit, by, lines, number, quantile, rate

_UNARY: Final = '{grpc_type="unary"}'

BOARD: Final = Board(
    "Servito: latency and errors",
    "Faults against an objective of 99.9 %, times of calls and commits, and what the processes need.",
    (
        Row(
            "Now",
            (
                number(
                    "Faults, 1 h",
                    "Of what players asked, answered with a fault of ours. The objective allows 0.1 %.",
                    "servito:answer_faults:ratio_rate1h",
                    Unit.RATIO,
                    bad=0.001,
                ),
                number(
                    "Budget burnt at",
                    "1: as fast as the objective allows. At 14.4 somebody is woken.",
                    "servito:answer_faults:ratio_rate1h / 0.001",
                    bad=6,
                ),
                number(
                    "Commit, p99",
                    "Each action is one.",
                    "servito:commit_seconds:p99_5m",
                    Unit.SECONDS,
                    bad=0.25,
                ),
                number(
                    "Commits",
                    "In a second.",
                    "servito:commits:rate5m",
                    Unit.PER_SECOND,
                ),
                number(
                    "Conflicts",
                    "Commits that another process had overtaken.",
                    "servito:commit_conflicts:ratio_rate5m",
                    Unit.RATIO,
                    bad=0.1,
                ),
                number(
                    "Releases",
                    "That run now; more than one only in a rollout.",
                    "count(count by (version) (servito_build_info))",
                    bad=2,
                ),
            ),
        ),
        Row(
            "Faults",
            (
                lines(
                    "Of what players ask",
                    "Over four windows; the alerts compare two of them each.",
                    Unit.RATIO,
                    ("servito:answer_faults:ratio_rate5m", "5 m"),
                    ("servito:answer_faults:ratio_rate30m", "30 m"),
                    ("servito:answer_faults:ratio_rate1h", "1 h"),
                    ("servito:answer_faults:ratio_rate6h", "6 h"),
                ),
                lines(
                    "Of the services' calls",
                    "By codes that are not the caller's fault; streams are left out.",
                    Unit.RATIO,
                    ("servito:call_faults:ratio_rate5m", "{{grpc_service}}"),
                ),
                lines(
                    "Calls by code",
                    "All codes but OK.",
                    Unit.PER_SECOND,
                    (
                        by("grpc_service, grpc_code", 'grpc_server_handled_total{grpc_code!="OK"}'),
                        "{{grpc_service}} {{grpc_code}}",
                    ),
                ),
            ),
        ),
        Row(
            "Times",
            (
                lines(
                    "Calls, p99",
                    "Of unary calls; acts inside streams are commits.",
                    Unit.SECONDS,
                    ("servito:call_seconds:p99_5m", "{{grpc_method}}"),
                ),
                lines(
                    "Calls, p50",
                    "The same, for every other call.",
                    Unit.SECONDS,
                    (quantile(50, "grpc_server_handling_seconds", "grpc_method", _UNARY), "{{grpc_method}}"),
                ),
                lines(
                    "Calls",
                    "By method.",
                    Unit.PER_SECOND,
                    (by("grpc_method", f"grpc_server_handled_total{_UNARY}"), "{{grpc_method}}"),
                ),
                lines(
                    "Commits",
                    "One script of the state server each.",
                    Unit.SECONDS,
                    (quantile(50, "servito_table_commit_seconds"), "p50"),
                    (quantile(99, "servito_table_commit_seconds"), "p99"),
                    bad=0.25,
                ),
                lines(
                    "Dealer and evaluator, as the table sees them",
                    "Cards and judgements that a hand waits for.",
                    Unit.SECONDS,
                    (quantile(99, "servito_table_dealer_seconds"), "dealer, p99"),
                    (quantile(99, "servito_table_evaluator_seconds"), "evaluator, p99"),
                    (quantile(99, "servito_dealer_seal_seconds"), "sealing and storing, p99"),
                ),
                lines(
                    "Conflicts and unknown outcomes",
                    "Decided again; and sent without an answer, after which the player asks again.",
                    Unit.PER_SECOND,
                    (f"sum({rate('servito_table_commit_conflicts_total')})", "conflicts"),
                    (f"sum({rate('servito_table_unknown_outcomes_total')})", "unknown outcomes"),
                    (f"sum({rate('servito_table_unreadable_total')})", "tables of a newer release"),
                ),
            ),
        ),
        Row(
            "Processes",
            (
                lines(
                    "Processors",
                    "1: a whole one. A service runs on one.",
                    Unit.NUMBER,
                    (rate('process_cpu_seconds_total{job=~"servito-.*"}'), "{{job}} {{instance}}"),
                    bad=0.9,
                ),
                lines(
                    "Memory",
                    "Resident.",
                    Unit.BYTES,
                    ('process_resident_memory_bytes{job=~"servito-.*"}', "{{job}} {{instance}}"),
                ),
                lines(
                    "Open files, of what is allowed",
                    "Each stream needs some.",
                    Unit.RATIO,
                    (
                        'process_open_fds{job=~"servito-.*"} / process_max_fds{job=~"servito-.*"}',
                        "{{job}} {{instance}}",
                    ),
                    bad=0.8,
                ),
                lines(
                    "Open streams",
                    "By method.",
                    Unit.NUMBER,
                    ("sum by (grpc_method) (grpc_server_open_streams)", "{{grpc_method}}"),
                ),
                lines(
                    "Answer to Prometheus",
                    "1 while they do.",
                    Unit.YES_NO,
                    ('up{job=~"servito-.*"}', "{{job}} {{instance}}"),
                ),
                lines(
                    "Spans of traces",
                    "Of those that are recorded; `dropped` and `failed` did not reach the collector.",
                    Unit.PER_SECOND,
                    (by("outcome", "servito_traces_spans_total"), "{{outcome}}"),
                ),
                lines(
                    "Risks",
                    "That processes were started with; production names those that were accepted.",
                    Unit.NUMBER,
                    ("count by (risk) (servito_unsafe_configuration == 1)", "{{risk}}"),
                ),
            ),
        ),
    ),
)
