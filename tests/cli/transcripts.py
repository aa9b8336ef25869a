"""Recent hands as `servito hand show` tells them: what `test_transcripts` compares, and how it is written
anew.

`python -m tests.cli.transcripts` writes tests/cli/transcripts/*.txt, in both languages, as a player saw the
hand and as a stranger did; read the difference before committing it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from servito.table.v1 import table_pb2 as pb
from servito_cli.hands.transcript import transcript
from servito_cli.texts import TEXTS, Language
from servito_cli.words import suit_signs
from servito_client.messages import HandRecord
from servito_core.events import Event, HandEnded, HandStarted
from servito_core.view import event_for
from servito_script.script import read_script
from servito_wire.hand import OUTCOME_NUMBERS
from servito_wire.views import event_view_to_bytes
from tests.cli.stories import CASES, config_of, deals_of

GOLDEN = Path("tests/cli/transcripts")
TOLD = ("S05", "S02", "D13", "D15", "D19")
"""Draw and showdown, passed-out deals, a player who leaves, side pots, a reshuffle."""
STEP_MS = 1_300
"""Between the events of a golden hand."""


def record_of(
    deal: Sequence[Event], names: dict[int, str], config: pb.TableConfig, viewer: int | None
) -> HandRecord:
    """What GetHand gives of a deal to the player on a seat; None: to a stranger."""
    started, ended = deal[0], deal[-1]
    assert isinstance(started, HandStarted)
    assert isinstance(ended, HandEnded)
    record = HandRecord(
        hand_id=f"sala1-{started.number}",
        number=started.number,
        config=config,
        players=[pb.HandPlayer(seat=seat, player=names[seat]) for seat in started.seats],
        outcome=OUTCOME_NUMBERS[ended.outcome],
        finished=True,
        complete=True,
        own_seat=viewer if viewer in started.seats else None,
        age_ms=150_000,
    )
    for place, event in enumerate(deal):
        shown = pb.TableEvent.FromString(event_view_to_bytes(event_for(event, viewer), "sala1"))
        record.events.add(ms=place * STEP_MS, version=7 + place, event=shown)
    return record


def golden(name: str, language: Language) -> str:
    """Every deal of a script: as its first player saw it, and the last one as a stranger did."""
    script = read_script(json.loads((CASES / f"{name.lower()}.json").read_text(encoding="utf-8")))
    names, deals, config = dict(enumerate(script.stacks)), deals_of(script), config_of(script.rules)
    records = [record_of(deal, names, config, 0) for deal in deals]
    records.append(record_of(deals[-1], names, config, None))
    told = ["\n".join(transcript(record, TEXTS[language], suit_signs)) for record in records]
    return "\n\n".join(told) + "\n"


def path_of(name: str, language: Language) -> Path:
    """Where a golden transcript is kept."""
    return GOLDEN / f"{name}.{language.value}.txt"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for told in TOLD:
        for language in Language:
            path_of(told, language).write_text(golden(told, language), encoding="utf-8")
