"""History: that what is played gets into the archive, and how much waits for it."""

from __future__ import annotations

from typing import Final

from deploy.observability.source.parts import Board, Row, Unit, lines, number

BOARD: Final = Board(
    "Servito: history",
    "Finished commits wait in streams of the state server until the archive has them.",
    (
        Row(
            "Now",
            (number("Waiting", "Entries for the archive.", "max(servito_stored_audit_entries)"),),
        ),
        Row(
            "Drain",
            (
                lines(
                    "Waiting",
                    "Entries for the archive, and of the money journal.",
                    Unit.NUMBER,
                    ("max(servito_stored_audit_entries)", "audit"),
                    ("max(servito_stored_journal_entries)", "money"),
                ),
            ),
        ),
    ),
)
