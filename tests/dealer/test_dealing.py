"""The use cases: one truth in the store, whatever a process remembers."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from servito_dealer.adapters.entropy import OperatingSystemEntropy
from servito_dealer.app.dealing import ATTEMPTS, Dealing
from servito_dealer.app.ports import Mark, Stored
from servito_dealer.app.record import replay
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import DealEntry, DrawEntry, Entry, Opening
from tests.dealer.memory import Counts, MemoryVault

OPENING = Opening("t-1", lowest_rank=6, slots=5, draw_max=4)
DRAW = DrawEntry(number=1, slot=0, draw=1, count=3)


def dealer(vault: MemoryVault, monitor: Counts | None = None, recent_hands: int = 10) -> Dealing:
    """A replica of the dealer on a store that it may share with others."""
    return Dealing(vault, OperatingSystemEntropy(), monitor or Counts(), recent_hands)


async def test_a_hand_is_opened_once() -> None:
    """A repeated request returns the first answer, and the fresh seed that it drew is thrown away."""
    vault, monitor = MemoryVault(), Counts()
    one, other = dealer(vault, monitor), dealer(vault, monitor)
    first = await one.open_hand(OPENING)
    again = await one.open_hand(OPENING)
    elsewhere = await other.open_hand(OPENING)
    assert first.seed_hash == again.seed_hash == elsewhere.seed_hash
    assert first.opening.deck_size == 36
    assert monitor.counted["hands"] == 1


@pytest.mark.parametrize(
    "other",
    [
        replace(OPENING, lowest_rank=7),
        replace(OPENING, slots=4),
        replace(OPENING, draw_max=5),
        replace(OPENING, draws=2),
        replace(OPENING, holders=b"h" * 32),
    ],
)
async def test_a_hand_opened_otherwise_is_refused(other: Opening) -> None:
    """Other content under the same name is refused, says what was opened, and leaves the hand as it was."""
    vault = MemoryVault()
    first = await dealer(vault).open_hand(OPENING)
    with pytest.raises(Refused, match="opened with lowest_rank 6, slots 5, draw_max 4, draws 1") as refusal:
        await dealer(vault).open_hand(other)
    assert refusal.value.reason is Reason.HAND_DIFFERS
    assert (await dealer(vault).open_hand(OPENING)).seed_hash == first.seed_hash


async def test_a_hand_to_which_nobody_contributes_is_opened_and_dealt_at_once() -> None:
    """In one write, with the cards that dealing it afterwards brings; asked again it is the same deal, at any
    replica, and draws go on from it.
    """
    vault, monitor = MemoryVault(), Counts()
    one, other = dealer(vault, monitor), dealer(vault, monitor)
    record, dealt = await one.open_and_deal(OPENING)
    assert vault.calls == {"open": 1}
    assert vault.hands["t-1"].entries == (DealEntry(),)
    assert monitor.counted == {"hands": 1, "deal": 1, "deal cards": 25}
    assert dealt == replay(vault.hands["t-1"].seed, OPENING, [DealEntry()]).answers[0]
    again, deal_again = await other.open_and_deal(OPENING)
    assert (again.seed_hash, deal_again) == (record.seed_hash, dealt)
    assert await one.deal("t-1") == dealt
    assert await one.draw("t-1", DRAW) == await other.draw("t-1", DRAW)
    assert monitor.counted["hands"] == monitor.counted["deal"] == 1


async def test_a_hand_that_was_opened_before_is_dealt_when_it_is_asked_for_at_once() -> None:
    """A dealer of the release before opened it; with contributions it was dealt once and for all."""
    vault = MemoryVault()
    opened = await dealer(vault).open_hand(OPENING)
    record, dealt = await dealer(vault).open_and_deal(OPENING)
    assert record.seed_hash == opened.seed_hash
    assert await dealer(vault).deal("t-1") == dealt
    other = replace(OPENING, hand="t-2")
    await dealer(vault).open_hand(other)
    await dealer(vault).deal("t-2", (b"c" * 32,) * 5)
    with pytest.raises(Refused) as refusal:
        await dealer(vault).open_and_deal(other)
    assert refusal.value.reason is Reason.ENTRY_DIFFERS


async def test_seeds_of_hands_differ() -> None:
    """Every hand has a seed of its own."""
    dealing = dealer(MemoryVault())
    hashes = {(await dealing.open_hand(replace(OPENING, hand=f"t-{n}"))).seed_hash for n in range(20)}
    assert len(hashes) == 20


async def test_replicas_answer_alike() -> None:
    """Whichever replica is asked, and whether it has seen the hand before, the cards are the same."""
    vault = MemoryVault()
    one, other = dealer(vault), dealer(vault)
    await one.open_hand(OPENING)
    assert await other.deal("t-1") == await one.deal("t-1") == await dealer(vault).deal("t-1")
    drawn = await one.draw("t-1", DRAW)
    later = await other.draw("t-1", replace(DRAW, number=2, slot=1))
    assert await other.draw("t-1", DRAW) == drawn
    assert await one.draw("t-1", replace(DRAW, number=2, slot=1)) == later


async def test_one_write_per_new_entry_and_one_read_per_repetition() -> None:
    """A replica that opened a hand deals and draws in one round trip each; repeating costs one read."""
    vault = MemoryVault()
    dealing = dealer(vault)
    await dealing.open_hand(OPENING)
    await dealing.deal("t-1")
    await dealing.draw("t-1", DRAW)
    assert vault.calls == {"open": 1, "append": 2}
    await dealing.draw("t-1", DRAW)
    assert vault.calls == {"open": 1, "append": 2, "load": 1}


async def test_no_first_card_before_the_seal_is_safe() -> None:
    """As long as no replica has the seed, opening and dealing are UNAVAILABLE, at every dealer and however
    often it is asked; then the cards are those of the first seed, and nobody is asked again.
    """
    vault, monitor = MemoryVault(acknowledges=False), Counts()
    opener, other = dealer(vault, monitor), dealer(vault, monitor)
    for asked in (
        opener.open_and_deal(OPENING),
        opener.open_hand(OPENING),
        opener.deal("t-1"),
        other.deal("t-1"),
        opener.open_hand(OPENING),
    ):
        with pytest.raises(Refused) as refusal:
            await asked
        assert refusal.value.reason is Reason.UNAVAILABLE
    seed = vault.hands["t-1"].seed
    vault.acknowledges = True
    dealt = await other.deal("t-1")
    assert vault.hands["t-1"].seed == seed
    assert await opener.deal("t-1") == dealt
    await opener.open_hand(OPENING)
    assert await opener.deal("t-1") == await other.deal("t-1") == dealt
    assert monitor.counted["hands"] == 1


async def test_a_stale_replica_decides_again_on_what_is_stored() -> None:
    """A replica that is behind neither answers nor refuses from memory."""
    vault = MemoryVault()
    behind, ahead = dealer(vault), dealer(vault)
    await behind.open_hand(OPENING)
    await behind.deal("t-1")
    await ahead.draw("t-1", DRAW)
    third = replace(DRAW, number=2, slot=1)
    assert await behind.draw("t-1", third) == await ahead.draw("t-1", third)
    with pytest.raises(Refused) as refusal:
        await behind.draw("t-1", replace(DRAW, count=2))
    assert refusal.value.reason is Reason.ENTRY_DIFFERS


async def test_the_store_is_believed_even_when_it_went_back() -> None:
    """After a failover that lost an entry, the record goes on from what is left, and memory of the lost one
    is void.
    """
    vault = MemoryVault()
    dealing = dealer(vault)
    await dealing.open_hand(OPENING)
    await dealing.deal("t-1")
    before = vault.hands["t-1"]
    lost = await dealing.draw("t-1", DRAW)
    vault.hands["t-1"] = before
    other = replace(DRAW, slot=2, count=2)
    rewritten = await dealing.draw("t-1", other)
    assert rewritten.cards == lost.cards[:2]
    # With its old memory it would say that slot 0 has had three cards already.
    second = replace(DRAW, number=2)
    assert (await dealing.draw("t-1", second)).cards[0] == lost.cards[2]


async def test_racing_requests_write_one_entry() -> None:
    """Many equal requests at once, over several replicas: one entry, one answer."""
    vault = MemoryVault()
    replicas = [dealer(vault) for _ in range(4)]
    await replicas[0].open_hand(OPENING)
    deals = await asyncio.gather(*(replica.deal("t-1") for replica in replicas * 5))
    draws = await asyncio.gather(*(replica.draw("t-1", DRAW) for replica in replicas * 5))
    assert all(deal == deals[0] for deal in deals)
    assert all(draw == draws[0] for draw in draws)
    assert len(vault.hands["t-1"].entries) == 2


class Contested(MemoryVault):
    """Somebody else is always quicker."""

    async def append(self, hand: str, mark: Mark, entry: Entry) -> Mark | Stored | None:
        return await super().append(hand, replace(mark, last=b"another"), entry)


async def test_a_contested_record_is_given_up_after_a_while() -> None:
    """An append that never succeeds ends in UNAVAILABLE after a bounded number of attempts."""
    vault = Contested()
    dealing = dealer(vault)
    await dealing.open_hand(OPENING)
    with pytest.raises(Refused) as refusal:
        await dealing.deal("t-1")
    assert refusal.value.reason is Reason.UNAVAILABLE
    assert vault.calls["append"] == ATTEMPTS


async def test_unknown_hands() -> None:
    """A hand that was never opened, or has expired even though it is remembered, is unknown."""
    vault = MemoryVault()
    dealing = dealer(vault)
    await dealing.open_hand(OPENING)
    del vault.hands["t-1"]
    for hand in ("t-1", "t-2"):
        with pytest.raises(Refused) as refusal:
            await dealing.deal(hand)
        assert refusal.value.reason is Reason.UNKNOWN_HAND


async def test_only_recent_hands_are_remembered() -> None:
    """The cache is bounded: the hand used longest ago is read again, the others are not."""
    vault = MemoryVault()
    dealing = dealer(vault, recent_hands=2)
    for number in range(3):
        await dealing.open_hand(replace(OPENING, hand=f"t-{number}"))
    await dealing.deal("t-1")
    await dealing.deal("t-2")
    assert vault.calls["load"] == 0
    await dealing.deal("t-0")
    assert vault.calls["load"] == 1


async def test_what_is_counted() -> None:
    """Entries count when they are written, not when they are repeated."""
    monitor = Counts()
    dealing = dealer(MemoryVault(), monitor)
    await dealing.open_hand(OPENING)
    for _ in range(2):
        await dealing.deal("t-1")
        await dealing.draw("t-1", DRAW)
    assert monitor.counted == {"hands": 1, "deal": 1, "deal cards": 25, "draw": 1, "draw cards": 3}


async def test_a_refused_entry_changes_nothing() -> None:
    """Refusals leave the stored record as it was."""
    vault = MemoryVault()
    dealing = dealer(vault)
    await dealing.open_hand(OPENING)
    await dealing.deal("t-1")
    before = vault.hands["t-1"]
    for entry in (replace(DRAW, count=5), replace(DRAW, number=4), replace(DRAW, excluded=(30,))):
        with pytest.raises(Refused):
            await dealing.draw("t-1", entry)
    assert vault.hands["t-1"] is before
