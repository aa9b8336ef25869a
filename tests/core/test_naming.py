"""Hand values in words."""

from __future__ import annotations

import pytest

from servito_core.cards import RANKS, parse_cards
from servito_core.naming import category_en, category_it, name_en, name_it
from servito_core.ranking import rank
from servito_core.rules import RankingRules
from servito_core.values import Category, SfKind


@pytest.mark.parametrize(
    ("text", "italian", "english"),
    [
        ("Ah Kd Qh Jc 9h", "carta alta, asso", "ace high"),
        ("Qd 9s 8c 7h Jh", "carta alta, donna", "queen high"),
        ("Jd Js 8c 7h Qh", "coppia di fanti", "pair of jacks"),
        ("Kd Ks Jh Js 9c", "doppia coppia di re e fanti", "two pair, kings and jacks"),
        ("8s 8c 8h 7d Jd", "tris di otto", "three eights"),
        ("As 7d 8c 9h Th", "scala al dieci", "ten-high straight"),
        ("As Kd Qc Jh Th", "scala all'asso", "ace-high straight"),
        ("Ks Kd Kh Jd Jc", "full di re e fanti", "full house, kings over jacks"),
        ("7h 9h Jh Kh Qh", "colore al re", "king-high flush"),
        ("Ah As Ad Ac 8h", "poker di assi", "four aces"),
        ("Ah 7h 8h 9h Th", "scala reale minima al dieci", "minimum straight flush, ten high"),
        ("8h 9h Th Jh Qh", "scala reale media alla donna", "medium straight flush, queen high"),
        ("Th Jh Qh Kh Ah", "scala reale massima all'asso", "maximum straight flush, ace high"),
    ],
)
def test_every_category_has_its_name(text: str, italian: str, english: str) -> None:
    """As a player says it, in Italian and English."""
    value = rank(parse_cards(text), RankingRules(), 7)
    assert (name_it(value), name_en(value)) == (italian, english)


def test_every_rank_has_its_own_name() -> None:
    """No two ranks are called alike, in either language."""
    values = [
        rank(parse_cards(f"{r}s {r}c {r}d {r}h {'A' if r != 'A' else 'K'}s"), RankingRules(), 2)
        for r in RANKS
    ]
    assert len({name_it(value) for value in values}) == len({name_en(value) for value in values}) == 13


def test_every_category_and_kind_has_a_name_of_its_own() -> None:
    """Nine categories, three kinds of straight flush, in both languages."""
    outcomes = [(category, None) for category in Category] + [
        (Category.STRAIGHT_FLUSH, kind) for kind in SfKind
    ]
    assert len({category_it(*outcome) for outcome in outcomes}) == 12
    assert len({category_en(*outcome) for outcome in outcomes}) == 12
    assert category_it(Category.STRAIGHT_FLUSH, SfKind.MINIMA) == "scala reale minima"
    assert category_en(Category.THREE_OF_A_KIND) == "three of a kind"
