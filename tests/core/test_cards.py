"""Cards: numbers, names and decks."""

from __future__ import annotations

import pytest

from servito_core.cards import (
    Card,
    CardError,
    deck_from,
    format_card,
    format_cards,
    lowest_rank,
    make_card,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
)


def test_a_greater_number_is_a_greater_card_and_suits_break_ties() -> None:
    """The order of numbers is rank, then hearts over diamonds over clubs over spades."""
    written = "2s 2c 2d 2h 3s Th Js As Ac Ad Ah"
    assert list(parse_cards(written)) == sorted(parse_cards(written))
    assert (parse_card("2s"), parse_card("Ah")) == (0, 51)


def test_every_card_is_read_back_from_its_name() -> None:
    """Name, rank and suit are each a way to the same card."""
    for card in deck_from(2):
        assert parse_card(format_card(card)) == card == make_card(rank_of(card), suit_of(card))
    assert parse_cards(format_cards(deck_from(7))) == deck_from(7)


def test_the_deck_is_stripped_for_the_players() -> None:
    """RULES.md B1: the lowest rank is eleven minus the players, at least the two; four suits each."""
    assert [lowest_rank(players) for players in range(2, 11)] == [9, 8, 7, 6, 5, 4, 3, 2, 2]
    assert [len(deck_from(lowest)) for lowest in range(2, 10)] == [52, 48, 44, 40, 36, 32, 28, 24]
    assert deck_from(7)[0] == parse_card("7s")


@pytest.mark.parametrize("text", ["", "A", "1h", "10h", "ah", "AH", "Ah ", "A♥"])
def test_text_that_is_no_card_is_refused_with_what_is_allowed(text: str) -> None:
    """A card is one rank letter and one suit letter."""
    with pytest.raises(CardError, match="write a rank of 23456789TJQKA and a suit of scdh"):
        parse_card(text)


def test_a_card_twice_is_refused() -> None:
    """The message names the card that the writer repeated."""
    with pytest.raises(CardError, match="Kd occurs twice"):
        parse_cards("Kd 9s Kd")


def test_numbers_outside_of_the_deck_are_refused() -> None:
    """Cards are 0..51, ranks 2..14, suits 0..3, decks begin at 2..9."""
    for wrong in (-1, 52):
        with pytest.raises(CardError, match=r"0\.\.51"):
            format_card(Card(wrong))
    for rank, suit in ((1, 0), (15, 0), (2, 4), (2, -1)):
        with pytest.raises(CardError, match=r"ranks are 2\.\.14, suits 0\.\.3"):
            make_card(rank, suit)
    for lowest in (1, 10):
        with pytest.raises(CardError, match=r"the lowest rank is 2\.\.9"):
            deck_from(lowest)
