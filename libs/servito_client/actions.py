"""Actions, one function each, so that a player writes `call()` and not the message; and their kinds.

Amounts are whole chips and "to" totals of the betting round; cards are 0..51. Whether an action is legal is
not known here: the offer says so, and the table refuses what it does not contain."""

from __future__ import annotations

from collections.abc import Iterable

from servito_client.messages import Action, ActionKind, BlindKind, CheckWord, Offer

PASS, OPEN, CHECK, BET = (
    ActionKind.ACTION_KIND_PASS,
    ActionKind.ACTION_KIND_OPEN,
    ActionKind.ACTION_KIND_CHECK,
    ActionKind.ACTION_KIND_BET,
)
CALL, RAISE, FOLD, DRAW = (
    ActionKind.ACTION_KIND_CALL,
    ActionKind.ACTION_KIND_RAISE,
    ActionKind.ACTION_KIND_FOLD,
    ActionKind.ACTION_KIND_DRAW,
)
BLIND, DECLINE = ActionKind.ACTION_KIND_POST_BLIND, ActionKind.ACTION_KIND_DECLINE_BLIND
AMOUNTS = frozenset({OPEN, BET, RAISE, BLIND})
"""Kinds that carry an amount."""


def first_of(offer: Offer, *kinds: ActionKind.ValueType) -> Action:
    """The first of `kinds` that is offered, for the least that it takes; a draw stands pat.

    ValueError where none of them is offered, or the rules do not let him stand pat."""
    legal = {action.kind: action for action in offer.actions}
    for kind in kinds:
        if kind == DRAW and kind in legal and legal[kind].least:
            raise ValueError(f"at least {legal[kind].least} cards have to be changed")
        if kind in legal:
            to = legal[kind].least if kind in AMOUNTS else None
            return Action(kind=kind, to=to, blind=legal[kind].blind)
    offered = ", ".join(ActionKind.Name(kind) for kind in legal)
    raise ValueError(f"none of these actions is offered, but {offered}")


def pass_() -> Action:
    """Not to open; the hand stays alive."""
    return Action(kind=ActionKind.ACTION_KIND_PASS)


def open_to(to: int) -> Action:
    """Open the betting with `to` chips."""
    return Action(kind=ActionKind.ACTION_KIND_OPEN, to=to)


def check(word: CheckWord.ValueType = CheckWord.CHECK_WORD_UNSPECIFIED) -> Action:
    """Bet nothing, with nothing to call; `word` where the rules tell "parola" from "cip" (`RULES.md B5`)."""
    return Action(kind=ActionKind.ACTION_KIND_CHECK, word=word)


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


def post_blind(blind: BlindKind.ValueType, to: int) -> Action:
    """Post the blind that is offered, at the one amount that is allowed (`RULES.md B6`)."""
    return Action(kind=ActionKind.ACTION_KIND_POST_BLIND, blind=blind, to=to)


def cover_blind() -> Action:
    """Cover the counter-blind unseen."""
    return Action(kind=ActionKind.ACTION_KIND_COVER_BLIND)


def decline_blind() -> Action:
    """Say no to a blind, or to covering one."""
    return Action(kind=ActionKind.ACTION_KIND_DECLINE_BLIND)


def table_hand() -> Action:
    """Show the cards at a showdown where hands may be conceded (`RULES.md B7`)."""
    return Action(kind=ActionKind.ACTION_KIND_TABLE_HAND)


def concede() -> Action:
    """Give up at such a showdown without showing."""
    return Action(kind=ActionKind.ACTION_KIND_CONCEDE)
