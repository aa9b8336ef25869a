"""Deadlines and sweeps: that turns end in time, whoever of the timers, and whatever the broker, is away."""

from __future__ import annotations

from typing import Final

from deploy.observability.source.parts import Board, Row, Unit, by, lines, number, quantile, rate

BOARD: Final = Board(
    "Servito: deadlines and sweeps",
    "Every wait of a table is a deadline: sweeps find what is due, the table service carries it out.",
    (
        Row(
            "Now",
            (
                number(
                    "Youngest sweep",
                    "Of all timers. Over 5 s no deadline is carried out.",
                    "min(servito_sweep_age_seconds)",
                    Unit.SECONDS,
                    bad=5,
                ),
                number(
                    "Lateness, p99",
                    "From a deadline to the commit that acted on it.",
                    "servito:deadline_lateness_seconds:p99_5m",
                    Unit.SECONDS,
                    bad=1,
                ),
                number("Set", "Deadlines.", "max(servito_stored_deadlines)"),
                number(
                    "Overdue",
                    "Due for over a second and unclaimed.",
                    "max(servito_stored_deadlines_overdue)",
                    bad=1,
                ),
                number("Through the broker", "Timers that share claims by it.", "sum(servito_broker_good)"),
                number(
                    "Outages, 24 h",
                    "Times without sweeps, after which clocks were given back.",
                    "sum(increase(servito_outages_total[24h]))",
                    bad=1,
                ),
            ),
        ),
        Row(
            "In time",
            (
                lines(
                    "From the deadline to the commit",
                    "What a player sees when somebody's time is over.",
                    Unit.SECONDS,
                    (quantile(50, "servito_table_deadline_lateness_seconds"), "p50"),
                    (quantile(99, "servito_table_deadline_lateness_seconds"), "p99"),
                    bad=1,
                ),
                lines(
                    "From the deadline to the claim",
                    "The sweep's part of it.",
                    Unit.SECONDS,
                    (quantile(50, "servito_deadline_claim_lateness_seconds"), "p50"),
                    (quantile(99, "servito_deadline_claim_lateness_seconds"), "p99"),
                ),
                lines(
                    "Overdue",
                    "As the look at all that is stored finds them.",
                    Unit.NUMBER,
                    ("max(servito_stored_deadlines_overdue)", "overdue"),
                ),
            ),
        ),
        Row(
            "Sweeps",
            (
                lines(
                    "Since the last sweep",
                    "By timer; one that hangs is done without.",
                    Unit.SECONDS,
                    ("servito_sweep_age_seconds", "{{instance}}"),
                    bad=5,
                ),
                lines(
                    "A sweep takes",
                    "One round trip for all partitions.",
                    Unit.SECONDS,
                    (quantile(50, "servito_sweep_seconds"), "p50"),
                    (quantile(99, "servito_sweep_seconds"), "p99"),
                ),
                lines(
                    "Sweeps",
                    "Answered by the state server, and not.",
                    Unit.PER_SECOND,
                    (by("instance", "servito_sweep_seconds_count"), "{{instance}}"),
                    (by("instance", "servito_sweeps_failed_total"), "failed, {{instance}}"),
                ),
            ),
        ),
        Row(
            "Claims",
            (
                lines(
                    "Claimed and carried out",
                    "`stale`: was done meanwhile; `failed`: comes back when its lease ends.",
                    Unit.PER_SECOND,
                    (f"sum({rate('servito_deadlines_claimed_total')})", "claimed"),
                    (by("result", "servito_deadlines_carried_out_total"), "{{result}}"),
                ),
                lines(
                    "Claims, by way",
                    "`direct`: by the sweeper itself, while the broker is away.",
                    Unit.PER_SECOND,
                    (by("route", "servito_deadline_claims_total"), "{{route}}"),
                    (by("route", "servito_expire_calls_failed_total"), "not answered, {{route}}"),
                    (f"sum({rate('servito_deadline_claims_lost_total')})", "begun by nobody"),
                ),
                lines(
                    "Under way",
                    "Four for each timer at most.",
                    Unit.NUMBER,
                    ("servito_deadline_claims_in_flight", "{{instance}}"),
                ),
                lines(
                    "Damage",
                    "Members that name no deadline; deadlines that were lost and put back. Must be none.",
                    Unit.PER_SECOND,
                    (f"sum({rate('servito_deadlines_unreadable_total')})", "unreadable"),
                    (f"sum({rate('servito_table_deadlines_mended_total')})", "put back"),
                ),
            ),
        ),
    ),
)
