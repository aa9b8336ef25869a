"""The seven options that decide what hands are worth (`RULES.md B7`): all that the evaluator needs of a rule set.

They are a class of their own because they travel to the evaluator and key its tables; `RuleSet` extends it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from servito_core.rules.option import declare

FlushVsFull = Literal["by_deck", "flush", "full"]
AceLow = Literal["adjacent_lowest", "a2345_only", "never"]
SfMediaTie = Literal["cards_then_suit", "suit_only"]
SfStandoff = Literal["best_of_each_type", "all_holders"]
SuitTiebreak = Literal["combination", "kicker", "fantini", "pair_suit_first", "none"]
FlushTiebreak = Literal["ranks_then_suit", "suit_first"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRules:
    """The ranking options; the meaning of each value is in `RULES.md B7`. The defaults are those of `italiana`."""

    flush_vs_full: FlushVsFull = declare("flush_vs_full", "enum", "by_deck")
    ace_low: AceLow = declare("ace_low", "enum", "adjacent_lowest")
    sf_cycle: bool = declare("sf_cycle", "bool", True)
    sf_media_tie: SfMediaTie = declare("sf_media_tie", "enum", "cards_then_suit")
    sf_standoff: SfStandoff = declare("sf_standoff", "enum", "best_of_each_type")
    suit_tiebreak: SuitTiebreak = declare("suit_tiebreak", "enum", "combination")
    flush_tiebreak: FlushTiebreak = declare("flush_tiebreak", "enum", "ranks_then_suit")

    def flush_beats_full(self, lowest: int) -> bool:
        """Whether a flush beats a full house in the deck that begins at rank `lowest`: by_deck turns it at 52 cards."""
        return self.flush_vs_full == "flush" or (self.flush_vs_full == "by_deck" and lowest > 2)

    def has_low_runs(self, lowest: int) -> bool:
        """Whether the ace also stands below the lowest card of the deck (A-2-3-4-5 exists only with 52 cards)."""
        return self.ace_low == "adjacent_lowest" or (self.ace_low == "a2345_only" and lowest == 2)
