"""Seeded random hands for the tests of the wire: every event that happens and every state that is reached."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING

from servito_core import commands as c
from servito_core.cards import deck_from
from servito_core.deals import FIRST, Between, Entrant, NotEnoughPlayersError, after, start_hand
from servito_core.evolve import begin, evolve
from servito_core.hand import legal_actions, play, waiting_for
from servito_core.rules import RuleSet
from servito_core.state import HandState, Offer, SeatToAct
from servito_script.judging import answer_to
from servito_script.known_deck import KnownDeck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from servito_core.events import Event, HandStarted

RULES = {
    "italiana": RuleSet(),
    "every phase": RuleSet.from_options(
        {
            "blind.depth": 3,
            "parola.mode": "carry_over",
            "parola.reentry": "pay_difference",
            "draw.opener_split": "announce",
            "open.proof": "show_on_uncalled_win",
            "show.muck": "may_concede",
            "draw.max": 5,
        }
    ),
}


@dataclass(frozen=True)
class Moment:
    """An event, the state after it, and what the deal began from."""

    event: Event
    hand: HandState
    between: Between


def moments(rules: RuleSet, players: int, seed: int, deals: int) -> Iterator[Moment]:
    """Play up to `deals` deals at random; ends early when fewer than two players have chips."""
    random = Random(seed)
    between = FIRST
    stacks = {seat: random.randint(1, 60) for seat in range(players)}
    for _ in range(deals):
        entrants = [Entrant(seat, stack) for seat, stack in stacks.items()]
        try:
            events = start_hand(rules, entrants, between, players)
        except NotEnoughPlayersError:
            return
        hand: HandState | None = None
        for moment in _one_deal(rules, events, random):
            hand = moment[1]
            yield Moment(*moment, between)
        assert hand is not None
        stacks |= {player.seat: player.stack for player in hand.players}
        between = after(between, hand)


def _one_deal(rules: RuleSet, events: tuple[Event, ...], random: Random) -> Iterator[tuple[Event, HandState]]:
    started: HandStarted = events[0]  # type: ignore[assignment]  # a deal begins with nothing else
    hand = begin(rules, started)
    yield started, hand
    order = list(deck_from(started.lowest_rank))
    random.shuffle(order)
    deck = KnownDeck(order, lambda dead: random.sample(dead, len(dead)))
    events = events[1:]
    while True:
        for event in events:
            hand = evolve(hand, event)
            yield event, hand
        command = answer_to(hand, deck) or _choose(hand, random)
        if command is None:
            return
        events = play(hand, command)[0]


def _choose(hand: HandState, random: Random) -> c.Command | None:
    waiting = waiting_for(hand)
    if not isinstance(waiting, SeatToAct):
        return None
    offer = legal_actions(hand, waiting.seat)
    assert offer is not None
    if random.random() < 0.03:
        interruptions: list[c.Command] = [c.ExpireTurn(waiting.seat), c.Leave(waiting.seat), c.Void()]
        return random.choice(interruptions)
    return random.choice(list(_legal(offer, hand, random)))


def _legal(offer: Offer, hand: HandState, random: Random) -> Iterator[c.Command]:
    """One command of each kind that is offered."""
    seat = offer.seat
    plain: dict[Callable[[int], c.Command], bool] = {
        c.Pass: offer.can_pass,
        c.Fold: offer.can_fold,
        c.Call: offer.call is not None,
        c.CoverBlind: offer.cover is not None,
        c.DeclineBlind: offer.can_decline,
        c.TableHand: offer.can_table,
        c.Concede: offer.can_concede,
    }
    yield from (kind(seat) for kind, legal in plain.items() if legal)
    if offer.can_check:
        yield c.Check(seat, random.choice(["", "parola", "cip"]))
    amounts: dict[Callable[[int, int], c.Command], tuple[int, int] | None] = {
        c.Open: offer.open,
        c.Bet: offer.bet,
        c.RaiseTo: offer.raise_to,
    }
    yield from (kind(seat, random.randint(*span)) for kind, span in amounts.items() if span)
    if offer.blind:
        yield c.PostBlind(seat, *offer.blind)
    if offer.draw:
        cards = next(player.cards for player in hand.players if player.seat == seat)
        yield c.Draw(seat, tuple(random.sample(cards, random.randint(*offer.draw))))
