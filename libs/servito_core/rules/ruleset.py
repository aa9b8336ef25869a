"""`RuleSet`: every option of `RULES.md` part B as one typed field, its default being the preset `italiana`.

The declarations below are the source of truth for keys, values and defaults (a test compares them with the published
`options.json`). Field names are the keys with dots turned to underscores. Which combinations contradict one another is
in `validation`; a `RuleSet` built from configuration has passed it, one built by the constructor has not.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Literal

from servito_core.cards import lowest_rank
from servito_core.rules.option import Option, Value, declare, options_of
from servito_core.rules.ranking_rules import RankingRules

if TYPE_CHECKING:
    from collections.abc import Mapping

LowestRank = Literal["2", "3", "4", "5", "6", "7", "8", "9"]
Requirement = Literal["JJ", "QQ", "KK", "AA", "none"]
OpenDraw = Literal["none", "straightflush_oe", "straight_oe", "straightflush_any4", "flush4"]
Escalation = Literal["QQ_KK_stay", "none", "QQ_only", "QQ_KK_AA_stay", "cycle_JQK", "cycle_JQKA"]
Exhaust = Literal["reshuffle_dead_not_own", "reshuffle_all_discards", "cap"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet(RankingRules):
    """The rules that a table plays. Frozen: a change of rules is another rule set, from the next hand on."""

    # B1 table, deck, ante, button
    players_max: int = declare("players.max", "int", 9, minimum=2, maximum=10)
    players_ten: Literal["dealer_sits_out", "all_play"] = declare("players.ten", "enum", "dealer_sits_out")
    deck: Literal["eleven_minus_n", "full52", "fixed"] = declare("deck", "enum", "eleven_minus_n")
    deck_lowest: LowestRank | None = declare("deck.lowest", "enum", None, only_with={"deck": ("fixed",)})
    deck_players: Literal["dealt_in", "seated", "at_creation"] = declare("deck.players", "enum", "dealt_in")
    ante: int = declare("ante", "chips", 1, minimum=1)
    ante_scheme: Literal["all_equal", "dealer_double", "dealer_only"] = declare("ante.scheme", "enum", "all_equal")
    ante_live: bool = declare(
        "ante.live", "bool", False, needs={"open.requirement": ("none",), "blind.depth": (0,)}
    )
    ante_short: Literal["all_in", "sit_out", "rebuy"] = declare("ante.short", "enum", "all_in")
    button_next: Literal["every_deal", "same_after_passout"] = declare("button.next", "enum", "every_deal")

    # B2 opening
    open_requirement: Requirement = declare("open.requirement", "enum", "JJ")
    open_draw: OpenDraw = declare("open.draw", "enum", "none", excludes={"open.requirement": ("none",)})
    open_draw_in_raised_deals: bool = declare("open.draw_in_raised_deals", "bool", True)
    open_obliged: bool = declare("open.obliged", "bool", False)
    open_pass: Literal["stays_in", "is_out"] = declare("open.pass", "enum", "stays_in")
    open_proof: Literal["none", "show_on_uncalled_win"] = declare("open.proof", "enum", "none")
    passout_escalation: Escalation = declare("passout.escalation", "enum", "QQ_KK_stay")
    passout_reset: Literal["pot_awarded", "on_open"] = declare("passout.reset", "enum", "pot_awarded")
    passout_reante: Literal["all", "none"] = declare("passout.reante", "enum", "all")
    passout_blind: Literal["allowed", "only_first_level"] = declare("passout.blind", "enum", "allowed")

    # B3 betting
    bet_limit: Literal["pot", "pot_open_only", "none", "fixed"] = declare("bet.limit", "enum", "pot")
    bet_fixed: int | None = declare("bet.fixed", "chips", None, minimum=1, only_with={"bet.limit": ("fixed",)})
    bet_pot_base: Literal["after_call", "before_call"] = declare("bet.pot_base", "enum", "after_call")
    bet_min: int | Literal["ante"] = declare("bet.min", "chips_or_ante", "ante", minimum=1)
    raise_min: Literal["unit", "last_increment"] = declare("raise.min", "enum", "unit")
    bet_reopen: Literal["any_raise", "full_raise_only"] = declare("bet.reopen", "enum", "any_raise")
    raise_max_count: int | None = declare("raise.max_count", "int_or_none", None, minimum=1)

    # B4 draw
    draw_max: Literal[4, 5] = declare("draw.max", "int", 4)
    draw_deferred: Literal["beyond_three", "none"] = declare("draw.deferred", "enum", "beyond_three")
    draw_exhaust: Exhaust = declare("draw.exhaust", "enum", "reshuffle_dead_not_own")
    draw_folded_in_pool: bool = declare("draw.folded_in_pool", "bool", True)
    draw_opener_split: Literal["allowed", "announce", "forbidden"] = declare("draw.opener_split", "enum", "allowed")

    # B5 second round
    round2_first: Literal["opener", "last_aggressor", "left_of_dealer"] = declare("round2.first", "enum", "opener")
    parola_mode: Literal["showdown", "carry_over", "carry_over_if_all_parola"] = declare(
        "parola.mode", "enum", "showdown"
    )
    parola_reentry: Literal["free", "pay_difference", "only_survivors"] = declare(
        "parola.reentry", "enum", "free", excludes={"parola.mode": ("showdown",)}
    )
    parola_next_requirement: Literal["unchanged", "KK"] = declare("parola.next_requirement", "enum", "unchanged")
    parola_next_blind: Literal["allowed", "forbidden"] = declare("parola.next_blind", "enum", "allowed")

    # B6 blinds
    blind_depth: Literal[0, 1, 2, 3] = declare("blind.depth", "int", 0)
    blind_amount: Literal["double_pot", "equal_pot", "double_ante"] = declare("blind.amount", "enum", "double_pot")
    counter_blind_amount: Literal["double_previous", "double_pot"] = declare(
        "counter_blind.amount", "enum", "double_previous"
    )
    over_blind_amount: Literal["double_previous"] = declare("over_blind.amount", "enum", "double_previous")
    blind_cover_right: Literal["exclusive", "shared", "never"] = declare("blind.cover_right", "enum", "exclusive")

    # B7 showdown (what a hand is worth is inherited)
    show_muck: Literal["all_hands_tabled", "may_concede"] = declare("show.muck", "enum", "all_hands_tabled")
    odd_chip: Literal["left_of_dealer", "highest_suit", "next_pot"] = declare("odd_chip", "enum", "left_of_dealer")

    @staticmethod
    def from_options(options: Mapping[str, object]) -> RuleSet:
        """The rule set that a configuration names; what it leaves out is as in its `preset` (`italiana` without one).

        Raises `InvalidRules` with every defect: unknown keys, values that are not allowed, contradictions.
        """
        from servito_core.rules.validation import checked_rules  # the checks need the finished class

        return checked_rules(options)

    def to_options(self) -> dict[str, Value]:
        """Every option by its published key."""
        return {option.key: getattr(self, option.field) for option in OPTIONS}

    def differences(self) -> dict[str, Value]:
        """The options that are not at their default, by published key."""
        return {option.key: value for option in OPTIONS if (value := getattr(self, option.field)) != option.default}

    @property
    def ranking(self) -> RankingRules:
        """The part of the rules that ranks hands, for the evaluator."""
        return RankingRules(**{f.name: getattr(self, f.name) for f in fields(RankingRules)})

    @property
    def minimum_bet(self) -> int:
        """The least opening, bet and raise by units, in chips (`bet.min`)."""
        return self.ante if self.bet_min == "ante" else self.bet_min

    def lowest_rank(self, players: int) -> int:
        """The lowest rank of the deck when `players` count (`deck.players` says which those are) (`RULES.md B1`)."""
        if self.deck == "fixed" and self.deck_lowest is not None:
            return int(self.deck_lowest)
        return 2 if self.deck == "full52" else lowest_rank(players)


OPTIONS: tuple[Option, ...] = tuple(
    sorted(options_of(RuleSet), key=lambda option: option.field in RankingRules.__dataclass_fields__)
)
