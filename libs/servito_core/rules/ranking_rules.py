"""The seven options that decide what hands are worth (`RULES.md B7`): all that ranking needs of a rule set.

They are a class of their own because they travel to the evaluator and key its tables; `RuleSet` extends it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from servito_core.rules.option import option

FlushVsFull = Literal["by_deck", "flush", "full"]
AceLow = Literal["adjacent_lowest", "a2345_only", "never"]
SfMediaTie = Literal["cards_then_suit", "suit_only"]
SfStandoff = Literal["best_of_each_type", "all_holders"]
SuitTiebreak = Literal["combination", "kicker", "fantini", "pair_suit_first", "none"]
FlushTiebreak = Literal["ranks_then_suit", "suit_first"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingRules:
    """The ranking options, defaults those of `italiana`; the meaning of each value is in `RULES.md B7`."""

    flush_vs_full: FlushVsFull = field(default="by_deck", metadata=option("flush_vs_full"))
    ace_low: AceLow = field(default="adjacent_lowest", metadata=option("ace_low"))
    sf_cycle: bool = field(default=True, metadata=option("sf_cycle"))
    sf_media_tie: SfMediaTie = field(default="cards_then_suit", metadata=option("sf_media_tie"))
    sf_standoff: SfStandoff = field(default="best_of_each_type", metadata=option("sf_standoff"))
    suit_tiebreak: SuitTiebreak = field(default="combination", metadata=option("suit_tiebreak"))
    flush_tiebreak: FlushTiebreak = field(default="ranks_then_suit", metadata=option("flush_tiebreak"))

    def flush_beats_full(self, lowest: int) -> bool:
        """Whether a flush beats a full house in the deck from rank `lowest`; by_deck: not with 52 cards."""
        return self.flush_vs_full == "flush" or (self.flush_vs_full == "by_deck" and lowest > 2)

    def has_low_runs(self, lowest: int) -> bool:
        """Whether the ace also stands below the lowest card (A-2-3-4-5 exists only with 52 cards)."""
        return self.ace_low == "adjacent_lowest" or (self.ace_low == "a2345_only" and lowest == 2)
