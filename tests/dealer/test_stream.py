"""The byte stream and the shuffle: the same for ever, and fair."""

from __future__ import annotations

import contextlib
import hashlib
import math
from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servito_core.cards import deck_from, format_cards
from servito_dealer.app.source import PLAIN
from servito_dealer.app.stream import ByteStream, shuffled
from tests.dealer.decks import deck

SEED = bytes(range(32))


def take(stream: ByteStream, count: int) -> bytes:
    """The next bytes of a stream."""
    return bytes(byte for byte, _ in zip(stream, range(count), strict=False))


def test_golden_bytes() -> None:
    """The stream of a seed never changes, or hands dealt in the past could not be audited. Do not edit the
    values.
    """
    stream = take(ByteStream(SEED, "t1-1", "shuffle 0"), 400)
    assert stream[:24].hex() == "9806e9b57dbf6c3607eb8fae0721aa30d738b20dc12dfdad"
    assert stream[-16:].hex() == "90998b69c90c32767b140ac5f7cf8742"


ORDERS = {
    2: "5h Qc 6c 2c 7d 8d 7c 3c 8s Jc Js 2s Kh 4s Qs 9h Th Kc 3s 8h 8c Jd 2d Ts Ks Ah "
    "7h 4h 6h 5s 6d Jh 9s 5c Kd 7s 9d 4d Qd Ac Qh Ad 5d 3h 4c 6s 2h 9c Td Tc 3d As",
    7: "Kd 9c Qs Th Kh Qd Ah Jc Ts 7h Js 7c 7s 9d Qc Jh Jd 9s Td Ac Ad 9h 8c As Kc 8s 7d Tc 8h Qh 8d Ks",
    9: "9d Qs Ad Kd Ah Ts Jc Jh As Qd Kc Qh Kh Ks Jd Th 9h 9s 9c Tc Ac Qc Td Js",
}


@pytest.mark.parametrize("lowest_rank", ORDERS)
def test_golden_orders(lowest_rank: int) -> None:
    """The order of a seed never changes, for every size of deck. Do not edit the values."""
    assert format_cards(deck(SEED, "t1-1", lowest_rank, PLAIN).order) == ORDERS[lowest_rank]


def test_anybody_with_the_seed_can_recompute_an_order() -> None:
    """The order is what SHAKE-256 and Fisher-Yates give, written down here a second time from the
    description.
    """
    text = b"servito dealer stream 1" + b"\0" + b"t7-99" + b"\0" + b"shuffle 0" + b"\0" + SEED
    stream = iter(hashlib.shake_256(text).digest(1000))
    cards = list(range(52))
    for left in range(52, 1, -1):
        byte = next(stream)
        while byte >= 256 // left * left:
            byte = next(stream)
        chosen = byte % left
        cards[left - 1], cards[chosen] = cards[chosen], cards[left - 1]
    assert deck(SEED, "t7-99", 2, PLAIN).order == tuple(cards)


@given(st.binary(min_size=32, max_size=32), st.sampled_from(range(2, 10)))
def test_a_shuffle_is_a_permutation(seed: bytes, lowest_rank: int) -> None:
    """Every card of the deck is in the order exactly once, whatever the seed."""
    deck = deck_from(lowest_rank)
    assert sorted(shuffled(deck, ByteStream(seed, "t-1", "shuffle 0"))) == list(deck)


def test_seed_hand_and_purpose_each_matter() -> None:
    """Streams that differ in one input only have nothing in common, so no hand tells about another."""
    inputs = [
        (SEED, "t-1", "shuffle 0"),
        (SEED, "t-1", "shuffle 1"),
        (SEED, "t-11", "shuffle 0"),
        (bytes(32), "t-1", "shuffle 0"),
    ]
    streams = [take(ByteStream(*each), 64) for each in inputs]
    assert len(set(streams)) == len(streams)


def test_a_stream_outlives_its_first_block() -> None:
    """Reading past a block continues the one stream: no byte is repeated or left out at the seam."""
    whole = hashlib.shake_256(b"servito dealer stream 1\0t-1\0p\0" + SEED).digest(1000)
    assert take(ByteStream(SEED, "t-1", "p"), 1000) == whole


@pytest.mark.parametrize(
    ("seed", "hand", "purpose"), [(bytes(31), "t-1", "p"), (bytes(33), "t-1", "p"), (SEED, "t\0-1", "p")]
)
def test_bad_inputs_are_refused(seed: bytes, hand: str, purpose: str) -> None:
    """A short or long seed and a text that could run into the next are errors, not other streams."""
    with pytest.raises(ValueError, match=r"seed has 32 bytes|NUL"):
        ByteStream(seed, hand, purpose)


def test_more_than_a_byte_can_serve_is_refused() -> None:
    """A byte cannot choose fairly among more than 256."""
    with pytest.raises(ValueError, match="fairly among 257"):
        shuffled(range(257), iter(()))


def test_a_shuffle_waits_for_no_end() -> None:
    """A stream that ends in the middle of a shuffle is an error, not a shorter shuffle."""
    with pytest.raises(ValueError, match="ended in the middle"):
        shuffled(range(3), iter((0,)))


@pytest.mark.parametrize("size", [3, 4])
def test_every_order_has_as_many_streams(size: int) -> None:
    """Exact, not statistical: of all streams that a small shuffle can read each order has the same number."""
    orders: Counter[tuple[int, ...]] = Counter()
    accepted = [range(256 - 256 % bound) for bound in range(size, 1, -1)]
    for first in accepted[0]:
        for second in accepted[1]:
            for rest in product(*(each[:2] for each in accepted[2:])):
                orders[tuple(shuffled(range(size), iter((first, second, *rest))))] += 1
    assert len(orders) == math.factorial(size)
    assert len(set(orders.values())) == 1


@pytest.mark.parametrize("bound", [3, 7, 52])
def test_bytes_beyond_the_last_whole_run_are_thrown_away(bound: int) -> None:
    """Exact, not statistical: of the 256 values of a byte each card has as many as every other."""
    chosen: Counter[int] = Counter()
    for byte in range(256):
        with contextlib.suppress(ValueError):
            # The first byte chooses who comes last; the bytes behind it choose place 0 over and over.
            chosen[shuffled(range(bound), iter((byte, *[0] * (bound - 2))))[-1]] += 1
    assert set(chosen.values()) == {256 // bound}
    assert len(chosen) == bound


def test_each_card_reaches_each_position_equally_often() -> None:
    """Chi-square over 24 cards x 24 positions in 6,000 fixed shuffles: within five standard deviations."""
    deck, hands = deck_from(9), 6_000
    cells: Counter[tuple[int, int]] = Counter()
    for number in range(hands):
        order = shuffled(deck, ByteStream(SEED, f"t-{number}", "shuffle 0"))
        cells.update(enumerate(order))
    expected = hands / len(deck)
    chi_square = sum((cells[at, card] - expected) ** 2 / expected for at in range(24) for card in deck)
    freedom = (len(deck) - 1) ** 2
    assert abs(chi_square - freedom) < 5 * math.sqrt(2 * freedom)
