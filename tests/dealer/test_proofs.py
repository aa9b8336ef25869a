"""What opens cards: of dealt positions and of no others, always the same, from the record that is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from servito_client.proof.hashes import top_of
from servito_dealer.adapters.entropy import OperatingSystemEntropy
from servito_dealer.app.dealing import Dealing
from servito_dealer.app.record import Record, replay
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import DealEntry, Dealt, DrawEntry, Drawn, Opening
from servito_dealer.app.source import COMMITTED, PLAIN
from tests.dealer.memory import Counts, MemoryVault
from tests.dealer.test_record import deck_of, openings, play, seeds
from tests.dealer.test_vault import SEED as OTHER_SEED
from tests.dealer.test_vault import elements_of, state_vault

if TYPE_CHECKING:
    import redis.asyncio

    from servito_platform.lane import Lane

SEED = bytes(range(32))
OPENING = Opening("t-1", lowest_rank=6, slots=5, draw_max=4)
DRAW = DrawEntry(number=1, slot=0, draw=1, count=3)
GIVEN = (b"a" * 32, b"", b"", b"b" * 32, b"")


def positions_of(record: Record) -> dict[int, int]:
    """Every position that an answer named, with its card."""
    named: dict[int, int] = {}
    for answer in record.answers:
        hands = answer.hands if isinstance(answer, Dealt) else (answer.cards,)
        named |= {card.position: card.card for hand in hands for card in hand}
    return named


@settings(deadline=None)  # a busy machine
@given(st.data(), seeds, openings)
def test_what_was_dealt_is_opened_and_nothing_else(
    data: st.DataObject, seed: bytes, opening: Opening
) -> None:
    """After any hand, refills included: each position that an answer named opens as the card that it named,
    under the root that was answered with it; every other position, and one that does not exist, is NOT_DUE.
    """
    record, _ = play(data, replay(seed, opening))
    dealt = positions_of(record)
    last = len(deck_of(record).order)
    proofs = record.prove(dealt).proofs
    assert {proof.position: proof.card for proof in proofs} == dealt
    for position in set(range(last + 2)) - dealt.keys():
        with pytest.raises(Refused) as refusal:
            record.prove([*dealt, position])
        assert refusal.value.reason is Reason.NOT_DUE
    first = record.answers[0]
    assert isinstance(first, Dealt)
    told = [first.shuffled, *(each for a in record.answers if isinstance(a, Drawn) for each in a.shuffled)]
    assert list(record.prove([]).shuffles) == told


def test_one_position_that_is_not_due_opens_none() -> None:
    """A question is answered as a whole or refused as a whole, and a refusal names no card."""
    record = replay(SEED, OPENING, [DealEntry()])
    with pytest.raises(Refused, match="position 25 was not dealt") as refusal:
        record.prove([0, 1, 25])
    assert refusal.value.reason is Reason.NOT_DUE


def test_before_the_deal_there_is_the_seed_hash_alone() -> None:
    """Nothing of an order is there before the players have contributed."""
    record = replay(SEED, OPENING)
    assert record.prove([]) == (proofs := record.prove(()))
    assert (proofs.seed_hash, proofs.entropy_digest, proofs.shuffles) == (record.seed_hash, b"", ())
    with pytest.raises(Refused) as refusal:
        record.prove([0])
    assert refusal.value.reason is Reason.NOT_DUE


def test_a_path_tells_nothing_but_hashes() -> None:
    """No leaf of another position can be tried: all that a proof has besides its own card and salt are hashes
    of what holds salts that are not told.
    """
    record = replay(SEED, OPENING, [DealEntry()])
    proofs = record.prove(range(25)).proofs
    salts = {proof.salt for proof in proofs}
    assert len(salts) == 25
    for proof in proofs:
        assert not salts & set(proof.path)
        assert top_of(proof.leaf, proof.position, 36, proof.path) is not None
    others = {proof.leaf for proof in proofs}
    assert others & set(proofs[0].path) == {proofs[1].leaf}, "the neighbour's leaf, and no other"


def test_contributions_change_the_cards_and_the_seed_hash_does_not_know_them() -> None:
    """The dealer is bound to the seed before it hears of them; each of them changes the order."""
    plain, given_ = replay(SEED, OPENING, [DealEntry()]), replay(SEED, OPENING, [DealEntry(GIVEN)])
    assert plain.seed_hash == given_.seed_hash == replay(SEED, OPENING).seed_hash
    assert deck_of(plain).order != deck_of(given_).order
    assert plain.answers[0] != given_.answers[0]


async def test_a_deal_asked_with_other_contributions_is_refused() -> None:
    """The first ones hold, by whichever replica; the repeat has to bring the same."""
    vault = MemoryVault()
    one, other = (Dealing(vault, OperatingSystemEntropy(), Counts(), 10) for _ in range(2))
    await one.open_hand(OPENING)
    dealt = await one.deal("t-1", GIVEN)
    assert await other.deal("t-1", GIVEN) == dealt
    for different in ((), GIVEN[::-1]):
        with pytest.raises(Refused) as refusal:
            await other.deal("t-1", different)
        assert refusal.value.reason is Reason.ENTRY_DIFFERS
    drawn = await other.draw("t-1", DRAW)
    positions = [card.position for card in drawn.cards]
    proofs = await one.prove("t-1", positions)
    assert proofs == await other.prove("t-1", positions)
    assert [proof.card for proof in proofs.proofs] == [card.card for card in drawn.cards]


@pytest.mark.parametrize("count", [1, 4, 6])
def test_contributions_are_one_for_each_slot(count: int) -> None:
    """Or none at all."""
    with pytest.raises(Refused, match="one for each of 5 slots") as refusal:
        replay(SEED, OPENING).enter(DealEntry((b"c" * 32,) * count))
    assert refusal.value.reason is Reason.MALFORMED


async def test_an_unsafe_seal_opens_nothing() -> None:
    """While a failover could lose the seal, a proof is as unavailable as the cards."""
    vault = MemoryVault(acknowledges=False)
    dealing = Dealing(vault, OperatingSystemEntropy(), Counts(), 10)
    await vault.open(OPENING, SEED)
    with pytest.raises(Refused):
        await dealing.deal("t-1")
    with pytest.raises(Refused) as refusal:
        await dealing.prove("t-1", [0])
    assert refusal.value.reason is Reason.UNAVAILABLE


async def test_hands_of_the_release_before_are_dealt_to_their_end(
    client: redis.asyncio.Redis, lane: Lane
) -> None:
    """What was opened by the old scheme keeps its cards, and has no proofs; what is opened by the new one is
    sealed in a form that the release before does not open, which would deal other cards.
    """
    before, now = state_vault(lane, scheme=PLAIN), state_vault(lane, scheme=COMMITTED)
    await before.open(OPENING, OTHER_SEED)
    await now.open(replace(OPENING, hand="t-2"), OTHER_SEED)
    dealing = Dealing(now, OperatingSystemEntropy(), Counts(), 10)
    dealt = await dealing.deal("t-1")
    assert dealt == replay(OTHER_SEED, OPENING, [DealEntry()], PLAIN).answers[0]
    assert dealt.shuffled.root == b""
    with pytest.raises(Refused, match="knew no commitments") as refusal:
        await dealing.prove("t-1", [0])
    assert refusal.value.reason is Reason.UNKNOWN_HAND
    forms = [(await elements_of(client, hand))[0][0] for hand in ("t-1", "t-2")]
    assert forms == [1, 2]
