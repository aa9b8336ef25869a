"""A hand told line by line, and what happens around it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from servito_client.messages import (
    ActionKind,
    BlindKind,
    CheckWord,
    LapseReason,
    Outcome,
    Phase,
    SitOutReason,
    WaitingReason,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class StoryTexts:
    """A hand told line by line. `who` is a player, `cards` are written cards, amounts are chips."""

    seat: str
    """A seat whose player is not known: {seat}."""
    ranks: Mapping[int, str]
    """Of which cards a deck is, by its lowest rank: "from the six up"."""
    begins: str
    """{table} {number} {players} {cards} {ranks} {opens}"""
    opens_any: str
    opens_with: str
    """{requirement}"""
    opens_draw: Mapping[str, str]
    """What opens besides, by the value of `open.draw`; follows `opens_with`."""
    button: str
    """{who}"""
    carried: str
    """{amount}; follows `button`."""
    sealed: str
    """{root}: the order of the deck is."""
    refill_sealed: str
    """{count} {root}"""
    antes_equal: str
    """{amount} of each"""
    antes_listed: str
    """{amounts}"""
    antes_live: str
    """Follows the antes where they count as bets."""
    reentry: str
    """{who} {amount}"""
    five_cards: str
    dealt: str
    """When the cards of none or of one seat are known."""
    one_card: str
    some_cards: str
    """{count}"""
    moves: Mapping[ActionKind.ValueType, str]
    """{who} {to}"""
    checks: Mapping[CheckWord.ValueType, str]
    """{who}; with the word that was said."""
    blinds: Mapping[BlindKind.ValueType, str]
    """{who} {to}"""
    concedes: str
    """{who}"""
    all_in: str
    """Follows a move."""
    pot: str
    """{pot}; follows a move."""
    stands_pat: str
    """{who}"""
    throws: str
    """{who} {cards}"""
    gets: str
    """{who} {cards}"""
    owed: str
    """Follows `gets`."""
    reshuffled: str
    """{count}; follows `gets`."""
    phases: Mapping[Phase.ValueType, str]
    heading: str
    """{phase} {pot}"""
    expired: str
    """{who}"""
    pre_actions: Mapping[int, str]
    """By PreActionKind: {who} {amount}"""
    pre_action_ends: Mapping[int, str]
    """By PreActionEnd, those that are told: {who}"""
    time_bank: str
    """{who} {seconds} {left}"""
    time_bank_back: str
    """{who} {left}"""
    clock_restored: str
    """{who} {seconds}"""
    leaves: str
    """{who}"""
    sits: str
    """{who} {amount}"""
    stands: str
    """{who} {amount}"""
    removed: str
    """{who} {amount}: made to stand, having not played for too long."""
    sits_out: Mapping[SitOutReason.ValueType, str]
    """{who}"""
    sits_in: str
    """{who}"""
    top_up_asked: str
    """{who} {amount}"""
    topped_up: str
    """{who} {amount}"""
    waits: str
    """{who}"""
    waits_no_more: Mapping[WaitingReason.ValueType, str]
    """{who}"""
    offered: str
    """{who} {seat} {seconds}"""
    uncalled: str
    """{who} {amount}"""
    returned: str
    """{who} {amount}"""
    splits: str
    """{who}"""
    lays_down: str
    """{who} {cards}"""
    shows: str
    """{who} {cards} {value_en} {value_it}"""
    pot_name: str
    side_pot: str
    """{index}"""
    wins: str
    """{who} {amount}"""
    awarded: str
    """{pot} {amount} {wins}"""
    ends: Mapping[Outcome.ValueType, str]
    """{carried}"""
    odd_chips: str
    """{carried}: chips that nobody could be given."""
    next_opens: str
    """{requirement}; follows `ends`."""
    proposes: str
    """{who} {rules}"""
    agrees: str
    """{who}"""
    refuses: str
    """{who}"""
    accepted: str
    lapsed: Mapping[LapseReason.ValueType, str]
    changed: str
    """{rules}"""
    paused: str
    resumed: str
    held: str
    """Maintenance of the whole system begins, and ends."""
    released: str
    closing: str
    """When a hand still runs."""
    carried_back: str
    """{who} {amount}"""
    closed: str
