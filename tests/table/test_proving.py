"""The gate for proofs: everybody gets what opens his own cards, and those that were shown; nobody anything
else.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

import pytest

from servito_client.proof.check import Checked, check
from servito_client.proof.file import written
from servito_core.cards import Card
from servito_core.commands import Call, Check, Command, Draw, Fold, Pass
from servito_core.events import CardsDealt, CardsDrawn, HandEnded, HandShown, HandTabled, OpeningProved
from servito_table.app.deal_events import DeckCommitted, Opening, Proofs, RefillCommitted
from servito_table.app.proving import provable
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.state import deals_of
from servito_table.app.waits import WaitKind
from servito_table.messages.deal import proofs_to_proto
from tests.table.room import CONFIG, Room
from tests.table.shelf import Shelf
from tests.table.test_past_secrets import past
from tests.wire.play import RULES, Moment, moments

NAMES = ("ann", "bob", "cat", "dan", "eve", "fay")


def holders(deal: list[Moment]) -> dict[int, tuple[int, int]]:
    """Seat and card of every position that was given in a deal."""
    given: dict[int, tuple[int, int]] = {}
    for event in (moment.event for moment in deal):
        if isinstance(event, CardsDealt):
            for seat, cards, positions in zip(event.seats, event.cards, event.positions, strict=True):
                given |= {at: (seat, card) for card, at in zip(cards, positions, strict=True)}
        elif isinstance(event, CardsDrawn):
            given |= {at: (event.seat, card) for card, at in zip(event.cards, event.positions, strict=True)}
    return given


@pytest.mark.parametrize("rules", sorted(RULES))
def test_the_gate_is_a_positive_list(rules: str) -> None:
    """Thousands of random hands, broken off anywhere or played out: a viewer is given all positions of his
    own seat; of others, positions of cards that they showed, and those only of a hand that is over; and each
    with the card that lay there.
    """
    style, hands, own, others = random.Random(rules), 0, 0, 0
    for seed in range(200):
        deals: dict[int, list[Moment]] = {}
        for moment in moments(RULES[rules], 2 + seed % 7, seed, 4):
            deals.setdefault(moment.hand.number, []).append(moment)
        for deal in deals.values():
            cut = deal[: style.randint(1, len(deal))] if style.random() < 0.3 else deal
            given, over = holders(cut), any(isinstance(moment.event, HandEnded) for moment in cut)
            shown = {
                (moment.event.seat, card)
                for moment in cut
                if over and isinstance(moment.event, (HandShown, HandTabled, OpeningProved))
                for card in moment.event.cards
            }
            hands += 1
            for viewer in (None, *(player.seat for player in deal[0].hand.players)):
                allowed = provable(past(cut), viewer)
                assert {at: given[at] for at in allowed} == allowed
                mine = {at for at, (seat, _) in given.items() if seat == viewer}
                assert mine <= allowed.keys()
                assert {allowed[at] for at in allowed.keys() - mine} <= shown
                assert shown <= set(allowed.values())
                own, others = own + len(mine), others + len(allowed.keys() - mine)
    assert hands >= 500
    assert own > 5_000
    assert others > 500


async def filled(players: int, **options: str) -> Shelf:
    """A table in memory with so many players, where everybody may open."""
    shelf = Shelf(Room())
    config = replace(CONFIG, options={"open.requirement": "none", **options}, pause_ms=1_000)
    await shelf.room.open(config)
    await shelf.room.sit(*NAMES[:players], buy_in=200)
    return shelf


async def stubborn(room: Room) -> None:
    """A hand in which nobody folds and everybody changes as many cards as he may, so that the stock runs
    out.
    """
    number = deals_of(room.state) + 1
    while deals_of(room.state) < number or room.state.running:
        if room.wait.seat is None:
            await room.due()
            continue
        player, offer = room.offer()
        seat = offer.seat
        command: Command = Fold(seat)
        if offer.draw is not None:
            cards = next(own.cards for own in room.hand.players if own.seat == seat)
            command = Draw(seat, cards[: offer.draw[1]])
        elif offer.can_check:
            command = Check(seat)
        elif offer.call is not None:
            command = Call(seat)
        elif offer.can_pass:
            command = Pass(seat)
        await room.act(player, command)


async def checked(shelf: Shelf, number: int, player: str | None) -> Checked:
    """What the verifier finds in what that player exports; raises what it finds wrong."""
    hand = await shelf.hand(number, player)
    proofs = proofs_to_proto(*await shelf.archive.proofs(shelf.room.table_id, number, player))
    return check(written(hand, proofs))


@pytest.mark.parametrize("players", [2, 6])
async def test_what_everybody_exports_can_be_verified(players: int) -> None:
    """Hands with draws, folds, showdowns and reshuffles: the file of every player, and that of a spectator,
    is found right by a verifier that shares no code with the dealer.
    """
    shelf = await filled(players)
    received = shown = refills = 0
    for number in range(1, 17):
        await (stubborn(shelf.room) if number % 2 else shelf.play(1, seed=number))
        for player in (*NAMES[:players], None):
            found = await checked(shelf, number, player)
            received, shown = received + found.received, shown + found.shown
            refills += found.shuffles - 1
    assert received >= 16 * 5 * 2
    assert shown > 16
    assert (refills > 0) == (players == 6)


async def test_the_dealer_is_bound_before_its_cards() -> None:
    """The commitment stands before the cards in one commit, one for each deal, one for each refill."""
    shelf = await filled(6)
    for _ in range(6):
        await stubborn(shelf.room)
    deals = refills = 0
    for commit in shelf.room.store.commits:
        bound: list[int] = []
        for event in commit.events:
            if isinstance(event, DeckCommitted):
                deals += 1
                bound.append(event.size)
                assert event.slots >= 2
            elif isinstance(event, RefillCommitted):
                bound.append(event.size)
                refills += 1
            elif isinstance(event, CardsDealt):
                assert len(bound) == 1
            elif isinstance(event, CardsDrawn):
                assert tuple(bound) == event.shuffled
    assert deals == 6
    assert refills > 0


async def test_cards_that_are_shown_are_opened_when_the_hand_is_over() -> None:
    """While the hand runs a player gets what opens his own five cards, and a stranger nothing."""
    shelf = await filled(2)
    await shelf.room.due()
    assert shelf.room.wait.seat is not None
    table_id = shelf.room.table_id
    proofs, allowed = await shelf.archive.proofs(table_id, 1, "ann")
    assert {opening.position for opening in proofs.openings} == allowed.keys()
    assert [seat for seat, _ in allowed.values()] == [0] * 5
    proofs, allowed = await shelf.archive.proofs(table_id, 1, None)
    assert (proofs.openings, allowed) == ((), {})
    assert (await checked(shelf, 1, "bob")).received == 5


async def test_there_is_nothing_to_prove_before_the_cards_come() -> None:
    """UNKNOWN_HAND, in words, as long as the dealer does not answer."""
    shelf = await filled(2)
    shelf.room.dealer.down = True
    await shelf.room.due()
    assert shelf.room.waits_for(WaitKind.CARDS)
    with pytest.raises(TableRefused, match="cards have not come yet") as refusal:
        await shelf.archive.proofs(shelf.room.table_id, 1, "ann")
    assert refusal.value.reason is TableReason.UNKNOWN_HAND


async def test_a_dealer_that_opens_another_card_is_not_passed_on() -> None:
    """What does not fit what the table knows is a fault, and reaches nobody."""
    shelf = await filled(2)
    await shelf.room.due()
    honest = shelf.room.dealer.proofs

    async def lies(hand: str, positions: Iterable[int]) -> Proofs:
        proofs = await honest(hand, positions)
        first, *rest = proofs.openings
        return replace(proofs, openings=(replace(first, card=Card((first.card + 1) % 52)), *rest))

    shelf.room.dealer.proofs = lies  # type: ignore[method-assign]  # it lies
    with pytest.raises(ValueError, match="opens position"):
        await shelf.archive.proofs(shelf.room.table_id, 1, "ann")


async def test_a_dealer_that_opens_more_than_asked_is_not_passed_on() -> None:
    """The gate holds on the way back as well: an opening that nobody asked for reaches nobody."""
    shelf = await filled(2)
    await shelf.room.due()
    honest = shelf.room.dealer.proofs

    async def chatty(hand: str, positions: Iterable[int]) -> Proofs:
        return await honest(hand, [*positions, *range(10)])

    shelf.room.dealer.proofs = chatty  # type: ignore[method-assign]  # it tells too much
    with pytest.raises(ValueError, match="opens position"):
        await shelf.archive.proofs(shelf.room.table_id, 1, "ann")


def test_an_opening_shows_no_card_where_it_is_printed() -> None:
    """Neither its card nor its salt is in a log or a traceback."""
    opening = Opening(3, Card(51), b"s" * 32, b"l" * 32, ())
    assert "51" not in repr(opening)
    assert "sss" not in repr(opening)
