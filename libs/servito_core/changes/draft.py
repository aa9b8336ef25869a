"""Changing a hand that is the caller's own: the only ways in which its players and chips are touched.

States share players that did not change. `HandState.unshared` says which ones only this state holds, so a
player is copied at most once however many events touch it; copying a state shares them all again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from servito_core.state import HandState, PlayerState


def index_of_seat(hand: HandState, seat: int) -> int:
    """The index of a seat that was dealt in; events name no others."""
    players = hand.players
    index = hand.serving if hand.to_act is None else hand.to_act
    if index is not None and players[index].seat == seat:
        return index
    for index, player in enumerate(players):
        if player.seat == seat:
            return index
    raise ValueError(f"seat {seat} was not dealt in: the event does not belong to this hand")


def own(hand: HandState, index: int) -> PlayerState:
    """The player at `index`, to be changed: a copy put in its place if another state may hold it too."""
    player, bit = hand.players[index], 1 << index
    if not hand.unshared & bit:
        hand.unshared |= bit
        player = hand.players[index] = player.copied()
    return player


def pay_to(hand: HandState, index: int, to: int) -> None:
    """Chips from the stack into the pot until the seat's total of the round is `to`."""
    player = own(hand, index)
    amount = to - player.bet
    player.bet = to
    player.stack -= amount
    player.paid += amount
    hand.pot += amount
