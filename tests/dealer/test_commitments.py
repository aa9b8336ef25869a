"""What binds the dealer: hashes that never change, that depend on everything, and that open what they say."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from servito_client.proof.hashes import leaf_of, root_of, top_of
from servito_core.cards import Card, deck_from, format_cards
from servito_dealer.app import commitments
from servito_dealer.app.requests import Opening
from servito_dealer.app.source import COMMITTED, PLAIN, Source
from servito_dealer.app.stream import ByteStream
from tests.dealer.decks import deck

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = bytes(range(32))
OPENING = Opening("t1-1", 7, 4, 4)
SOURCE = Source(SEED, OPENING, COMMITTED, (b"c" * 32, b"", b"", b""))
CARDS = deck_from(7)


def test_golden_commitments() -> None:
    """Seed hash, entropy digest, order and root of a seed never change, or the proofs of hands that were
    dealt would be worth nothing. Do not edit the values.
    """
    order = SOURCE.order(0, CARDS)
    assert SOURCE.seed_hash.hex() == "cfdac41aeaeb845da23ee906064bf4cbe88c9b52368bd254a1e0e8d98d60b4e3"
    assert SOURCE.entropy_digest.hex() == "1e51853388ac5bc534f00e1fb217594965737cde3ca2123390eff1c836add625"
    assert format_cards(order) == (
        "Qs 8d 7s Qc Ts Kc Ks 9s 7d Qh Ad 8c Jh 8h Js Th Jc Td 9h Ac Jd Qd Kd 7h As 9d Tc Ah 9c 8s 7c Kh"
    )
    assert (
        SOURCE.commitment(0, 0, order).root.hex()
        == "3825c78dda2448282447c580af25a9044ba06ce6d47a38ceb7d06e1ed04303ff"
    )
    assert (
        SOURCE.proofs(0, 0, order, [5])[0].salt.hex()
        == "bdd828a3970af416d1dfb06b5f1daf2563d4582a27017fe3ff1e9a4aa1fbc308"
    )


def test_anybody_with_the_seed_can_recompute_order_and_salts() -> None:
    """Both are what SHAKE-256 gives, written down here a second time from the description."""
    text = b"servito dealer stream 2\0t1-1\0shuffle 0\0" + SEED + bytes((32, 4, 4, 1)) + SOURCE.entropy_digest
    stream = iter(hashlib.shake_256(text).digest(1000))
    cards = list(CARDS)
    for left in range(len(cards), 1, -1):
        byte = next(stream)
        while byte >= 256 // left * left:
            byte = next(stream)
        cards[left - 1], cards[byte % left] = cards[byte % left], cards[left - 1]
    order = SOURCE.order(0, CARDS)
    assert order == tuple(cards)
    salts = hashlib.shake_256(text.replace(b"shuffle 0", b"salts 0")).digest(32 * 32)
    assert [SOURCE.proofs(0, 0, order, [at])[0].salt for at in (0, 1, 31)] == [
        salts[:32],
        salts[32:64],
        salts[-32:],
    ]


CHANGES: dict[str, Callable[[Source], Source]] = {
    "seed": lambda source: replace(source, seed=bytes(32)),
    "hand": lambda source: replace(source, opening=replace(OPENING, hand="t1-2")),
    "slots": lambda source: replace(source, opening=replace(OPENING, slots=3)),
    "draw_max": lambda source: replace(source, opening=replace(OPENING, draw_max=3)),
    "draws": lambda source: replace(source, opening=replace(OPENING, draws=2)),
    "lowest_rank": lambda source: replace(source, opening=replace(OPENING, lowest_rank=6)),
    "a contribution": lambda source: replace(source, contributions=(b"d" * 32, b"", b"", b"")),
    "whose contribution": lambda source: replace(source, contributions=(b"", b"c" * 32, b"", b"")),
    "no contribution": lambda source: replace(source, contributions=()),
}


@pytest.mark.parametrize("change", CHANGES)
def test_everything_is_bound_in(change: str) -> None:
    """Whatever of a hand is another, its order, its salts and its root are others, also over equal cards."""
    other = CHANGES[change](SOURCE)
    assert other.order(0, CARDS) != SOURCE.order(0, CARDS)
    assert other.proofs(0, 0, CARDS, [0])[0].salt != SOURCE.proofs(0, 0, CARDS, [0])[0].salt
    assert other.commitment(0, 0, CARDS).root != SOURCE.commitment(0, 0, CARDS).root


def test_shuffles_of_a_hand_are_told_apart() -> None:
    """Number, place and cards of a shuffle are bound into its root, its number into order and salts."""
    root = SOURCE.commitment(0, 0, CARDS).root
    swapped = (CARDS[1], CARDS[0], *CARDS[2:])
    others = [
        SOURCE.commitment(1, 0, CARDS).root,
        SOURCE.commitment(0, 1, CARDS).root,
        SOURCE.commitment(0, 0, CARDS[:-1]).root,
        SOURCE.commitment(0, 0, swapped).root,
    ]
    assert len({root, *others}) == 5
    assert SOURCE.order(0, CARDS) != SOURCE.order(1, CARDS)
    assert SOURCE.proofs(0, 0, CARDS, [0])[0].salt != SOURCE.proofs(1, 0, CARDS, [0])[0].salt


def test_the_seed_is_hidden_and_bound_by_its_hash() -> None:
    """Hands of one seed have different hashes, so that equal seeds are not seen; none is the seed's own."""
    hashes = {Source(SEED, replace(OPENING, hand=f"t1-{n}"), COMMITTED).seed_hash for n in range(9)}
    assert len(hashes) == 9
    assert hashlib.sha256(SEED).digest() not in hashes


def test_salts_depend_on_no_card() -> None:
    """Whatever the order of the cards, the salts are the same; no two positions share one."""
    backwards = CARDS[::-1]
    salts = [SOURCE.proofs(0, 0, CARDS, [at])[0].salt for at in range(32)]
    assert salts == [SOURCE.proofs(0, 0, backwards, [at])[0].salt for at in range(32)]
    assert len(set(salts)) == 32


def test_streams_of_different_purposes_have_nothing_in_common() -> None:
    """No byte of the order tells about a salt, and none of a hand of before about one of now."""
    context = commitments.shape(OPENING) + SOURCE.entropy_digest
    streams = {
        ByteStream(SEED, "t1-1", purpose, with_context).take(64)
        for purpose in ("shuffle 0", "shuffle 1", "salts 0", "salts 1")
        for with_context in (b"", context)
    }
    assert len(streams) == 8


@pytest.mark.parametrize(("shuffle", "first"), [(0, 0), (2, 47)])
@pytest.mark.parametrize("size", range(1, 53))
def test_every_position_opens(size: int, shuffle: int, first: int) -> None:
    """For every size of a shuffle each proof leads to its root by the definition of the verifiers, and one
    with another card, position, neighbour or length does not.
    """
    source = Source(SEED, OPENING, COMMITTED)
    cards = source.order(shuffle, deck_from(2)[:size])
    root = source.commitment(shuffle, first, cards).root
    shape, where = bytes((32, 4, 4, 1)), (shuffle, first, size)
    bound = source.seed_hash, source.entropy_digest
    for position in range(first, first + size):
        proof = source.proofs(shuffle, first, cards, [position])[0]
        assert proof.card == cards[position - first]
        assert leaf_of("t1-1", position, proof.salt, proof.card) == proof.leaf
        top = top_of(proof.leaf, position - first, size, proof.path)
        assert top is not None
        assert root_of("t1-1", shape, where, bound, top) == root
        other = leaf_of("t1-1", position, proof.salt, Card((proof.card + 1) % 52))
        assert top_of(other, position - first, size, proof.path) != top
        assert top_of(proof.leaf, position - first, size, (*proof.path, root)) is None


def test_hands_of_before_have_no_roots() -> None:
    """They are dealt as they were begun, and nothing is said about them that was not committed to."""
    plain = deck(SEED, "t1-1", 7, PLAIN)
    assert [shuffle.root for shuffle in plain.shuffles] == [b""]
    assert plain.order != deck(SEED, "t1-1", 7).order
