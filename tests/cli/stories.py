"""Hand scripts told as stories: what `test_story` compares, and how the golden files are written anew.

`python -m tests.cli.stories` writes tests/cli/stories/*.txt; read the difference before committing it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import patch

from servito.table.v1 import table_pb2 as pb
from servito_cli.story.telling import Tale, tell
from servito_client.bots.own_cards import OwnCards, OwnCardsReader
from servito_client.messages import Event, TableConfig, event_of
from servito_core.events import Event as CoreEvent
from servito_core.events import HandStarted
from servito_core.evolve import replay
from servito_core.rules import RuleSet
from servito_core.rules.option import written
from servito_core.view import event_for
from servito_script import handscript
from servito_script.script import Script, read_script
from servito_wire.views import event_view_to_bytes

CASES = Path("tests/cases/hands")
GOLDEN = Path("tests/cli/stories")
TOLD = ("S01", "S02", "S05", "S11", "S12", "S15", "D03", "D13", "D15", "D19", "D20", "D21")
"""Draw and showdown, passed-out deals, a deferred card, a blind, the circle, a player who leaves, side
pots, a reshuffle, a carried pot. """


def story(name: str) -> str:
    """Every deal of a script as `servito demo` would tell it, where the bots show all their cards."""
    script = read_script(json.loads((CASES / f"{name.lower()}.json").read_text(encoding="utf-8")))
    names = dict(enumerate(script.stacks))
    return "\n".join(
        "\n".join(line.rstrip() for line in tell(tale_of(deal, names, script.rules))) + "\n"
        for deal in deals_of(script)
    )


def tale_of(deal: Sequence[CoreEvent], names: dict[int, str], rules: RuleSet) -> Tale:
    """A deal as a spectator sees it, with what each seat sees of its own."""
    return Tale(config_of(rules), names, list(seen(deal, None)), {seat: own(deal, seat) for seat in names})


def config_of(rules: RuleSet) -> TableConfig:
    """A table under these rules."""
    options = {key: written(value) for key, value in rules.differences().items()}
    return TableConfig(name="Sala 1", preset="italiana", options=options)


def seen(deal: Sequence[CoreEvent], viewer: int | None) -> Iterator[Event]:
    """The events of a deal as they are sent to one viewer."""
    for event in deal:
        told = event_of(pb.TableEvent.FromString(event_view_to_bytes(event_for(event, viewer), "t1")))
        assert told is not None
        yield told


def own(deal: Sequence[CoreEvent], seat: int) -> OwnCards:
    """What a bot at `seat` knows of its cards after a deal."""
    reader = OwnCardsReader()
    for event in seen(deal, seat):
        reader.event(event, seat)
    return reader.hand


def deals_of(script: Script) -> list[list[CoreEvent]]:
    """All events of each deal of a script."""
    deals: list[list[CoreEvent]] = []
    happened = handscript._Run._happened

    def starting(rules: object, events: Sequence[CoreEvent]) -> object:
        deals.append(list(events))
        return replay(rules, events)  # type: ignore[arg-type]  # passed on as it came

    def recording(run: handscript._Run, events: Sequence[CoreEvent]) -> None:
        deals[-1].extend(events)
        happened(run, events)

    with patch.object(handscript, "replay", starting), patch.object(handscript._Run, "_happened", recording):
        handscript.run_script(script)
    assert all(isinstance(deal[0], HandStarted) for deal in deals)
    return deals


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for told in TOLD:
        (GOLDEN / f"{told}.txt").write_text(story(told), encoding="utf-8")
