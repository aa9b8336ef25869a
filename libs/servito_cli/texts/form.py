"""Which texts there are: the form that every language fills. Fields in braces are named beside each text.

Changes with ActionKind, BlindKind, CheckWord, Phase and Outcome of table.proto: the maps hold each of their
values that can be told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from servito_client.messages import ActionKind, BlindKind, CheckWord, Outcome, Phase


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
    leaves: str
    """{who}"""
    sits: str
    """{who} {amount}"""
    stands: str
    """{who} {amount}"""
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


@dataclass(frozen=True, kw_only=True, slots=True)
class Texts:
    """One language."""

    story: StoryTexts
