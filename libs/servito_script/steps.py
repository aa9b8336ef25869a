"""Between a script's words and the core's: steps to commands, offers and events to what a script asserts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from servito_core import commands as c
from servito_core.cards import Card, CardError, format_cards, parse_card
from servito_core.events import Blind, CardsDrawn, UncalledBetReturned

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from servito_core.commands import Command
    from servito_core.events import Event
    from servito_core.state import Offer

NO_CARD = Card(-1)
"""Stands for a text that names no card, so that the core refuses it in its own order."""

COMMANDS: dict[str, Callable[[int, Mapping[str, Any]], Command]] = {
    "pass": lambda seat, _: c.Pass(seat),
    "open": lambda seat, step: c.Open(seat, step.get("to")),
    "check": lambda seat, step: c.Check(seat, step.get("word", "")),
    "bet": lambda seat, step: c.Bet(seat, step.get("to")),
    "call": lambda seat, _: c.Call(seat),
    "raise": lambda seat, step: c.RaiseTo(seat, step.get("to")),
    "fold": lambda seat, _: c.Fold(seat),
    "draw": lambda seat, step: c.Draw(seat, discards(step.get("discard"))),
    "blind": lambda seat, step: c.PostBlind(seat, Blind.BLIND, step.get("to")),
    "counter_blind": lambda seat, step: c.PostBlind(seat, Blind.COUNTER_BLIND, step.get("to")),
    "over_blind": lambda seat, step: c.PostBlind(seat, Blind.OVER_BLIND, step.get("to")),
    "cover": lambda seat, _: c.CoverBlind(seat),
    "decline": lambda seat, _: c.DeclineBlind(seat),
    "timeout": lambda seat, _: c.ExpireTurn(seat),
    "leave": lambda seat, _: c.Leave(seat),
}


def command_of(seat: int, step: Mapping[str, Any]) -> Command:
    """What a step asks of the hand; a verb that does not exist is left for the core to refuse."""
    verb = step["do"]
    if verb not in COMMANDS:
        return c.Unreadable(seat, f"{verb!r} is no action: known are {', '.join(COMMANDS)}")
    return COMMANDS[verb](seat, step)


def discards(text: Any) -> tuple[Card, ...]:
    """The cards that a draw names, in the order written."""
    if not isinstance(text, str):
        return (NO_CARD,)
    return tuple(_card(word) for word in text.split())


def _card(word: str) -> Card:
    try:
        return parse_card(word)
    except CardError:
        return NO_CARD


def legal_of(offer: Offer) -> dict[str, Any]:
    """An offer as a script's `legal` writes it: a key that is not there is not legal."""
    flags = {
        "pass": offer.can_pass,
        "check": offer.can_check,
        "fold": offer.can_fold,
        "decline": offer.can_decline,
    }
    ranges = {"open": offer.open, "bet": offer.bet, "raise": offer.raise_to, "draw": offer.draw}
    amounts = {"call": offer.call, "cover": offer.cover}
    legal: dict[str, Any] = {verb: True for verb, may in flags.items() if may}
    legal.update({verb: list(limits) for verb, limits in ranges.items() if limits is not None})
    legal.update({verb: chips for verb, chips in amounts.items() if chips is not None})
    if offer.blind is not None:
        legal[offer.blind[0].name.lower()] = offer.blind[1]
    return legal


def listed(event: Event, names: Mapping[int, str]) -> dict[str, Any] | None:
    """The event as a script has to list it; None for those that are no steps."""
    match event:
        case CardsDrawn(seat=seat, cards=cards, deferred=True):
            return {"event": "deferred_draw", "seat": names[seat], "cards": format_cards(cards)}
        case UncalledBetReturned(seat=seat, amount=amount):
            return {"event": "uncalled_bet_returned", "seat": names[seat], "amount": amount}
        case _:
            return None
