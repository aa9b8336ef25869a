"""Acting: what Act refuses, by itself and inside of Play."""

from __future__ import annotations

import asyncio

from servito.table.v1 import table_pb2 as pb
from tests.contract.registry import Asked, refuses, succeeds
from tests.contract.stage import Seats, Stage
from tests.table.caller import fresh
from tests.table.playing import mild_action, own_cards

PASS = pb.Action(kind=pb.ACTION_KIND_PASS)
GRACE_SECONDS = 0.3


def act(seats: Seats, action: pb.Action, player: str | None = None, turn: int | None = None) -> Asked:
    """An act in the current turn, by default of whom it waits for."""
    request = pb.ActRequest(
        table_id=seats.table_id,
        request_id=fresh(),
        turn_id=seats.turn if turn is None else turn,
        action=action,
    )
    return Asked(request, player or seats.actor)


async def _drawing(stage: Stage) -> tuple[Seats, list[int]]:
    """A hand in its draw, and the cards of whom it waits for."""
    seats = await stage.hand_with(pb.ACTION_KIND_DRAW)
    return seats, own_cards(seats.view)


@succeeds("Act")
async def what_is_offered(stage: Stage) -> Asked:
    """The seat to act does something that it was offered."""
    seats = await stage.hand()
    own = await stage.view(seats.table_id, seats.actor)
    return act(seats, mild_action(own.hand.offer, own_cards(own)))


@refuses("Act", "NOT_SEATED")
async def somebody_without_a_seat(stage: Stage) -> Asked:
    """Somebody else, in the right turn."""
    return act(await stage.hand(), PASS, stage.name())


@refuses("Act", "HAND_NOT_RUNNING")
async def before_the_first_hand(stage: Stage) -> Asked:
    """Alone at a table."""
    seats = await stage.seated(1)
    return act(seats, PASS, seats.players[0], 1)


@refuses("Act", "NOT_IN_HAND")
async def who_came_later(stage: Stage) -> Asked:
    """A player who sat down while the hand runs."""
    seats = await stage.hand()
    return act(seats, PASS, await stage.sit(seats.table_id))


@refuses("Act", "NOT_YOUR_TURN")
async def the_other_seat(stage: Stage) -> Asked:
    """In the right turn."""
    seats = await stage.hand()
    return act(seats, PASS, seats.other)


@refuses("Act", "STALE_TURN")
async def the_turn_before(stage: Stage) -> Asked:
    """A turn that is over."""
    seats = await stage.hand()
    return act(seats, PASS, turn=seats.turn - 1)


@refuses("Act", "STALE_TURN")
async def a_turn_to_come(stage: Stage) -> Asked:
    """A turn that has not begun."""
    seats = await stage.hand()
    return act(seats, PASS, turn=seats.turn + 1)


@refuses("Act", "OPENERS_REQUIRED")
async def opening_without_openers(stage: Stage) -> Asked:
    """Whoever is to act does not hold what it takes; most hands do not."""
    while True:
        seats = await stage.hand()
        own = await stage.view(seats.table_id, seats.actor)
        if all(action.kind != pb.ACTION_KIND_OPEN for action in own.hand.offer.actions):
            return act(seats, pb.Action(kind=pb.ACTION_KIND_OPEN, to=10))


@refuses("Act", "ACTION_NOT_AVAILABLE")
async def nothing_to_fold(stage: Stage) -> Asked:
    """A kind of action that is not offered now."""
    return act(await stage.hand(), pb.Action(kind=pb.ACTION_KIND_FOLD))


@refuses("Act", "BELOW_MINIMUM")
async def too_little(stage: Stage) -> Asked:
    """One chip less than the least that was offered."""
    seats = await stage.hand_with(pb.ACTION_KIND_OPEN)
    least = next(legal.least for legal in seats.view.hand.offer.actions if legal.kind == pb.ACTION_KIND_OPEN)
    return act(seats, pb.Action(kind=pb.ACTION_KIND_OPEN, to=least - 1))


@refuses("Act", "ABOVE_MAXIMUM")
async def too_much(stage: Stage) -> Asked:
    """One chip more than the greatest."""
    seats = await stage.hand_with(pb.ACTION_KIND_OPEN)
    most = next(
        legal.greatest for legal in seats.view.hand.offer.actions if legal.kind == pb.ACTION_KIND_OPEN
    )
    return act(seats, pb.Action(kind=pb.ACTION_KIND_OPEN, to=most + 1))


@refuses("Act", "TOO_MANY_DISCARDS")
async def all_five(stage: Stage) -> Asked:
    """More cards than the draw allows."""
    seats, cards = await _drawing(stage)
    return act(seats, pb.Action(kind=pb.ACTION_KIND_DRAW, discards=cards))


@refuses("Act", "CARD_NOT_HELD")
async def a_card_of_somebody_else(stage: Stage) -> Asked:
    """A discard that the player does not hold."""
    seats, cards = await _drawing(stage)
    foreign = next(card for card in range(51, -1, -1) if card not in cards)
    return act(seats, pb.Action(kind=pb.ACTION_KIND_DRAW, discards=[foreign]))


@refuses("Act", "DUPLICATE_CARD")
async def a_card_twice(stage: Stage) -> Asked:
    """The same discard twice."""
    seats, cards = await _drawing(stage)
    return act(seats, pb.Action(kind=pb.ACTION_KIND_DRAW, discards=[cards[0], cards[0]]))


@refuses("Act", "TOO_LATE")
async def after_the_clock(stage: Stage) -> Asked:
    """The turn's time is up and the timers have not come yet."""
    seats = await stage.hand(turn_ms=1_000)
    await asyncio.sleep(1.0 + GRACE_SECONDS + 0.1)
    return act(seats, PASS)
