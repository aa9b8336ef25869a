"""Hands as `servito hand replay` tells them: what `test_command` compares, and how it is written anew.

`python -m tests.replay.transcripts` writes tests/replay/transcripts/*.txt, in both languages; read the
difference before committing it.
"""

from __future__ import annotations

import contextlib
import io
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from servito.table.v1.store_pb2 import StoredCommit
from servito_cli.history.replay import Asked, run_replay
from servito_cli.texts import Language
from servito_core import events as e
from servito_core.rules import RuleSet
from tests.replay.archived import archive, auditor_key
from tests.replay.stored import Dealt, dealt

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

GOLDEN = Path("tests/replay/transcripts")
SHOWY = {"open.proof": "show_on_uncalled_win", "show.muck": "may_concede", "parola.mode": "carry_over"}
TEN_PLAY = {"players.max": 10, "players.ten": "all_play", "open.requirement": "none"}


def first_with(options: Mapping[str, object], players: int, wanted: Callable[[Dealt], bool]) -> Dealt:
    """The first such hand of random play."""
    rules = RuleSet.from_options(options)
    hands = (hand for seed in range(500) for hand in dealt(rules, players, seed, 4))
    return next(hand for hand in hands if wanted(hand) and len(hand.entries) > 8)


def has(*kinds: type) -> Callable[[Dealt], bool]:
    """Events of each of these kinds."""
    return lambda hand: set(kinds) <= {type(event) for events in hand.events for event in events}


def ends(outcome: e.Outcome) -> Callable[[Dealt], bool]:
    """How it ended."""
    return lambda hand: hand.states[-1].outcome is outcome


def side_pots(hand: Dealt) -> bool:
    """A showdown for more than one pot."""
    return sum(isinstance(event, e.PotAwarded) for event in hand.events[-1]) > 1


def refilled(hand: Dealt) -> bool:
    """Dead cards went back into the stock."""
    return any(isinstance(event, e.CardsDrawn) and event.shuffled for own in hand.events for event in own)


HANDS = {
    "side_pots": first_with({}, 4, side_pots),
    "refilled": first_with(TEN_PLAY, 10, refilled),
    "conceded": first_with(SHOWY, 4, has(e.HandTabled, e.ShowdownBegan, e.HandShown)),
    "carried_over": first_with(SHOWY, 3, ends(e.Outcome.CARRIED_OVER)),
    "void": first_with({}, 3, ends(e.Outcome.VOID)),
}
"""By what happens in it."""


def asked(name: str, directory: Path, *, player: str | None = None, key: bool = False) -> Asked:
    """The hand of that name, in an archive of its own."""
    hand = HANDS[name]
    url = archive(directory / f"{name}.sqlite", hand.entries)
    return Asked(f"t.1-{hand.number}", player, url, auditor_key(directory) if key else None)


def changed(name: str) -> Dealt:
    """The hand of that name with one chip more in its first bet."""
    hand = HANDS[name]
    entries = list(hand.entries)
    for index, entry in enumerate(entries):
        public = StoredCommit.FromString(entry.public)
        for event in public.events:
            if event.HasField("seat_acted") and event.seat_acted.added:
                event.seat_acted.to += 1
                entries[index] = replace(entry, public=public.SerializeToString())
                return replace(hand, entries=entries)
    raise AssertionError("nobody bet")


def said(asked: Asked, language: Language) -> str:
    """What the command prints, and its exit code."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = run_replay(asked, language)
    return f"{out.getvalue()}{err.getvalue()}exit {code}\n"


def golden(name: str, language: Language) -> str:
    """As everybody may know it, as a player was told it, and all of it."""
    with tempfile.TemporaryDirectory() as place:
        directory = Path(place)
        everybody = asked(name, directory)
        auditor = replace(everybody, key=auditor_key(directory))
        player = replace(auditor, player=f"p{HANDS[name].states[0].players[0].seat}")
        viewers = (everybody, player, auditor)
        return "\n".join(said(viewer, language) for viewer in viewers)


def path_of(name: str, language: Language) -> Path:
    """Where a golden replay is kept."""
    return GOLDEN / f"{name}.{language.value}.txt"


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for told in HANDS:
        for spoken in Language:
            path_of(told, spoken).write_text(golden(told, spoken), encoding="utf-8")
