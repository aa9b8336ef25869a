"""The opening: pass or open until somebody opens (`RULES.md B2`).

Which hands may open is judged outside and kept in the state; the next deal's level is in `levels`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.betting import unavailable, within
from servito_core.events import Folded, Opened, Passed
from servito_core.limits import wager_range
from servito_core.refusals import Reason, Refused
from servito_core.state import OPENING, Offer
from servito_core.turns import index_to_act

if TYPE_CHECKING:
    from servito_core.commands import Open, Pass
    from servito_core.events import Event
    from servito_core.state import HandState


def opening_offer(hand: HandState, index: int) -> Offer:
    """What the seat at `index`, whose turn it is, may do."""
    offer = Offer(hand.players[index].seat)
    offer.can_pass = can_pass(hand, index)
    offer.open = open_range(hand, index)
    return offer


def can_pass(hand: HandState, index: int) -> bool:
    """Everybody may pass, unless the rules oblige who can open (`open.obliged`)."""
    if hand.phase is not OPENING:
        return False
    return not (hand.rules.open_obliged and hand.players[index].openers)


def open_range(hand: HandState, index: int) -> tuple[int, int] | None:
    """The range of an opening; None for a seat that does not hold the requirement."""
    if hand.phase is not OPENING or not hand.players[index].openers:
        return None
    return wager_range(hand, hand.players[index])


def pass_(hand: HandState, command: Pass) -> tuple[Event, ...]:
    """`Pass` -> `Passed`."""
    index = index_to_act(hand, command.seat)
    if not can_pass(hand, index):
        raise unavailable(hand, "pass")
    return (Passed(command.seat),)


def open_(hand: HandState, command: Open) -> tuple[Event, ...]:
    """`Open` -> `Opened`; where a pass is out (`open.pass`), it takes effect now."""
    index = index_to_act(hand, command.seat)
    if hand.phase is not OPENING:
        raise unavailable(hand, "open")
    allowed = open_range(hand, index)
    if allowed is None:
        raise Refused(
            Reason.OPENERS_REQUIRED, f"only a hand that holds {hand.requirement} or better may open: pass"
        )
    to = within(allowed, command.to)
    opened = Opened(command.seat, to, to - hand.players[index].bet)
    if hand.rules.open_pass != "is_out":  # noqa: S105 - a way to play, no password
        return (opened,)
    passed = [player for index, player in enumerate(hand.players) if hand.acted >> index & 1]
    return (opened, *[Folded(player.seat) for player in passed if not player.folded])
