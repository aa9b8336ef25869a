"""Which event moves a hand from which phase to which: the legal transitions as data.

`evolve` has no other way to change the phase, and the diagram in `README.md` is drawn from `MOVES` (a test
fails if it is stale). What happens inside a phase belongs to the module of that phase.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from servito_core.events import (
    BlindsBegan,
    BlindsClosed,
    DeferredDrawBegan,
    DrawBegan,
    Event,
    FirstRoundBegan,
    HandEnded,
    Opened,
    OpenersFound,
    SecondRoundBegan,
    ShowdownBegan,
)
from servito_core.state import Phase

if TYPE_CHECKING:
    from collections.abc import Mapping

MOVES: Mapping[tuple[Phase, type[Event]], Phase] = MappingProxyType(
    {
        (Phase.DEAL, BlindsBegan): Phase.BLINDS,
        (Phase.BLINDS, BlindsClosed): Phase.DEAL,
        (Phase.DEAL, OpenersFound): Phase.OPENING,
        (Phase.DEAL, FirstRoundBegan): Phase.FIRST_ROUND,
        (Phase.OPENING, Opened): Phase.FIRST_ROUND,
        (Phase.OPENING, DrawBegan): Phase.DRAW,
        (Phase.FIRST_ROUND, DrawBegan): Phase.DRAW,
        (Phase.DRAW, DeferredDrawBegan): Phase.DEFERRED,
        (Phase.DRAW, SecondRoundBegan): Phase.SECOND_ROUND,
        (Phase.DRAW, ShowdownBegan): Phase.SHOWDOWN,
        (Phase.DEFERRED, SecondRoundBegan): Phase.SECOND_ROUND,
        (Phase.DEFERRED, ShowdownBegan): Phase.SHOWDOWN,
        (Phase.SECOND_ROUND, ShowdownBegan): Phase.SHOWDOWN,
        **{(phase, HandEnded): Phase.OVER for phase in Phase if phase is not Phase.OVER},
    }
)


class IllegalMoveError(ValueError):
    """An event that cannot follow in this phase: the events do not belong to this state."""


def after(phase: Phase, event: Event) -> Phase:
    """The phase that `event` leads to from `phase`; `IllegalMoveError` if it leads nowhere from there."""
    try:
        return MOVES[phase, type(event)]
    except KeyError:
        raise IllegalMoveError(f"{type(event).__name__} cannot follow in phase {phase.name}") from None


def diagram() -> str:
    """The transitions as a Mermaid state diagram, the form in which `README.md` shows them."""
    labels: dict[tuple[str, str], list[str]] = {}
    for (source, event), target in MOVES.items():
        labels.setdefault((source.name, target.name), []).append(event.__name__)
    arrows = [f"    {source} --> {target}: {', '.join(names)}" for (source, target), names in labels.items()]
    return "\n".join(["stateDiagram-v2", "    [*] --> DEAL: HandStarted", *arrows, "    OVER --> [*]"])
