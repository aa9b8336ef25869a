"""`RuleSet`: every option of `RULES.md` part B as one typed field, its default being the preset `italiana`.

The declarations below are the source of truth for keys, values and defaults (a test compares them with the
published `options.json`). Field names are the keys with dots turned to underscores. Which combinations
contradict one another is in `validation`; a `RuleSet` built from configuration has passed it, one built by
the constructor has not.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal

from servito_core.cards import lowest_rank
from servito_core.rules.option import Option, Value, option, options_of
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
    players_max: int = field(default=9, metadata=option("players.max", minimum=2, maximum=10))
    players_ten: Literal["dealer_sits_out", "all_play"] = field(
        default="dealer_sits_out", metadata=option("players.ten")
    )
    deck: Literal["eleven_minus_n", "full52", "fixed"] = field(
        default="eleven_minus_n", metadata=option("deck")
    )
    deck_lowest: LowestRank | None = field(
        default=None, metadata=option("deck.lowest", only_with={"deck": ("fixed",)})
    )
    deck_players: Literal["dealt_in", "seated", "at_creation"] = field(
        default="dealt_in", metadata=option("deck.players")
    )
    ante: int = field(default=1, metadata=option("ante", "chips", minimum=1))
    ante_scheme: Literal["all_equal", "dealer_double", "dealer_only"] = field(
        default="all_equal", metadata=option("ante.scheme")
    )
    ante_live: bool = field(
        default=False,
        metadata=option("ante.live", needs={"open.requirement": ("none",), "blind.depth": (0,)}),
    )
    ante_short: Literal["all_in", "sit_out", "rebuy"] = field(default="all_in", metadata=option("ante.short"))
    button_next: Literal["every_deal", "same_after_passout"] = field(
        default="every_deal", metadata=option("button.next")
    )

    # B2 opening
    open_requirement: Requirement = field(default="JJ", metadata=option("open.requirement"))
    open_draw: OpenDraw = field(
        default="none", metadata=option("open.draw", excludes={"open.requirement": ("none",)})
    )
    open_draw_in_raised_deals: bool = field(default=True, metadata=option("open.draw_in_raised_deals"))
    open_obliged: bool = field(default=False, metadata=option("open.obliged"))
    open_pass: Literal["stays_in", "is_out"] = field(default="stays_in", metadata=option("open.pass"))
    open_proof: Literal["none", "show_on_uncalled_win"] = field(default="none", metadata=option("open.proof"))
    passout_escalation: Escalation = field(default="QQ_KK_stay", metadata=option("passout.escalation"))
    passout_reset: Literal["pot_awarded", "on_open"] = field(
        default="pot_awarded", metadata=option("passout.reset")
    )
    passout_reante: Literal["all", "none"] = field(default="all", metadata=option("passout.reante"))
    passout_blind: Literal["allowed", "only_first_level"] = field(
        default="allowed", metadata=option("passout.blind")
    )

    # B3 betting
    bet_limit: Literal["pot", "pot_open_only", "none", "fixed"] = field(
        default="pot", metadata=option("bet.limit")
    )
    bet_fixed: int | None = field(
        default=None, metadata=option("bet.fixed", "chips", minimum=1, only_with={"bet.limit": ("fixed",)})
    )
    bet_pot_base: Literal["after_call", "before_call"] = field(
        default="after_call", metadata=option("bet.pot_base")
    )
    bet_min: int | Literal["ante"] = field(
        default="ante", metadata=option("bet.min", "chips_or_ante", minimum=1)
    )
    raise_min: Literal["unit", "last_increment"] = field(default="unit", metadata=option("raise.min"))
    bet_reopen: Literal["any_raise", "full_raise_only"] = field(
        default="any_raise", metadata=option("bet.reopen")
    )
    raise_max_count: int | None = field(
        default=None, metadata=option("raise.max_count", "int_or_none", minimum=1)
    )

    # B4 draw
    draw_max: Literal[4, 5] = field(default=4, metadata=option("draw.max"))
    draw_deferred: Literal["beyond_three", "none"] = field(
        default="beyond_three", metadata=option("draw.deferred")
    )
    draw_exhaust: Exhaust = field(default="reshuffle_dead_not_own", metadata=option("draw.exhaust"))
    draw_folded_in_pool: bool = field(default=True, metadata=option("draw.folded_in_pool"))
    draw_opener_split: Literal["allowed", "announce", "forbidden"] = field(
        default="allowed", metadata=option("draw.opener_split")
    )

    # B5 second round
    round2_first: Literal["opener", "last_aggressor", "left_of_dealer"] = field(
        default="opener", metadata=option("round2.first")
    )
    parola_mode: Literal["showdown", "carry_over", "carry_over_if_all_parola"] = field(
        default="showdown", metadata=option("parola.mode")
    )
    parola_reentry: Literal["free", "pay_difference", "only_survivors"] = field(
        default="free", metadata=option("parola.reentry", excludes={"parola.mode": ("showdown",)})
    )
    parola_next_requirement: Literal["unchanged", "KK"] = field(
        default="unchanged", metadata=option("parola.next_requirement")
    )
    parola_next_blind: Literal["allowed", "forbidden"] = field(
        default="allowed", metadata=option("parola.next_blind")
    )

    # B6 blinds
    blind_depth: Literal[0, 1, 2, 3] = field(default=0, metadata=option("blind.depth"))
    blind_amount: Literal["double_pot", "equal_pot", "double_ante"] = field(
        default="double_pot", metadata=option("blind.amount")
    )
    counter_blind_amount: Literal["double_previous", "double_pot"] = field(
        default="double_previous", metadata=option("counter_blind.amount")
    )
    over_blind_amount: Literal["double_previous"] = field(
        default="double_previous", metadata=option("over_blind.amount")
    )
    blind_cover_right: Literal["exclusive", "shared", "never"] = field(
        default="exclusive", metadata=option("blind.cover_right")
    )

    # B7 showdown (what a hand is worth is inherited)
    show_muck: Literal["all_hands_tabled", "may_concede"] = field(
        default="all_hands_tabled", metadata=option("show.muck")
    )
    odd_chip: Literal["left_of_dealer", "highest_suit", "next_pot"] = field(
        default="left_of_dealer", metadata=option("odd_chip")
    )

    # no option: what follows from the others
    minimum_bet: int = field(init=False, repr=False, compare=False)
    """The least opening, bet and raise by units, in chips (`bet.min`)."""

    def __post_init__(self) -> None:
        least = self.ante if self.bet_min == "ante" else self.bet_min
        object.__setattr__(self, "minimum_bet", least)

    def __hash__(self) -> int:
        """Of some options in which tables differ: judges are looked up by rules in every deal, and all fifty
        cost ten times as much.
        """
        return hash((self.deck, self.ante, self.open_requirement, self.bet_limit, self.suit_tiebreak))

    @staticmethod
    def from_options(options: Mapping[str, object]) -> RuleSet:
        """The rule set of a configuration; what it leaves out is as in its `preset` (`italiana` without one).

        Raises `InvalidRules` with every defect: unknown keys, values that are not allowed, contradictions.
        """
        from servito_core.rules.validation import checked_rules  # the checks need the finished class

        return checked_rules(options)

    def to_options(self) -> dict[str, Value]:
        """Every option by its published key."""
        return {option.key: getattr(self, option.field) for option in OPTIONS}

    def differences(self) -> dict[str, Value]:
        """The options that are not at their default, by published key."""
        return {
            option.key: value
            for option in OPTIONS
            if (value := getattr(self, option.field)) != option.default
        }

    @property
    def ranking(self) -> RankingRules:
        """The part of the rules that ranks hands, for the evaluator."""
        return RankingRules(**{f.name: getattr(self, f.name) for f in fields(RankingRules)})

    def lowest_rank(self, players: int) -> int:
        """The lowest rank of the deck for so many players; `deck.players` says who count (`RULES.md B1`)."""
        if self.deck == "fixed" and self.deck_lowest is not None:
            return int(self.deck_lowest)
        return 2 if self.deck == "full52" else lowest_rank(players)


OPTIONS: tuple[Option, ...] = tuple(
    sorted(options_of(RuleSet), key=lambda option: option.field in RankingRules.__dataclass_fields__)
)
