"""`servito eval`: hands typed by a person, named and compared.

Here: reading what was typed and showing the verdict. The judgement is `servito_script.hands`.
"""

from __future__ import annotations

from collections.abc import Sequence

from servito_cli.console import UNUSABLE, card_text, complain, output
from servito_core.cards import CardError, lowest_rank, parse_cards, rank_of
from servito_core.naming import RANK_NAMES, name_en, name_it
from servito_core.ranking import NotAHandError
from servito_core.rules import RuleSet
from servito_script.hands import JudgedHand, judge_hands


def run_eval(words: Sequence[str], players: int | None) -> int:
    """Shows the hands under the preset `italiana`; the exit code."""
    hands = hands_of(words)
    try:
        lowest = lowest_rank(players or _fewest_players(hands))
        judged = judge_hands(hands, RuleSet(), lowest)
    except (CardError, NotAHandError) as error:
        complain(str(error))
        return UNUSABLE
    _show(judged, lowest)
    return 0


def hands_of(words: Sequence[str]) -> list[str]:
    """Hands as texts of cards with blanks: one a word, or five words a hand where each word is one card."""
    if all(len(word) == 2 for word in words):
        return [" ".join(words[start : start + 5]) for start in range(0, len(words), 5)]
    return [_spaced(word) for word in words]


def _fewest_players(hands: Sequence[str]) -> int:
    """As many players as there are hands, or as many more as it takes for a deck that has all their cards."""
    least = min((rank_of(card) for hand in hands for card in parse_cards(hand)), default=14)
    return max(2, len(hands), 11 - least)


def _spaced(word: str) -> str:
    joined = "".join(word.split())
    return " ".join(joined[start : start + 2] for start in range(0, len(joined), 2))


def _show(judged: Sequence[JudgedHand], lowest: int) -> None:
    console = output()
    text = card_text(console)
    console.print(
        f"Deck of {4 * (15 - lowest)} cards, from the {RANK_NAMES[lowest].one} up; preset italiana."
    )
    sole = sum(hand.wins for hand in judged) == 1
    names = [(name_it(hand.value), name_en(hand.value)) for hand in judged]
    wide_it, wide_en = (max(len(name[language]) for name in names) for language in (0, 1))
    for hand, (italian, english) in zip(judged, names, strict=True):
        verdict = "" if len(judged) == 1 or not hand.wins else "wins" if sole else "shares the pot"
        cards = " ".join(text(card) for card in hand.cards)
        console.print(f"{cards}   {italian:<{wide_it}}   {english:<{wide_en}}   {verdict}".rstrip())
