"""Changing the copy of a hand: the only ways in which its players and chips are touched."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from servito_core.state import HandState, PlayerState


def index_of_seat(hand: HandState, seat: int) -> int:
    """The index of a seat that was dealt in; events name no others."""
    players, index = hand.players, hand.to_act
    if index is not None and players[index].seat == seat:
        return index
    return [player.seat for player in players].index(seat)


def own(hand: HandState, index: int) -> PlayerState:
    """A fresh copy of the player at `index`, put in its place, to be changed."""
    players = list(hand.players)
    player = players[index] = players[index].copied()
    hand.players = tuple(players)
    return player


def pay_to(hand: HandState, index: int, to: int) -> None:
    """Chips from the stack into the pot until the seat's total of the round is `to`."""
    player = own(hand, index)
    amount = to - player.bet
    player.bet = to
    player.stack -= amount
    player.paid += amount
    hand.pot += amount
