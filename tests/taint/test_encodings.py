"""What the search finds and what it leaves alone: a number by itself, and words that look like cards."""

from __future__ import annotations

import random

import pytest

from tests.taint.encodings import card_names, fives_in, hidden_in_text, masks_in, masks_of

FIVE = frozenset({3, 17, 22, 40, 51})


@pytest.mark.parametrize(
    "text", ["Ah", "10♥", "[Td]", "A ♠", "ace of hearts", "Two of Clubs", "asso di cuori", "10 di fiori"]
)
def test_names_of_cards(text: str) -> None:
    """In every notation, wherever they stand."""
    assert card_names(f"x: {text}, y")


@pytest.mark.parametrize(
    "text", ["pair of jacks", "scala al re", "As soon as it can", "q7hd2s", "Ahead", "2.5 s"]
)
def test_no_names(text: str) -> None:
    """Names of hands, words, ids and times are no cards."""
    assert not card_names(text)


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_five_numbers_in_any_order(width: int) -> None:
    """One byte each, or at regular distances; four of them are not enough."""
    for seed in range(20):
        cards = random.Random(seed).sample(sorted(FIVE), 5)
        content = b"\x00\xff" + b"".join(card.to_bytes(width, "little") for card in cards) + b"\x07"
        assert list(fives_in(content, [FIVE]))
        assert not list(fives_in(content.replace(bytes([22]), bytes([23])), [FIVE]))


def test_masks() -> None:
    """Three layouts, both ways round, and as a varint."""
    for mask in masks_of(FIVE):
        assert list(masks_in(b"x" + mask.to_bytes(8, "little"), [FIVE]))
        assert list(masks_in(b"x" + mask.to_bytes(8, "big"), [FIVE]))
        assert {kind for kind, _ in hidden_in_text(f"m={mask}", [FIVE])} == {"mask"}
    assert not list(masks_in((masks_of(FIVE)[0] ^ 1).to_bytes(8, "little"), [FIVE]))


def test_chance_is_rare() -> None:
    """In a million random bytes sixteen sets of five cards do not come about, nor in random ids."""
    chance = random.Random(1)
    sets = [frozenset(chance.sample(range(52), 5)) for _ in range(16)]
    content = chance.randbytes(1_000_000)
    assert not list(fives_in(content, sets))
    assert not list(masks_in(content, sets))
    assert not list(hidden_in_text(" ".join(chance.randbytes(12).hex() for _ in range(2_000)), sets))
