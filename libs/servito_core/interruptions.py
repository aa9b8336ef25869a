"""People and interruptions: time-outs, departures, void hands (`RULES.md B8`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from servito_core.dealing import waits_for_deal
from servito_core.endings import void
from servito_core.events import (
    BlindDeclined,
    Checked,
    Discarded,
    Folded,
    HandTabled,
    Passed,
    PlayerLeft,
    TurnExpired,
)
from servito_core.refusals import Reason, Refused
from servito_core.state import BLINDS, DRAW, OPENING, OVER, SHOWDOWN
from servito_core.turns import index_of, index_to_act

if TYPE_CHECKING:
    from servito_core.commands import ExpireTurn, Leave, Unreadable, Void
    from servito_core.events import Event
    from servito_core.state import HandState


def default_action(hand: HandState, index: int) -> Event:
    """What is done for a seat that does not answer: nothing that costs it a chip that it has not bet."""
    player, phase = hand.players[index], hand.phase
    if phase is BLINDS:
        return BlindDeclined(player.seat)
    if phase is OPENING:
        return Passed(player.seat)
    if phase is DRAW:
        return Discarded(player.seat, ())
    if phase is SHOWDOWN:
        return HandTabled(player.seat, player.cards)
    return Checked(player.seat) if player.bet == hand.high_bet else Folded(player.seat)


def expire_turn(hand: HandState, command: ExpireTurn) -> tuple[Event, ...]:
    """`ExpireTurn` -> `TurnExpired` and the default action."""
    index = index_to_act(hand, command.seat)
    return TurnExpired(command.seat), default_action(hand, index)


def leave(hand: HandState, command: Leave) -> tuple[Event, ...]:
    """`Leave` -> `PlayerLeft`, and a fold unless the seat is all-in, or shows, or cards are on their way."""
    player = hand.players[index_of(hand, command.seat)]
    if player.left:
        raise Refused(Reason.NOT_IN_HAND, f"the player of seat {command.seat} has left already")
    if player.stack and hand.phase is not SHOWDOWN and not cards_on_their_way(hand):
        return PlayerLeft(command.seat), Folded(command.seat)
    return (PlayerLeft(command.seat),)


def cards_on_their_way(hand: HandState) -> bool:
    """Whether the dealer may have been asked already: until the answer is in, the request must not change."""
    return hand.serving is not None or waits_for_deal(hand)


def void_hand(hand: HandState, command: Void) -> tuple[Event, ...]:  # noqa: ARG001 - one signature for all handlers
    """`Void` -> every stake returned and the end; at any time, also while cards are on their way."""
    if hand.phase is OVER:
        raise Refused(Reason.HAND_NOT_RUNNING, "no hand is running")
    return void(hand)


def unreadable(hand: HandState, command: Unreadable) -> NoReturn:
    """`Unreadable` -> refused, after the checks of hand and turn that any action has to pass."""
    index_to_act(hand, command.seat)
    raise Refused(Reason.MALFORMED, command.what)
