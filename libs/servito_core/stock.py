"""Where cards of the draw come from: the stock, and the dead cards that refill it (`RULES.md B4`).

Everything is said in positions, as the dealer speaks; which card lies at an undealt position nobody here
knows. How many cards a seat may ask for is in `drawing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.state import DRAW, CardsNeeded

if TYPE_CHECKING:
    from servito_core.state import HandState, PlayerState


def due(hand: HandState, player: PlayerState) -> int:
    """How many of the cards owed to `player` it gets at once: three at most before the deferred draw."""
    if hand.phase is DRAW and hand.rules.draw_deferred == "beyond_three":
        return min(3, player.owed)
    return player.owed


def cards_needed(hand: HandState, slot: int) -> CardsNeeded:
    """The request for the cards that the player at index `slot` gets now.

    It depends on nothing that may change while it is under way, so asking again gives the same request.
    Refills are named only if the stock cannot serve it, excluded positions only if their cards went back into
    the stock.
    """
    player = hand.players[slot]
    count = due(hand, player)
    excluded = _excluded(hand, player) if hand.reshuffled else ()
    refills = _refills(hand, slot) if hand.stock < count else ()
    return CardsNeeded(hand.entries, slot, count, excluded, refills)


def _excluded(hand: HandState, player: PlayerState) -> tuple[int, ...]:
    """A player's own discards should not come back to him while there are others."""
    if hand.rules.draw_exhaust != "reshuffle_dead_not_own":
        return ()
    return tuple(position for position in player.discard_positions if position in hand.reshuffled)


def _refills(hand: HandState, slot: int) -> tuple[tuple[int, ...], ...]:
    """The dead cards that become the stock, in order of use.

    Discards that an opener keeps apart as proof come last of all: they are touched only where the hand could
    not go on otherwise.
    """
    if hand.rules.draw_exhaust == "cap":
        return ()
    not_own = hand.rules.draw_exhaust == "reshuffle_dead_not_own"
    common: list[int] = []
    own: list[int] = []
    apart: list[int] = []
    for index, player in enumerate(hand.players):
        pile = apart if player.split else own if not_own and index == slot else common
        pile += player.discard_positions
        if player.folded and hand.rules.draw_folded_in_pool:
            common += player.positions
    piles = (
        [position for position in pile if position not in hand.reshuffled] for pile in (common, own, apart)
    )
    return tuple(tuple(sorted(pile)) for pile in piles if pile)
