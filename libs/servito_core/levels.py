"""The opening level of the next deal: how it rises after passed-out deals and when it falls back (`RULES.md
B2`).

Levels are the values of `open.requirement`. Which hands fulfil a level is not known here.
"""

from __future__ import annotations

from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

from servito_core.events import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from servito_core.state import HandState

ORDER = ("none", "JJ", "QQ", "KK", "AA")

_STAY = {
    "none": (),
    "QQ_only": ("JJ", "QQ"),
    "QQ_KK_stay": ("JJ", "QQ", "KK"),
    "QQ_KK_AA_stay": ("JJ", "QQ", "KK", "AA"),
}
_CYCLE = {"cycle_JQK": ("JJ", "QQ", "KK"), "cycle_JQKA": ("JJ", "QQ", "KK", "AA")}

STEPS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {name: dict(pairwise(ladder)) for name, ladder in _STAY.items()}
    | {name: dict(zip(ladder, ladder[1:] + ladder[:1], strict=True)) for name, ladder in _CYCLE.items()}
)
"""For each `passout.escalation` the step that one passed-out deal makes; a level without a step stays."""


WON = (Outcome.SHOWDOWN, Outcome.UNCONTESTED)
"""After these the first level holds again."""


def next_level(hand: HandState, outcome: Outcome) -> tuple[str, bool]:
    """Requirement of the next deal, and whether that is a raised deal, when `hand` ends in this way."""
    rules = hand.rules
    if outcome in WON:
        return rules.open_requirement, False
    match outcome:
        case Outcome.PASSED_OUT:
            level = STEPS[rules.passout_escalation].get(hand.requirement, hand.requirement)
            raised = ORDER.index(level) > ORDER.index(rules.open_requirement)
            return level, raised or (hand.raised and level == hand.requirement)
        case Outcome.CARRIED_OVER if rules.parola_next_requirement == "KK":
            return "KK", True
        case Outcome.CARRIED_OVER if not (rules.passout_reset == "on_open" and _opened(hand)):
            return hand.requirement, hand.raised
        case Outcome.VOID:
            return hand.requirement, hand.raised
        case _:
            return rules.open_requirement, False


def _opened(hand: HandState) -> bool:
    """A blind opens a deal as well."""
    return hand.opener is not None or hand.blinds > 0
