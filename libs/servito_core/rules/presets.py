"""The named rule sets of `RULES.md B9`, each as its differences from `italiana`, which is all defaults."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from servito_core.rules.ruleset import RuleSet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from servito_core.rules.option import Value

PRESETS: Mapping[str, Mapping[str, Value]] = MappingProxyType(
    {
        "italiana": {},
        "accomodo": {
            "open.draw": "straight_oe",
            "passout.escalation": "QQ_only",
            "button.next": "same_after_passout",
            "bet.limit": "pot_open_only",
            "draw.max": 5,
            "blind.depth": 1,
            "flush_vs_full": "flush",
            "suit_tiebreak": "kicker",
        },
        "libera": {
            "ante.scheme": "dealer_double",
            "ante.live": True,
            "open.requirement": "none",
            "bet.limit": "none",
            "round2.first": "last_aggressor",
            "sf_cycle": False,
        },
        "classico": {
            "bet.limit": "none",
            "parola.mode": "carry_over",
            "blind.depth": 2,
            "suit_tiebreak": "pair_suit_first",
            "sf_standoff": "all_holders",
        },
        "pagat": {"passout.escalation": "none", "bet.limit": "none", "draw.opener_split": "announce"},
        "sala": {"raise.min": "last_increment", "bet.reopen": "full_raise_only"},
        "americana": {
            "deck": "full52",
            "flush_vs_full": "full",
            "sf_cycle": False,
            "suit_tiebreak": "none",
            "passout.escalation": "none",
            "draw.max": 5,
            "draw.deferred": "none",
        },
    }
)


def preset(name: str) -> RuleSet:
    """The rule set of that name; `InvalidRules` naming the presets if there is none."""
    return RuleSet.from_options({"preset": name})
