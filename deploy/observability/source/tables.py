"""Tables and actions: who plays, what is asked, what is refused, who watches."""

from __future__ import annotations

from typing import Final

from deploy.observability.source.parts import Board, Row, Unit, by, lines, number, rate

BOARD: Final = Board(
    "Servito: tables and actions",
    "Who plays, what players ask, what is refused, who watches.",
    (
        Row(
            "Now",
            (
                number(
                    "Tables", "Kept by the state server, closed ones included.", "max(servito_stored_tables)"
                ),
                number("Hands", "That are being played.", "max(servito_stored_hands)"),
                number("Tables watched", "By somebody.", "sum(servito_table_watched)"),
                number("Streams", "Of players and spectators.", "sum(servito_table_watchers)"),
                number(
                    "Actions",
                    "Answered in a second, faults and refusals included.",
                    "servito:answers:rate5m",
                    Unit.PER_SECOND,
                ),
                number("Stand still", "Tables. Must be 0.", "max(servito_stored_tables_stuck)", bad=1),
                number(
                    "Maintenance",
                    "While it is on no hand begins at any table.",
                    "max(servito_table_maintenance)",
                    Unit.YES_NO,
                ),
            ),
        ),
        Row(
            "Actions",
            (
                lines(
                    "Accepted, by kind",
                    "What players did.",
                    Unit.PER_SECOND,
                    (by("kind", 'servito_table_actions_total{outcome="accepted"}'), "{{kind}}"),
                ),
                lines(
                    "By outcome",
                    "`repeated`: asked again with the same request id, after an answer that was lost.",
                    Unit.PER_SECOND,
                    (by("outcome", "servito_table_actions_total"), "{{outcome}}"),
                ),
                lines(
                    "Refusals, by reason",
                    "Mostly by the rules; unavailable, internal, contended, outcome_unknown are faults.",
                    Unit.PER_SECOND,
                    (by("reason", "servito_table_refusals_total"), "{{reason}}"),
                ),
            ),
        ),
        Row(
            "Hands",
            (
                lines(
                    "Hands ended, by outcome",
                    "Void ones were given back: a person wants to know why there are any.",
                    Unit.PER_SECOND,
                    (by("outcome", "servito_table_hands_total"), "{{outcome}}"),
                ),
                lines(
                    "Events of tables",
                    "Who comes and goes, time banks, proposals.",
                    Unit.PER_SECOND,
                    (by("event", "servito_table_events_total"), "{{event}}"),
                ),
                lines(
                    "Cards and hands of the dealer",
                    "Cards dealt and drawn, hands opened, hands judged.",
                    Unit.PER_SECOND,
                    (by("kind", "servito_dealer_cards_total"), "cards: {{kind}}"),
                    (f"sum({rate('servito_dealer_hands_opened_total')})", "hands opened"),
                    (by("purpose", "servito_evaluator_hands_total"), "judged: {{purpose}}"),
                ),
            ),
        ),
        Row(
            "Who watches",
            (
                lines(
                    "Streams and tables watched",
                    "By process.",
                    Unit.NUMBER,
                    ("sum by (instance) (servito_table_watchers)", "streams, {{instance}}"),
                    ("sum by (instance) (servito_table_watched)", "tables, {{instance}}"),
                ),
                lines(
                    "Told to streams",
                    "Messages, the commits in them, and readings of what other processes committed.",
                    Unit.PER_SECOND,
                    (f"sum({rate('servito_table_stream_messages_total')})", "messages"),
                    (f"sum({rate('servito_table_stream_updates_total')})", "commits"),
                    (f"sum({rate('servito_table_stream_reads_total')})", "readings"),
                ),
                lines(
                    "Slow watchers",
                    "Those who did not read in time got a snapshot in place of so many commits.",
                    Unit.PER_SECOND,
                    (f"sum({rate('servito_table_watcher_collapses_total')})", "snapshots"),
                    (f"sum({rate('servito_table_watcher_drops_total')})", "commits not told"),
                ),
                lines(
                    "Warnings and stalls",
                    "Turns about to end; tables that did not go on by themselves at once.",
                    Unit.PER_SECOND,
                    (f"sum({rate('servito_table_warnings_total')})", "warnings"),
                    (f"sum({rate('servito_table_stalls_total')})", "stalls"),
                ),
                lines(
                    "Tables for templates",
                    "Opened and closed so that enough of a kind have free seats.",
                    Unit.PER_SECOND,
                    (by("what", "servito_table_template_tables_total"), "{{what}}"),
                ),
            ),
        ),
    ),
)
