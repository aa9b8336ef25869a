"""The one gate for hidden cards: what one viewer may see of a hand and of its events.

Everything shown is named here, nothing is copied and then cut down, so what nobody thought of stays
hidden. A viewer is a seat, or None for a spectator. Cards of others appear only once they are on the
table; of discards, draws and the right to open others learn numbers at most. `servito_wire.views` writes
what this module gives and nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from servito_core import events as e
from servito_core.cards import Card
from servito_core.events import Event, Outcome
from servito_core.record import record
from servito_core.state import Phase

if TYPE_CHECKING:
    from collections.abc import Callable

    from servito_core.state import HandState, PlayerState

# ---- A hand ------------------------------------------------------


@record
class PlayerView:
    """A seat as the viewer sees it; amounts as in `PlayerState`."""

    seat: int
    stack: int
    bet: int
    paid: int
    folded: bool
    left: bool
    all_in: bool
    card_count: int
    cards: tuple[Card, ...]
    """Its own to the viewer, everybody's once on the table; else empty."""
    discarded: int | None
    """How many cards it threw away; None before its draw."""
    owed: int
    """Deferred cards that it is still to get."""
    split: bool
    """Announced that it broke its opening."""


@record
class OwnView:
    """What only the viewer knows about its own seat, besides its cards."""

    positions: tuple[int, ...]
    """Where its cards lay in the order of the deck, to check them when proofs are published."""
    discards: tuple[Card, ...]
    may_open: bool


@record
class HandView:
    """A hand as the viewer sees it; seats by their number, players in speaking order."""

    number: int
    button: int
    lowest_rank: int
    requirement: str
    raised: bool
    phase: Phase
    carried: int
    pot: int
    high_bet: int
    stock: int
    """Undealt cards."""
    players: tuple[PlayerView, ...]
    own: OwnView | None
    to_act: int | None
    opener: int | None
    outcome: Outcome | None


def view_for(hand: HandState, viewer: int | None) -> HandView:
    """What `viewer` may see of the hand."""
    own = next((player for player in hand.players if player.seat == viewer), None)
    return HandView(
        number=hand.number,
        button=hand.button,
        lowest_rank=hand.lowest_rank,
        requirement=hand.requirement,
        raised=hand.raised,
        phase=hand.phase,
        carried=hand.carried,
        pot=hand.pot,
        high_bet=hand.high_bet,
        stock=hand.stock,
        players=tuple(_player(player, viewer) for player in hand.players),
        own=None if own is None else OwnView(own.positions, own.discards, own.may_open),
        to_act=_seat(hand, hand.to_act),
        opener=_seat(hand, hand.opener),
        outcome=hand.outcome,
    )


def _player(player: PlayerState, viewer: int | None) -> PlayerView:
    return PlayerView(
        seat=player.seat,
        stack=player.stack,
        bet=player.bet,
        paid=player.paid,
        folded=player.folded,
        left=player.left,
        all_in=player.all_in,
        card_count=len(player.cards),
        cards=player.cards if player.shown or player.seat == viewer else (),
        discarded=len(player.discards) if player.drawn else None,
        owed=player.owed,
        split=player.split,
    )


def _seat(hand: HandState, index: int | None) -> int | None:
    return None if index is None else hand.players[index].seat


# ---- Its events --------------------------------------------------


@record
class DealSeen:
    """`CardsDealt`: the viewer's own cards and positions; empty for who was not dealt in."""

    cards: tuple[Card, ...]
    positions: tuple[int, ...]


@record
class OpenersSeen:
    """`OpenersFound`: whether the viewer may open, and with which of its cards."""

    may_open: bool
    cards: tuple[Card, ...]


@record
class DiscardSeen:
    """`Discarded`: how many; which, to the owner alone."""

    seat: int
    count: int
    cards: tuple[Card, ...]


@record
class DrawSeen:
    """`CardsDrawn`: how many, and how many dead cards went back into the stock; which cards, to the owner
    alone.
    """

    seat: int
    count: int
    deferred: bool
    reshuffled: int
    cards: tuple[Card, ...]
    positions: tuple[int, ...]


PublicEvent = Event | DealSeen | OpenersSeen | DiscardSeen | DrawSeen
"""What may leave: the four projections, and of the events themselves those in `PUBLIC`."""

PUBLIC: frozenset[type[Event]] = frozenset(
    {
        e.HandStarted,
        e.ReentryPaid,
        e.AntePosted,
        e.BlindsBegan,
        e.BlindPosted,
        e.BlindCovered,
        e.BlindDeclined,
        e.BlindsClosed,
        e.FirstRoundBegan,
        e.TurnExpired,
        e.PlayerLeft,
        e.Passed,
        e.Opened,
        e.Checked,
        e.BetMade,
        e.Called,
        e.RaisedTo,
        e.Folded,
        e.UncalledBetReturned,
        e.DrawBegan,
        e.OpeningJudged,
        e.DeferredDrawBegan,
        e.SecondRoundBegan,
        e.ShowdownBegan,
        e.HandTabled,
        e.HandShown,
        e.OpeningProved,
        e.PotAwarded,
        e.StakeReturned,
        e.HandEnded,
    }
)
"""Events without a hidden card: whole, to everybody."""


def event_for(event: Event, viewer: int | None) -> PublicEvent:
    """What `viewer` may see of an event; KeyError for an event that is neither public nor has a
    projection.
    """
    if type(event) in PUBLIC:
        return event
    return PROJECTIONS[type(event)](event, viewer)


def _deal_seen(event: e.CardsDealt, viewer: int | None) -> DealSeen:
    for seat, cards, positions in zip(event.seats, event.cards, event.positions, strict=True):
        if seat == viewer:
            return DealSeen(cards, positions)
    return DealSeen((), ())


def _openers_seen(event: e.OpenersFound, viewer: int | None) -> OpenersSeen:
    cards = () if viewer is None else event.openers.get(viewer, ())
    return OpenersSeen(bool(cards), cards)


def _discard_seen(event: e.Discarded, viewer: int | None) -> DiscardSeen:
    return DiscardSeen(event.seat, len(event.cards), event.cards if event.seat == viewer else ())


def _draw_seen(event: e.CardsDrawn, viewer: int | None) -> DrawSeen:
    mine = event.seat == viewer
    return DrawSeen(
        seat=event.seat,
        count=len(event.cards),
        deferred=event.deferred,
        reshuffled=sum(event.shuffled),
        cards=event.cards if mine else (),
        positions=event.positions if mine else (),
    )


PROJECTIONS: dict[type[Event], Callable[[Any, int | None], PublicEvent]] = {
    e.CardsDealt: _deal_seen,
    e.OpenersFound: _openers_seen,
    e.Discarded: _discard_seen,
    e.CardsDrawn: _draw_seen,
}
