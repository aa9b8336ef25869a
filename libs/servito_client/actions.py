"""Actions, one function each, so that a player writes `call()` and not the message.

Amounts are whole chips and "to" totals of the betting round; cards are 0..51. Whether an action is legal is
not known here: the offer says so, and the table refuses what it does not contain."""

from __future__ import annotations

from collections.abc import Iterable

from servito_client.messages import Action, ActionKind


def pass_() -> Action:
    """Not to open; the hand stays alive."""
    return Action(kind=ActionKind.ACTION_KIND_PASS)


def open_to(to: int) -> Action:
    """Open the betting with `to` chips."""
    return Action(kind=ActionKind.ACTION_KIND_OPEN, to=to)


def check() -> Action:
    """Bet nothing, with nothing to call."""
    return Action(kind=ActionKind.ACTION_KIND_CHECK)


def bet(to: int) -> Action:
    """First bet of a round that is no opening."""
    return Action(kind=ActionKind.ACTION_KIND_BET, to=to)


def call() -> Action:
    """Level the highest total, or go all-in below it."""
    return Action(kind=ActionKind.ACTION_KIND_CALL)


def raise_to(to: int) -> Action:
    """Raise the highest total of the round to `to`."""
    return Action(kind=ActionKind.ACTION_KIND_RAISE, to=to)


def fold() -> Action:
    """Give the hand up."""
    return Action(kind=ActionKind.ACTION_KIND_FOLD)


def draw(discards: Iterable[int] = ()) -> Action:
    """Throw `discards` away and ask for as many cards; none is to stand pat ("servito")."""
    return Action(kind=ActionKind.ACTION_KIND_DRAW, discards=discards)
