"""Conservation: that no chip appears or vanishes, and what else must never be seen."""

from __future__ import annotations

from typing import Final

from deploy.observability.source.parts import Board, Row, Unit, by, lines, number, rate

BOARD: Final = Board(
    "Servito: conservation",
    "Chips counted by a witness of their own, partition by partition, while hands are played.",
    (
        Row(
            "Now",
            (
                number("Chips in play", "By the states of all tables.", "max(servito_stored_chips)"),
                number(
                    "Bought in",
                    "Less cash-outs, by the money journal.",
                    "max(servito_stored_chips_bought_in)",
                ),
                number(
                    "Difference",
                    "Table by table, so that one does not hide another. Must be 0.",
                    "max(servito_stored_chips_difference)",
                    bad=1,
                ),
                number(
                    "Cannot be read",
                    "Tables and partitions. Must be 0.",
                    "max(servito_stored_unreadable)",
                    bad=1,
                ),
                number(
                    "Counted",
                    "Since everything was last looked at.",
                    "min(servito_look_age_seconds)",
                    Unit.SECONDS,
                    bad=600,
                ),
                number(
                    "Alarms of the dealer, 24 h",
                    "Entropy that failed, seals that do not open. Must be 0.",
                    "sum(increase(servito_dealer_alarms_total[24h]))",
                    bad=1,
                ),
            ),
        ),
        Row(
            "Chips",
            (
                lines(
                    "In play and bought in",
                    "One line upon the other, or something is wrong.",
                    Unit.NUMBER,
                    ("max(servito_stored_chips)", "in play"),
                    ("max(servito_stored_chips_bought_in)", "bought in"),
                ),
                lines(
                    "Difference",
                    "Must be 0.",
                    Unit.NUMBER,
                    ("max(servito_stored_chips_difference)", "difference"),
                    bad=1,
                ),
                lines(
                    "Into play and out of it",
                    "Buy-ins, cash-outs.",
                    Unit.PER_SECOND,
                    (f"sum({rate('servito_table_chips_in_total')})", "in"),
                    (f"sum({rate('servito_table_chips_out_total')})", "out"),
                ),
            ),
        ),
        Row(
            "The witness",
            (
                lines(
                    "Looks, by what came of them",
                    "`wrong`: chips differ; `unanswered`: the state server was away.",
                    Unit.PER_SECOND,
                    (by("outcome", "servito_looks_total"), "{{outcome}}"),
                ),
                lines(
                    "Since the last look",
                    "By timer; one of them looks.",
                    Unit.SECONDS,
                    ("servito_look_age_seconds", "{{instance}}"),
                    bad=600,
                ),
                lines(
                    "Stored",
                    "Tables, hands that are played, deadlines.",
                    Unit.NUMBER,
                    ("max(servito_stored_tables)", "tables"),
                    ("max(servito_stored_hands)", "hands"),
                    ("max(servito_stored_deadlines)", "deadlines"),
                ),
            ),
        ),
        Row(
            "Cards",
            (
                lines(
                    "Alarms",
                    "Of the dealer, by kind, and of tables whose seal does not open. Must be none.",
                    Unit.PER_SECOND,
                    (by("alarm", "servito_dealer_alarms_total"), "dealer: {{alarm}}"),
                    (by("why", "servito_table_seals_broken_total"), "table: {{why}}"),
                ),
                lines(
                    "Refusals of the dealer",
                    "By reason; the table repeats what was UNAVAILABLE.",
                    Unit.PER_SECOND,
                    (by("reason", "servito_dealer_refusals_total"), "{{reason}}"),
                ),
                lines(
                    "Records of the dealer",
                    "Entries sealed, by kind.",
                    Unit.PER_SECOND,
                    (by("kind", "servito_dealer_entries_total"), "{{kind}}"),
                ),
            ),
        ),
    ),
)
