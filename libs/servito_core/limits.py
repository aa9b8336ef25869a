"""How much an opening, bet or raise may be (`RULES.md B3`): the numbers, whoever asks for them.

Increments are chips above the highest total of the round, ranges are least and greatest "to" totals. Whether
a seat may bet at all is in `betting` and `opening`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from servito_core.state import HandState, PlayerState


def least_increment(hand: HandState) -> int:
    """The least full opening, bet or raise."""
    rules = hand.rules
    if rules.bet_fixed is not None and rules.bet_limit == "fixed":
        return rules.bet_fixed
    if rules.raise_min == "last_increment":
        return max(rules.minimum_bet, hand.last_raise)
    return rules.minimum_bet


def ceiling(hand: HandState, to_call: int) -> int | None:
    """The greatest increment for a seat that has `to_call` to add first; None where only the stack limits
    it.
    """
    rules = hand.rules
    match rules.bet_limit:
        case "pot":
            return hand.pot + to_call if rules.bet_pot_base == "after_call" else hand.pot
        case "pot_open_only":
            return hand.pot if hand.high_bet == 0 else None
        case "none":
            return None
        case "fixed":
            return rules.bet_fixed


def wager_range(hand: HandState, player: PlayerState) -> tuple[int, int] | None:
    """Least and greatest total that `player` may go to above the highest; None if its stack does not reach
    above.

    Table stakes: a stack below the least goes all-in with what it has. A ceiling below the least counts as
    the least.
    """
    all_in = player.bet + player.stack
    if all_in <= hand.high_bet:
        return None
    least = hand.high_bet + least_increment(hand)
    if all_in <= least:
        return all_in, all_in
    cap = ceiling(hand, hand.high_bet - player.bet)
    if cap is None:
        return least, all_in
    return least, min(all_in, max(least, hand.high_bet + cap))
