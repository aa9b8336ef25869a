"""The rule options of `RULES.md` part B: `RuleSet` with one typed field per option, presets, and validation.

What an option means in play is not here but where it is played. Changes with the published list,
`options.json`.
"""

from __future__ import annotations

from servito_core.rules.option import Option
from servito_core.rules.presets import PRESETS, preset
from servito_core.rules.ranking_rules import RankingRules
from servito_core.rules.ruleset import OPTIONS, RuleSet
from servito_core.rules.validation import Defect, InvalidRules, defects_of

__all__ = [
    "OPTIONS",
    "PRESETS",
    "Defect",
    "InvalidRules",
    "Option",
    "RankingRules",
    "RuleSet",
    "defects_of",
    "preset",
]
