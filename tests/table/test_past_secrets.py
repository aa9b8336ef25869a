"""What GetHand shows of cards: to each his own, of the others what came on the table, and never more than the
views of the hand had shown him.
"""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from servito_core.events import CardsDealt, CardsDrawn, HandShown, HandStarted, HandTabled, OpeningProved
from servito_core.view import view_for
from servito_table.app.hands import Happened, PastHand
from servito_table.messages.hands import hand_record
from tests.table.room import CONFIG, Room
from tests.table.shelf import Shelf
from tests.table.shown import cards_in
from tests.wire.play import RULES, Moment, moments


def past(moments_: list[Moment]) -> PastHand:
    """The hand of these moments, each seat held by a player of its own name."""
    started = moments_[0].event
    assert isinstance(started, HandStarted)
    happened = tuple(Happened(1, 1, moment.event) for moment in moments_)
    players = tuple((seat, f"p{seat}") for seat in started.seats)
    return PastHand(started.number, 1, started, players, happened, moments_[-1].hand.outcome)


@pytest.mark.parametrize("rules", sorted(RULES))
def test_nobody_gets_a_card_that_no_view_had_shown_him(rules: str) -> None:
    """Thousands of random hands, broken off anywhere or played out: every card that a record names, for each
    player and for a stranger, was in a view of that hand for him, or was shown to prove an opening.
    """
    style, hands, named = random.Random(rules), 0, 0
    for seed in range(240):
        deals: dict[int, list[Moment]] = {}
        for moment in moments(RULES[rules], 2 + seed % 7, seed, 5):
            deals.setdefault(moment.hand.number, []).append(moment)
        for deal in deals.values():
            cut = deal[: style.randint(1, len(deal))] if style.random() < 0.3 else deal
            hands += 1
            for viewer in (None, style.choice(deal[0].hand.players).seat):
                named += checked(cut, viewer)
    assert hands >= 1_000
    assert named >= 4_000


def checked(deal: list[Moment], viewer: int | None) -> int:
    """How many cards the record of a deal names for a viewer, none of them too many."""
    record = hand_record(past(deal), CONFIG, "t1", None if viewer is None else f"p{viewer}", 9)
    proved = (moment.event.cards for moment in deal if isinstance(moment.event, OpeningProved))
    allowed = {card for cards in proved for card in cards}
    for moment in deal:
        view = view_for(moment.hand, viewer)
        allowed.update(card for player in view.players for card in player.cards)
        allowed.update(view.own.discards if view.own is not None else ())
    told = set(cards_in(record))
    assert told <= allowed
    dealt = any(isinstance(moment.event, CardsDealt) for moment in deal)
    assert len(told) >= (5 if dealt and viewer is not None else 0)
    return len(told)


async def test_a_seat_has_nothing_of_its_earlier_occupants() -> None:
    """Players come and go between hands and in the middle of them: of every hand everybody who ever was
    there, and who was not, gets the cards that he held himself and those that were shown.
    """
    shelf, style = Shelf(Room()), random.Random(5)
    room = shelf.room
    await room.open(replace(CONFIG, pause_ms=1_000, seats=4))
    names = [f"n{number}" for number in range(9)]
    for _ in range(600):
        name = style.choice(names)
        if style.random() < 0.08 and room.state.seat_of(name) is not None:
            await room.stand(name)
        if style.random() < 0.3 and room.state.seat_of(name) is None and len(room.state.seats) < 4:
            await room.sit(name, buy_in=60)
        if room.known.deadline:
            await (room.due() if room.wait.seat is None else room.play_on(style))
    held, shown, seats = whose_cards(room)
    numbers = [number for number in await shelf.listed() if number in held]
    assert len(numbers) >= 30
    mine = others = 0
    for number in numbers:
        for name in style.sample(names, 5):
            record = await shelf.hand(number, name)
            told = set(cards_in(record))
            assert told <= held[number].get(name, set()) | shown[number]
            assert record.HasField("own_seat") is (name in held[number])
            mine += name in held[number] and held[number][name] <= told
            others += name not in held[number] and name in seats
    assert mine >= 30
    assert others >= 30


def whose_cards(room: Room) -> tuple[dict[int, dict[str, set[int]]], dict[int, set[int]], set[str]]:
    """By hand: what each player held, and what was shown; and who ever had a seat."""
    held: dict[int, dict[str, set[int]]] = {}
    shown: dict[int, set[int]] = {}
    ever: set[str] = set()
    names: dict[int, str] = {}
    for commit in room.store.commits:
        hand = commit.state.hand
        for event in commit.events:
            if isinstance(event, HandStarted):
                names = {own.seat: own.player for own in commit.state.seats}
            if isinstance(event, CardsDealt) and hand is not None:
                cards = zip(event.seats, event.cards, strict=True)
                held[hand.number] = {names[seat]: set(own) for seat, own in cards}
                shown[hand.number] = set()
            elif isinstance(event, CardsDrawn) and hand is not None:
                held[hand.number][names[event.seat]].update(event.cards)
            elif isinstance(event, (HandShown, HandTabled, OpeningProved)) and hand is not None:
                shown[hand.number].update(event.cards)
        ever.update(own.player for own in commit.state.seats)
    return held, shown, ever


def test_the_rules_played_here_have_every_way_to_show_cards() -> None:
    """Hands that are conceded, tabled, shown and proved are among the random ones."""
    seen = {
        type(moment.event)
        for rules in RULES.values()
        for seed in range(60)
        for moment in moments(rules, 4, seed, 5)
    }
    assert {HandShown, HandTabled, OpeningProved, CardsDrawn} <= seen
