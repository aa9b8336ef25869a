"""How a deal ends without a showdown, and what it hands to the next (`RULES.md B2`, `B5`, `B8`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.events import HandEnded, OpeningProved, Outcome, PotAwarded, StakeReturned
from servito_core.levels import next_level
from servito_core.pots import uncalled_bet

if TYPE_CHECKING:
    from servito_core.events import Event
    from servito_core.state import HandState


def ended(hand: HandState, outcome: Outcome, carried: int) -> HandEnded:
    """The end of the deal with `carried` chips left in the middle."""
    requirement, raised = next_level(hand, outcome)
    return HandEnded(outcome, carried, requirement, raised)


def uncontested(hand: HandState) -> tuple[Event, ...]:
    """One seat is left: its uncalled bet goes back, the rest is its own unseen (but for the opener's
    proof).
    """
    events: list[Event] = []
    amount = hand.pot
    returned = uncalled_bet(hand)
    if returned is not None:
        events.append(returned)
        amount -= returned.amount
    index, winner = next((i, player) for i, player in enumerate(hand.players) if not player.folded)
    if hand.rules.open_proof == "show_on_uncalled_win" and index == hand.opener and winner.openers:
        events.append(OpeningProved(winner.seat, winner.openers))
    awarded = PotAwarded(0, amount, (winner.seat,), (winner.seat,), {winner.seat: amount})
    return (*events, awarded, ended(hand, Outcome.UNCONTESTED, 0))


def passed_out(hand: HandState) -> tuple[Event, ...]:
    """Nobody opened: the cards are thrown in and the pot stays."""
    return (ended(hand, Outcome.PASSED_OUT, hand.pot),)


def carried_over(hand: HandState) -> tuple[Event, ...]:
    """Nobody bet in the second round, and the rules carry the pot to a new deal."""
    return (ended(hand, Outcome.CARRIED_OVER, hand.pot),)


def is_carried_over(hand: HandState) -> bool:
    """Whether a second round without a bet ends without showdown (`parola.mode`); never with a live all-in
    seat.
    """
    mode = hand.rules.parola_mode
    if mode == "showdown" or hand.aggressor is not None:
        return False
    if mode == "carry_over_if_all_parola" and hand.cip:
        return False
    return all(player.folded or player.stack for player in hand.players)


def void(hand: HandState) -> tuple[Event, ...]:
    """Everything that was put in during the hand goes back; a carried pot stays."""
    returned = [StakeReturned(player.seat, player.paid) for player in hand.players if player.paid]
    return (*returned, ended(hand, Outcome.VOID, hand.carried))
