"""`servito audit record` and `servito audit migrate`: what the dealer recorded of an old hand, as it was
sealed; and an archive brought to the form of this release.
"""

from __future__ import annotations

import json
from base64 import b64encode
from pathlib import Path

from servito_cli.audit.verify import UNREADABLE
from servito_cli.audit.where import history_at
from servito_cli.console import FAILED, UNUSABLE, complain, output
from servito_cli.hands.ids import table_and_number
from servito_cli.texts import TEXTS, Language
from servito_history.address import read_history_url
from servito_history.errors import HistoryUnusable
from servito_history.migrate import prepare
from servito_history.reading import open_history

FORM = "dealer-record/1"


def run_record(history: str | None, hand: str, file: Path | None, language: Language) -> int:
    """Writes the sealed record of a hand for the dealer's own audit; the exit code."""
    texts, named = TEXTS[language].audit, table_and_number(hand)
    if named is None:
        complain(TEXTS[language].replay.no_id.format(hand_id=hand))
        return UNUSABLE
    try:
        with open_history(history_at(history, texts)) as found:
            rows = [row for row in found.hand(*named) if row.record]
    except UNREADABLE as error:
        complain(texts.unreadable.format(why=error))
        return UNUSABLE
    if not rows:
        complain(texts.no_record.format(hand=hand))
        return FAILED
    kept = next((row for row in rows if not row.lost), rows[-1])
    into = file or Path(f"{hand}.record.json")
    elements = [b64encode(element).decode() for element in kept.record]
    sealed = {"form": FORM, "hand": hand, "elements": elements}
    try:
        into.write_text(json.dumps(sealed, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        complain(f"{into}: {error.strerror}")
        return UNUSABLE
    output().print(texts.record_written.format(file=into, hand=hand), markup=False)
    return 0


def run_migrate(history: str | None, writer: str | None, language: Language) -> int:
    """Makes or renews an archive, and gives a role of PostgreSQL what the timers need; the exit code."""
    texts = TEXTS[language].audit
    try:
        place = read_history_url(history_at(history, texts))
        done = prepare(place, writer)
    except ValueError as error:
        complain(texts.unreadable.format(why=error))
        return UNUSABLE
    except UNREADABLE as error:
        complain(texts.unreadable.format(why=error))
        return UNUSABLE if isinstance(error, HistoryUnusable) else FAILED
    said = texts.migrated if done else texts.current
    output().print(said.format(place=place), markup=False)
    return 0
