"""What lies in the middle and who may win it: the uncalled part of a bet, and the layers (`RULES.md B3`,
`B7`).

Who wins a layer is judged outside; how it is divided is in `showdown`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from servito_core.events import UncalledBetReturned

if TYPE_CHECKING:
    from servito_core.state import HandState


class Pot(NamedTuple):
    """One layer: chips, and the seats entitled to them in speaking order."""

    amount: int
    eligible: tuple[int, ...]


def uncalled_bet(hand: HandState) -> UncalledBetReturned | None:
    """What goes back to a live seat: its total of the round above that of anybody else, folded seats
    included.
    """
    highest = second = 0
    top = None
    for player in hand.players:
        if player.bet > highest:
            highest, second, top = player.bet, highest, player
        elif player.bet > second:
            second = player.bet
    if top is None or top.folded or highest == second:
        return None
    return UncalledBetReturned(top.seat, highest - second)


def pots(hand: HandState) -> tuple[Pot, ...]:
    """The layers, lowest first, when betting is over and uncalled bets are back; their amounts add up to the
    pot.

    A layer goes among the live seats that paid it in full. Folded money stays in the layers that it reached
    and above the last live layer joins that; a carried pot and dead money belong to the lowest.
    """
    live = [player for player in hand.players if not player.folded]
    levels = sorted({player.paid - player.dead for player in live})
    if len(levels) == 1:
        return (Pot(hand.pot, tuple([player.seat for player in live])),)
    everybody = [player.paid - player.dead for player in hand.players]
    found = []
    below, left = 0, hand.pot
    for level in levels:
        amount = sum(min(stake, level) - below for stake in everybody if stake > below)
        if level == levels[0]:
            amount += hand.pot - sum(everybody)
        if level == levels[-1]:
            amount = left
        below = level
        left -= amount
        if amount:
            entitled = [player.seat for player in live if player.paid - player.dead >= level]
            found.append(Pot(amount, tuple(entitled)))
    return tuple(found)
