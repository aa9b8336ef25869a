"""History: that what is played gets into the archive, and how much waits for it."""

from __future__ import annotations

from typing import Final

from deploy.observability.source.parts import Board, Row, Unit, lines, number

_ENTRIES: Final = "max(servito_stored_undrained_entries)"
_OLDEST: Final = "max(servito_stored_undrained_seconds)"

BOARD: Final = Board(
    "Servito: history",
    "Commits and money wait in streams of the state server until the archive has them.",
    (
        Row(
            "Now",
            (
                number("Waiting", "Entries that the archive has not yet.", _ENTRIES),
                number("The oldest", "Told from five minutes on.", _OLDEST, Unit.SECONDS, bad=300),
            ),
        ),
        Row(
            "Drain",
            (
                lines("Waiting", "Entries that the archive has not yet.", Unit.NUMBER, (_ENTRIES, "entries")),
                lines("The oldest", "Its age.", Unit.SECONDS, (_OLDEST, "age"), bad=300),
            ),
        ),
    ),
)
