"""Dealing, drawing and refilling as the deck lies on the table (RULES.md B1, B4 `draw.exhaust`)."""

from __future__ import annotations

import pytest

from servito_core.cards import format_cards, parse_cards
from servito_dealer.app.deck import Deck
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import Committed, DealtCard, DrawEntry
from tests.dealer.decks import deck as fresh_deck
from tests.dealer.decks import source

SEED = bytes(range(32))
SOURCE = source(SEED, "t-1", 7)


def laid_out(dealt: str, stock: str) -> Deck:
    """A deck of known order: the cards of `dealt` are out, from position 0, then those of the stock."""
    order = parse_cards(f"{dealt} {stock}")
    out = len(parse_cards(dealt))
    left = tuple(range(out, len(order)))
    return Deck(SOURCE, order, left, (Committed(0, len(order)),), frozenset(range(out)))


def draw(count: int, excluded: tuple[int, ...] = (), refills: tuple[tuple[int, ...], ...] = ()) -> DrawEntry:
    """A draw of slot 0."""
    return DrawEntry(number=1, slot=0, draw=1, count=count, excluded=excluded, refills=refills)


def text(cards: tuple[DealtCard, ...]) -> str:
    """The cards as written, without their positions."""
    return format_cards(dealt.card for dealt in cards)


def test_the_deal_goes_round_one_card_at_a_time() -> None:
    """Slot s gets positions s, s + slots, s + 2 slots ... (RULES.md B1), and the rest stays in order."""
    deck = fresh_deck(SEED, "t-1", 7)
    dealt, after = deck.deal(4)
    assert [[card.position for card in hand] for hand in dealt.hands] == [
        list(range(slot, 20, 4)) for slot in range(4)
    ]
    assert all(deck.order[card.position] == card.card for hand in dealt.hands for card in hand)
    assert dealt.stock_left == 12
    assert after.stock == tuple(range(20, 32))


def test_a_draw_takes_the_top_of_the_stock() -> None:
    """Without exclusions the next cards come in their order, with their positions."""
    drawn, after = laid_out("Ah Kh", "Qs Js Ts 9s").draw(draw(3))
    assert drawn.cards == tuple(zip(parse_cards("Qs Js Ts"), (2, 3, 4), strict=True))
    assert (drawn.stock_left, drawn.shuffled) == (1, ())
    assert after.stock == (5,)


def test_a_deferred_card_that_is_ones_own_discard_goes_to_the_next() -> None:
    """Hand script D19 after its reshuffle: Jd is passed over for P1 and stays first in the stock for P3."""
    pool = "Jd 9s Kd 9c 7d 6h 5c 4h"
    # Where P1, P3 .. P7 first had their discards does not matter: here positions 0.. in this order.
    firsts = "Jd 9c 7d 4h Qd 8c 7h 4s Kd 9s 6h 5c Kc Jc 7s 5d Td 9h 8h 4c Qs Ts 6c 5s"
    dealt = parse_cards(firsts)
    order = (*dealt, *parse_cards(pool))
    deck = Deck(SOURCE, order, tuple(range(24, 32)), (Committed(0, 24), Committed(24, 8)))
    got = []
    for first in range(0, 24, 4):
        drawn, deck = deck.draw(draw(1, excluded=tuple(range(first, first + 4))))
        got.append(text(drawn.cards))
    assert got == ["9s", "Jd", "9c", "Kd", "7d", "6h"]


def test_while_the_stock_holds_cards_even_own_ones_he_gets_from_it() -> None:
    """A refill waits until the stock is empty, also when the stock holds nothing but excluded cards (B4)."""
    # Ah and Kh were dealt from positions 0 and 1 and have come back to 3 and 4.
    order = (*parse_cards("Ah Kh Qh"), *parse_cards("Ah Kh"))
    deck = Deck(SOURCE, order, (3, 4), (Committed(0, 3), Committed(3, 2)), frozenset({2}))
    drawn, _ = deck.draw(draw(2, excluded=(0, 1), refills=((2,),)))
    assert text(drawn.cards) == "Ah Kh"
    assert drawn.shuffled == ()


def test_own_discards_come_last_of_all() -> None:
    """The caller names the others' dead cards first and the player's own second: his come when nothing else
    is left.
    """
    deck = laid_out("Ah Kh Qh Jh", "Qs")
    drawn, after = deck.draw(draw(5, excluded=(2, 3), refills=((0, 1), (2, 3))))
    assert text(drawn.cards[:1]) == "Qs"
    assert set(text(drawn.cards[1:3]).split()) == {"Ah", "Kh"}
    assert set(text(drawn.cards[3:]).split()) == {"Qh", "Jh"}
    assert [shuffle[:2] for shuffle in drawn.shuffled] == [(5, 2), (7, 2)]
    assert [card.position for card in drawn.cards] == [4, 5, 6, 7, 8]
    assert after.out == {4, 5, 6, 7, 8}


def test_a_card_keeps_its_new_position_until_dealt() -> None:
    """Cards passed over in a refill keep their position, and are found by that of long ago."""
    deck = laid_out("Ah Kh Qh", "Qs")
    first, deck = deck.draw(draw(2, refills=((0, 1, 2),)))
    left = [position for position in range(4, 7) if position != first.cards[1].position]
    original = parse_cards("Ah Kh Qh").index(deck.order[left[0]])
    second, deck = deck.draw(draw(1, excluded=(original,)))
    assert second.cards[0].position == left[1]
    assert deck.stock == (left[0],)


def test_refills_that_were_not_needed_leave_no_trace() -> None:
    """The same draw with and without unneeded refills leaves the same deck, and their cards are still out."""
    deck = laid_out("Ah Kh Qh", "Qs Js")
    assert deck.draw(draw(2, refills=((0, 1),))) == deck.draw(draw(2))


def test_the_order_in_which_positions_are_named_means_nothing() -> None:
    """A refill is a set: whoever names it cannot influence how it is shuffled by the order of naming."""
    deck = laid_out("Ah Kh Qh Jh Th", "Qs")
    assert deck.draw(draw(3, refills=((4, 0, 3),))) == deck.draw(draw(3, refills=((0, 3, 4),)))


def test_each_refill_has_a_shuffle_of_its_own() -> None:
    """Two refills of the same cards come in different orders: no refill tells about the next."""
    order = parse_cards("Ah Kh Qh Jh Th 9h 8h 7h")
    every = tuple(range(8))
    once = Deck(SOURCE, order, (), (Committed(0, 8),), frozenset(every)).draw(draw(5, refills=(every,)))
    again = Deck(SOURCE, order, (), (Committed(0, 4), Committed(4, 4)), frozenset(every)).draw(
        draw(5, refills=(every,))
    )
    assert text(once[0].cards) != text(again[0].cards)


@pytest.mark.parametrize(
    ("entry", "reason", "message"),
    [
        (draw(1, excluded=(3,)), Reason.POSITION_NOT_DEAD, "excluded position 3 was never dealt"),
        (draw(1, excluded=(99,)), Reason.POSITION_NOT_DEAD, "excluded position 99 was never dealt"),
        (draw(1, refills=((0, 4),)), Reason.POSITION_NOT_DEAD, "position 4 of a refill was never dealt"),
        (draw(1, refills=((0, 99),)), Reason.POSITION_NOT_DEAD, "position 99 of a refill was never dealt"),
        (
            draw(5, refills=((0,),)),
            Reason.STOCK_EXHAUSTED,
            "5 cards wanted, stock and refills hold 3 together",
        ),
    ],
)
def test_refused(entry: DrawEntry, reason: Reason, message: str) -> None:
    """What was never dealt cannot be dead or excluded, and more than there is cannot be dealt; also if not
    needed.
    """
    with pytest.raises(Refused, match=message) as refusal:
        laid_out("Ah Kh Qh", "Qs Js").draw(entry)
    assert refusal.value.reason is reason


def test_a_position_is_dead_once() -> None:
    """After a refill its cards have new positions; the old ones can be excluded but not shuffled in again."""
    _, deck = laid_out("Ah Kh Qh", "Qs").draw(draw(2, refills=((0, 1),)))
    deck.draw(draw(1, excluded=(0, 1)))
    with pytest.raises(Refused, match="position 1 of a refill was already shuffled again") as refusal:
        deck.draw(draw(2, refills=((1, 2),)))
    assert refusal.value.reason is Reason.POSITION_NOT_DEAD


def test_nothing_printable_shows_a_card() -> None:
    """Neither the deck nor an answer has a text form that names a card, so no log or traceback can."""
    deck = laid_out("Ah Kh Qh", "Qs Js")
    drawn, after = deck.draw(draw(2))
    assert repr(drawn) == (
        "Drawn(cards=(<card at position 3>, <card at position 4>), stock_left=0, shuffled=())"
    )
    assert "order" not in repr(deck) + repr(after)
    assert "seed" not in repr(deck) + repr(after)
