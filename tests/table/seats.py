"""What tests about seats and waiting lists do again and again: hands where everybody may check, and does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from servito_core.commands import Call, Check, Command, Draw, Pass
from servito_core.state import Offer
from servito_table.app.commands import TableCommand
from servito_table.app.refusals import TableRefused
from servito_table.app.state import Seated
from servito_table.app.waits import WaitKind
from tests.table.room import CONFIG, Room

EASY = replace(CONFIG, options={"open.requirement": "none"})
"""Everybody may check: a hand takes two rounds and a change of cards."""


async def do(room: Room, command: TableCommand) -> tuple[object, ...]:
    """Carry out a player's command; what its commit told, and what followed at once."""
    done = len(room.store.commits)
    await room.run(command, room.request(getattr(command, "player", "nobody")))
    return tuple(event for commit in room.store.commits[done:] for event in commit.events)


async def refusal(room: Room, command: TableCommand) -> TableRefused:
    """Why a command is refused; nothing has changed by it."""
    before = room.known
    with pytest.raises(TableRefused) as refused:
        await do(room, command)
    assert room.known is before
    return refused.value


def seat(room: Room, player: str) -> Seated:
    """The seat of a player."""
    own = room.state.seat_of(player)
    assert own is not None, f"{player} does not sit there"
    return own


def mild(offer: Offer) -> Command:
    """What costs least and folds nothing."""
    if offer.can_check:
        return Check(offer.seat)
    if offer.draw is not None:
        return Draw(offer.seat)
    return Pass(offer.seat) if offer.can_pass else Call(offer.seat)


async def until_to_act(room: Room, player: str) -> Offer:
    """The others act mildly, hand after hand, until it is that player's turn."""
    for _ in range(100):
        if room.wait.kind is not WaitKind.SEAT:
            await room.due()
            continue
        name, offer = room.offer()
        if name == player:
            return offer
        await room.act(name, mild(offer))
    raise AssertionError(f"{player} never came to act")


async def finish_hand(room: Room) -> None:
    """Everybody acts mildly until the hand that runs is over."""
    number = room.hand.number
    while room.state.running is not None and room.hand.number == number:
        player, offer = room.offer()
        await room.act(player, mild(offer))


async def next_hand(room: Room) -> None:
    """Let the pause end: cards are dealt, and somebody is to act."""
    assert room.waits_for(WaitKind.PAUSE), room.wait
    await room.due()
    assert room.waits_for(WaitKind.SEAT), room.wait


def dealt_in(room: Room) -> list[str]:
    """Who plays the hand, in the order of the seats."""
    seats = {player.seat for player in room.hand.players}
    return [own.player for own in room.state.seats if own.seat in seats]
