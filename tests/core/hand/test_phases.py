"""The phases: transitions are data, the diagram is drawn from them, and play keeps to them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import pytest

import servito_core
from servito_core.commands import Command
from servito_core.deals import Entrant
from servito_core.events import DrawBegan, Event, HandStarted, Passed
from servito_core.evolve import CHANGES, begin, evolve
from servito_core.hand import DECISIONS
from servito_core.phases import MOVES, IllegalMoveError, diagram
from servito_core.state import Phase
from tests.core.hand.driven import Driven
from tests.core.hand.random_play import Play
from tests.core.hand.rule_sets import random_rules

if TYPE_CHECKING:
    from servito_core.state import HandState, PlayerState


def test_the_diagram_of_the_readme_is_drawn_from_the_transitions() -> None:
    """README.md holds `phases.diagram()`; `python -m tests.core.readme` draws it anew."""
    readme = (Path(servito_core.__file__).parent / "README.md").read_text()
    assert readme.split("```mermaid\n")[1].split("\n```")[0] == diagram()


def test_play_moves_along_the_transitions_and_uses_each() -> None:
    """Over many random hands every transition but some of the endings happens, and no other."""
    seen: set[tuple[Phase, type[Event], Phase]] = set()
    for seed in range(250):
        rng = random.Random(seed)
        rules = random_rules(rng, 6)
        stacks = [rng.choice((rules.ante, 40, 40)) for _ in range(rng.randint(2, 6))]
        play = Play(rules, rng, [Entrant(seat, stack) for seat, stack in enumerate(stacks)])
        play.run()
        started, *events = play.events
        assert isinstance(started, HandStarted)
        hand = begin(play.rules, started)
        for event in events:
            before, hand = hand.phase, evolve(hand, event)
            if hand.phase is not before:
                seen.add((before, type(event), hand.phase))
    legal = {(source, event, target) for (source, event), target in MOVES.items()}
    assert seen <= legal
    began = {move for move in legal if move[2] not in (Phase.OVER, Phase.BLINDS)}
    assert began <= seen


def test_an_event_of_another_phase_is_a_defect() -> None:
    """Events that do not belong to the state are never applied half."""
    game = Driven({})
    with pytest.raises(IllegalMoveError):
        evolve(evolve(game.hand, DrawBegan()), DrawBegan())


def test_every_event_and_every_command_has_its_place() -> None:
    """Each event changes a state, each command is decided."""
    assert set(CHANGES) == set(get_args(Event)) - {HandStarted}
    assert set(DECISIONS) == set(get_args(Command))


def test_evolve_changes_nothing_that_anybody_holds() -> None:
    """The given state and its players stay as they are."""
    game = Driven({})
    before = game.hand.copied()
    players = [player.copied() for player in game.hand.players]
    evolve(game.hand, Passed(0))
    assert game.hand == before
    assert list(game.hand.players) == players


def test_a_copy_has_every_field() -> None:
    """`copied` is written out: a new field that it forgets would vanish."""
    game = Driven({}, hands={0: "Ah Ad Jc Ts 9h"})
    game.do("0 open 2", "1 call", "2 fold", "3 fold", "0 draw Ts")
    things: list[HandState | PlayerState] = [game.hand, *game.hand.players]
    for thing in things:
        copy = thing.copied()
        assert [getattr(copy, name) for name in thing.__slots__] == [
            getattr(thing, name) for name in thing.__slots__
        ]
