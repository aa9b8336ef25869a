"""What one hand is worth: category, ranks, kind, suit (RULES.md B7)."""

from __future__ import annotations

import pytest

from servito_core.cards import CardError, parse_cards
from servito_core.ranking import NotAHandError, rank
from servito_core.rules import RankingRules
from servito_core.values import Category, HandValue, SfKind

C = Category
DEFAULT = RankingRules()


def value(text: str, lowest: int = 7, rules: RankingRules = DEFAULT) -> HandValue:
    """The value of a written hand, four players' deck unless said."""
    return rank(parse_cards(text), rules, lowest)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ah Kd Qh Jc 9h", HandValue(C.HIGH_CARD, (14, 13, 12, 11, 9), None, 3)),
        ("7s Jd Js 8c Qh", HandValue(C.ONE_PAIR, (11, 12, 8, 7), None, 2)),
        ("Jc 9h Kd Js Ks", HandValue(C.TWO_PAIR, (13, 11, 9), None, 2)),
        ("8s 7d 8c Jd 8h", HandValue(C.THREE_OF_A_KIND, (8, 11, 7), None, None)),
        ("Jc 9s Tc Qh 8h", HandValue(C.STRAIGHT, (12,), None, 3)),
        ("Td 8c Th Tc 8s", HandValue(C.FULL_HOUSE, (10, 8), None, None)),
        ("Kc 7c Tc Jc 9c", HandValue(C.FLUSH, (13, 11, 10, 9, 7), None, 1)),
        ("9d 9h As 9c 9s", HandValue(C.FOUR_OF_A_KIND, (9, 14), None, None)),
        ("Ts 7s 9s As 8s", HandValue(C.STRAIGHT_FLUSH, (10,), SfKind.MINIMA, 0)),
        ("Td 7d 9d Jd 8d", HandValue(C.STRAIGHT_FLUSH, (11,), SfKind.MEDIA, 2)),
        ("Kh Qh Th Ah Jh", HandValue(C.STRAIGHT_FLUSH, (14,), SfKind.MASSIMA, 3)),
    ],
)
def test_each_category_is_named_by_what_is_compared(text: str, expected: HandValue) -> None:
    """The combination first, side cards descending; a run by its top; the suit where one can decide."""
    assert value(text) == expected


def test_the_order_of_the_cards_does_not_matter() -> None:
    """A hand is a set."""
    cards = parse_cards("Kd 9c Kh 8s 9d")
    assert all(rank(cards[i:] + cards[:i], DEFAULT, 7) == rank(cards, DEFAULT, 7) for i in range(5))


@pytest.mark.parametrize(
    ("text", "lowest", "ace_low", "top"),
    [
        ("As 7d 8c 9h Ts", 7, "adjacent_lowest", 10),
        ("As 9d Tc Jh Qs", 9, "adjacent_lowest", 12),
        ("As 2d 3c 4h 5s", 2, "adjacent_lowest", 5),
        ("As 2d 3c 4h 5s", 2, "a2345_only", 5),
        ("As 6d 7c 8h 9s", 6, "a2345_only", None),
        ("As 7d 8c 9h Ts", 7, "never", None),
        ("As 2d 3c 4h 5s", 2, "never", None),
        ("As 7d 8c 9h Ts", 6, "adjacent_lowest", None),
        ("As Kd Qc Jh Ts", 7, "never", 14),
        ("As Kd 7c 8h 9s", 7, "adjacent_lowest", None),
        ("Qs Kd Ac 7h 8s", 7, "adjacent_lowest", None),
    ],
)
def test_the_ace_stands_low_only_as_the_rules_say(
    text: str, lowest: int, ace_low: str, top: int | None
) -> None:
    """ace_low: below the lowest card of the deck, in A-2-3-4-5 only, or never; runs do not wrap around."""
    ranked = value(text, lowest, RankingRules(ace_low=ace_low))  # type: ignore[arg-type]  # from the table above
    assert (ranked.category, ranked.ranks) == (C.STRAIGHT, (top,)) if top else ranked.category is C.HIGH_CARD


def test_a_run_that_is_none_by_ace_low_is_a_flush_in_one_suit() -> None:
    """000 taken literally: with 32 cards A-7-8-9-10 suited is only a flush."""
    rules = RankingRules(ace_low="a2345_only")
    assert value("Ah 7h 8h 9h Th", 7, rules) == HandValue(C.FLUSH, (14, 10, 9, 8, 7), None, 3)


def test_with_24_cards_the_three_kinds_are_three_different_hands() -> None:
    """RULES.md C: A-9-10-J-Q is the minima, 9 to K the only media, 10 to A the massima."""
    kinds = [value(text, 9).kind for text in ("Ah 9h Th Jh Qh", "9h Th Jh Qh Kh", "Th Jh Qh Kh Ah")]
    assert kinds == [SfKind.MINIMA, SfKind.MEDIA, SfKind.MASSIMA]


@pytest.mark.parametrize(
    ("tiebreak", "expected"),
    [
        # high card, pair, two pair, straight, flush: the suit that decides
        ("combination", (1, 2, 2, 0, 3)),
        ("kicker", (1, 1, 0, 0, 3)),
        ("fantini", (3, 1, 0, 0, 3)),
        ("pair_suit_first", (1, 2, 2, 0, 3)),
        ("none", (None, None, None, None, None)),
    ],
)
def test_which_suit_breaks_a_tie(tiebreak: str, expected: tuple[int | None, ...]) -> None:
    """suit_tiebreak: of the combination, of the highest side card, of the second card, or none."""
    hands = ("Ac Kh Qd 9s 7d", "Ks Kd Ac 9h 7h", "Ks Kd 9c 9h As", "Js Th 9h 8h 7h", "Ah Kh Jh 9h 7h")
    rules = RankingRules(suit_tiebreak=tiebreak)  # type: ignore[arg-type]  # from the table above
    assert tuple(value(hand, 7, rules).suit for hand in hands) == expected


def test_the_best_card_of_a_pair_decides_not_the_first_written() -> None:
    """The suit of a pair is its higher one, wherever it lies in the hand."""
    assert value("Ks Kd 9c 8h 7h").suit == value("7h Kd 8h Ks 9c").suit == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Ah Kd Qh Jc", "a hand is five cards, not 4"),
        ("Ah Kd Qh Jc 9h 8h", "a hand is five cards, not 6"),
        ("Ah Kd Qh Jc 6h", "a card is not of this deck, which holds 7s to Ah"),
    ],
)
def test_what_is_no_hand_is_refused(text: str, message: str) -> None:
    """The message says what is wrong and names none of the cards held."""
    with pytest.raises(NotAHandError, match=message):
        value(text)


def test_a_card_twice_or_no_card_at_all_is_refused() -> None:
    """Numbers are checked as well as written cards."""
    held = parse_cards("Ah Kd Qh Jc 9h")
    with pytest.raises(NotAHandError, match="a card occurs twice"):
        rank((*held[:4], held[0]), DEFAULT, 7)
    with pytest.raises(NotAHandError, match="not of this deck"):
        rank((*held[:4], type(held[0])(52)), DEFAULT, 7)
    for lowest in (1, 10):
        with pytest.raises(CardError, match=r"the lowest rank is 2\.\.9"):
            rank(held, DEFAULT, lowest)
