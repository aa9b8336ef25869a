"""Orders of cards in great numbers: of the dealer's own shuffle, and of shuffles that are known to be wrong.

An order is a row of an array, its numbers 0..size-1 standing for the cards of the deck in ascending order.
The dealer's are made by the code that deals (`Source.order`), one by one; the wrong ones are written here, in
arrays, each with one fault that real games had.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from servito_core.cards import deck_from
from servito_dealer.app.requests import Opening
from servito_dealer.app.source import COMMITTED, Source

if TYPE_CHECKING:
    import numpy.typing as npt

    Orders = npt.NDArray[np.uint8]

LOWEST_RANKS: Final = range(2, 10)
"""One for each size of deck: 52, 48 ... 24 cards."""


def size_of(lowest_rank: int) -> int:
    """Cards of the deck that begins there."""
    return 4 * (15 - lowest_rank)


def dealt(lowest_rank: int, count: int, seeds: Callable[[int], bytes], first: int = 0) -> Orders:
    """So many orders of the dealer's, hand `first` and those behind it, each from a seed of its own.

    `seeds` gives so many random bytes: `os.urandom` as in the dealer, or something that can be repeated.
    """
    deck, slots = deck_from(lowest_rank), max(2, 11 - lowest_rank)
    orders = bytearray()
    for hand in range(first, first + count):
        source = Source(seeds(32), Opening(f"rng-{hand}", lowest_rank, slots, 4), COMMITTED)
        orders += bytes(source.order(0, deck))
    cards = np.frombuffer(bytes(orders), np.uint8).reshape(count, len(deck))
    return cards - np.uint8(deck[0])


Choose = Callable[[np.random.Generator, int, int], "npt.NDArray[np.int64]"]
"""(random bytes, how many, bound) -> places below the bound."""


def _fisher_yates(size: int, count: int, rng: np.random.Generator, choose: Choose) -> Orders:
    orders = np.tile(np.arange(size, dtype=np.uint8), (count, 1))
    rows = np.arange(count)
    for last in range(size - 1, 0, -1):
        chosen = choose(rng, count, last + 1)
        orders[rows, chosen], orders[:, last] = orders[:, last].copy(), orders[rows, chosen]
    return orders


def modulo(size: int, count: int, rng: np.random.Generator) -> Orders:
    """A byte modulo what is left, without throwing any away: small numbers are chosen more often."""
    return _fisher_yates(
        size, count, rng, lambda rng, count, bound: rng.integers(0, 256, count, dtype=np.int64) % bound
    )


def signed_shift(size: int, count: int, rng: np.random.Generator) -> Orders:
    """A signed byte, shifted with its sign, without which it is then taken: 0 comes from one of its values,
    every other number from two.
    """

    def choose(rng: np.random.Generator, count: int, bound: int) -> npt.NDArray[np.int64]:
        shifted = rng.integers(-128, 128, count, dtype=np.int64) >> 1
        places: npt.NDArray[np.int64] = np.abs(shifted) % bound
        return places

    return _fisher_yates(size, count, rng, choose)


def naive_swaps(size: int, count: int, rng: np.random.Generator) -> Orders:
    """Each place is swapped with any other: more ways than orders, and not divisible by them."""
    orders = np.tile(np.arange(size, dtype=np.uint8), (count, 1))
    rows = np.arange(count)
    for place in range(size):
        chosen = rng.integers(0, size, count)
        orders[rows, chosen], orders[:, place] = orders[:, place].copy(), orders[rows, chosen]
    return orders


def short_seed(size: int, count: int, rng: np.random.Generator) -> Orders:
    """A right shuffle from seeds of 31 bits: the same order comes again far too soon."""
    state = rng.integers(0, 2**31, count, dtype=np.uint64)

    def choose(_rng: np.random.Generator, _count: int, bound: int) -> npt.NDArray[np.int64]:
        nonlocal state
        state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
        mixed = (state ^ (state >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
        return (((mixed >> np.uint64(32)) * np.uint64(bound)) >> np.uint64(32)).astype(np.int64)

    return _fisher_yates(size, count, rng, choose)


WRONG: Final[dict[str, Callable[[int, int, np.random.Generator], Orders]]] = {
    "modulo": modulo,
    "naive swaps": naive_swaps,
    "a 31-bit seed": short_seed,
    "a signed shift": signed_shift,
}
"""Shuffles that have to be found out."""
