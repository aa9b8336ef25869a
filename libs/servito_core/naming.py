"""Hand values in words, Italian and English: "coppia di fanti", "pair of jacks".

The only Italian in the code besides the rule descriptions. Grows with `values`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from servito_core.values import Category, SfKind

if TYPE_CHECKING:
    from servito_core.values import HandValue


@dataclass(frozen=True, slots=True)
class RankName:
    """One rank: Italian singular, plural and "up to it"; English singular and plural."""

    one_it: str
    many_it: str
    up_to_it: str
    one: str
    many: str


RANK_NAMES = {
    2: RankName("due", "due", "al due", "two", "twos"),
    3: RankName("tre", "tre", "al tre", "three", "threes"),
    4: RankName("quattro", "quattro", "al quattro", "four", "fours"),
    5: RankName("cinque", "cinque", "al cinque", "five", "fives"),
    6: RankName("sei", "sei", "al sei", "six", "sixes"),
    7: RankName("sette", "sette", "al sette", "seven", "sevens"),
    8: RankName("otto", "otto", "all'otto", "eight", "eights"),
    9: RankName("nove", "nove", "al nove", "nine", "nines"),
    10: RankName("dieci", "dieci", "al dieci", "ten", "tens"),
    11: RankName("fante", "fanti", "al fante", "jack", "jacks"),
    12: RankName("donna", "donne", "alla donna", "queen", "queens"),
    13: RankName("re", "re", "al re", "king", "kings"),
    14: RankName("asso", "assi", "all'asso", "ace", "aces"),
}

KIND_IT = {SfKind.MINIMA: "minima", SfKind.MEDIA: "media", SfKind.MASSIMA: "massima"}
KIND_EN = {SfKind.MINIMA: "minimum", SfKind.MEDIA: "medium", SfKind.MASSIMA: "maximum"}

CATEGORY_IT = {
    Category.HIGH_CARD: "carta alta",
    Category.ONE_PAIR: "coppia",
    Category.TWO_PAIR: "doppia coppia",
    Category.THREE_OF_A_KIND: "tris",
    Category.STRAIGHT: "scala",
    Category.FULL_HOUSE: "full",
    Category.FLUSH: "colore",
    Category.FOUR_OF_A_KIND: "poker",
    Category.STRAIGHT_FLUSH: "scala reale",
}
CATEGORY_EN = {category: category.name.lower().replace("_", " ") for category in Category}

PATTERN_IT = {
    Category.HIGH_CARD: "carta alta, {high}",
    Category.ONE_PAIR: "coppia di {first}",
    Category.TWO_PAIR: "doppia coppia di {first} e {second}",
    Category.THREE_OF_A_KIND: "tris di {first}",
    Category.STRAIGHT: "scala {up_to}",
    Category.FULL_HOUSE: "full di {first} e {second}",
    Category.FLUSH: "colore {up_to}",
    Category.FOUR_OF_A_KIND: "poker di {first}",
    Category.STRAIGHT_FLUSH: "scala reale {kind} {up_to}",
}

PATTERN_EN = {
    Category.HIGH_CARD: "{high} high",
    Category.ONE_PAIR: "pair of {first}",
    Category.TWO_PAIR: "two pair, {first} and {second}",
    Category.THREE_OF_A_KIND: "three {first}",
    Category.STRAIGHT: "{high}-high straight",
    Category.FULL_HOUSE: "full house, {first} over {second}",
    Category.FLUSH: "{high}-high flush",
    Category.FOUR_OF_A_KIND: "four {first}",
    Category.STRAIGHT_FLUSH: "{kind} straight flush, {high} high",
}


def name_it(value: HandValue) -> str:
    """The value in Italian, as a player says it."""
    first, second = RANK_NAMES[value.ranks[0]], RANK_NAMES[value.ranks[min(1, len(value.ranks) - 1)]]
    kind = KIND_IT[value.kind] if value.kind else ""
    return PATTERN_IT[value.category].format(
        first=first.many_it, second=second.many_it, high=first.one_it, up_to=first.up_to_it, kind=kind
    )


def name_en(value: HandValue) -> str:
    """The value in English."""
    first, second = RANK_NAMES[value.ranks[0]], RANK_NAMES[value.ranks[min(1, len(value.ranks) - 1)]]
    kind = KIND_EN[value.kind] if value.kind else ""
    return PATTERN_EN[value.category].format(first=first.many, second=second.many, high=first.one, kind=kind)


def category_it(category: Category, kind: SfKind | None = None) -> str:
    """A category, or one kind of straight flush, in Italian."""
    return f"{CATEGORY_IT[category]} {KIND_IT[kind]}" if kind else CATEGORY_IT[category]


def category_en(category: Category, kind: SfKind | None = None) -> str:
    """A category, or one kind of straight flush, in English."""
    return f"{KIND_EN[kind]} {CATEGORY_EN[category]}" if kind else CATEGORY_EN[category]
