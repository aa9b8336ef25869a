"""Random legal play with universal checks: what must hold after every event of every hand, whatever the
rules.

One home for the strategies and the checks; the tests choose rules, seats and seeds.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from servito_core import commands as c
from servito_core import events as e
from servito_core.cards import DECK_SIZE, Card, deck_from
from servito_core.deals import FIRST, Between, Entrant, NotEnoughPlayersError, after, start_hand
from servito_core.events import Blind
from servito_core.evolve import evolve, replay
from servito_core.hand import advance, decide, legal_actions, play, waiting_for
from servito_core.refusals import Reason, Refused
from servito_core.state import CardsNeeded, HandOver, OpenersNeeded, Phase, SeatToAct, WinnersNeeded
from servito_script.judging import answer_to
from servito_script.known_deck import KnownDeck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from servito_core.commands import Command
    from servito_core.events import Event
    from servito_core.rules import RuleSet
    from servito_core.state import HandState, Offer

MOST_COMMANDS = 600
"""No hand of ten players and such stacks is longer; one that is hangs."""


def check_state(hand: HandState, chips: int) -> None:
    """Chips are conserved, each card is in one place, and the hand waits for exactly one thing."""
    assert sum(player.stack for player in hand.players) + hand.pot == chips
    assert all(player.stack >= 0 and player.bet >= 0 and player.paid >= 0 for player in hand.players)
    seen = [
        card
        for player in hand.players
        for card, position in zip(
            player.cards + player.discards, player.positions + player.discard_positions, strict=True
        )
        if position not in hand.reshuffled
    ]
    assert len(set(seen)) == len(seen)
    assert len(seen) + hand.stock == len(deck_from(hand.lowest_rank))
    assert (hand.pot == hand.carried) or hand.phase is not Phase.OVER or hand.outcome is not None


def check_amounts(before: HandState, event: Event, hand: HandState) -> None:
    """An event of chips that are bet says what left the stack, and the seat's total after it."""
    if isinstance(event, (e.BlindPosted, e.BlindCovered, e.Opened, e.BetMade, e.Called, e.RaisedTo)):
        index = next(i for i, player in enumerate(hand.players) if player.seat == event.seat)
        assert event.to == hand.players[index].bet
        assert event.added == before.players[index].stack - hand.players[index].stack > 0


def apart(hand: HandState) -> HandState:
    """A copy that shares not even players with any other state, so that it can tell whether one changed."""
    copy = hand.copied()
    copy.players = [player.copied() for player in hand.players]
    return copy


def check_waiting(hand: HandState) -> None:
    """Exactly one seat is to act and has something to do, or none with the reason that `waiting_for`
    states.
    """
    offers = {player.seat: legal_actions(hand, player.seat) for player in hand.players}
    to_act = [seat for seat, offer in offers.items() if offer is not None]
    match waiting_for(hand):
        case SeatToAct(seat=seat):
            assert to_act == [seat]
            assert list(good_commands(offers[seat], hand)) != []
        case CardsNeeded(slot=slot, count=count):
            assert to_act == []
            assert slot is None or (count > 0 and not hand.players[slot].folded)
        case OpenersNeeded() | WinnersNeeded():
            assert to_act == []
        case HandOver():
            assert hand.phase is Phase.OVER
            assert to_act == []


def good_commands(offer: Offer | None, hand: HandState) -> Iterator[Command]:
    """Every action that is offered, at both ends of its range."""
    if offer is None:
        return
    seat = offer.seat
    flags: list[tuple[object, Command]] = [
        (offer.can_pass, c.Pass(seat)),
        (offer.can_check, c.Check(seat, "")),
        (offer.can_check, c.Check(seat, "cip")),
        (offer.can_fold, c.Fold(seat)),
        (offer.call is not None, c.Call(seat)),
        (offer.cover is not None, c.CoverBlind(seat)),
        (offer.can_decline, c.DeclineBlind(seat)),
        (offer.can_table, c.TableHand(seat)),
        (offer.can_concede, c.Concede(seat)),
    ]
    yield from (command for may, command in flags if may)
    for limits, wager in ((offer.open, c.Open), (offer.bet, c.Bet), (offer.raise_to, c.RaiseTo)):
        if limits is not None:
            yield from (wager(seat, to) for to in sorted(set(limits)))
    if offer.blind is not None:
        yield c.PostBlind(seat, *offer.blind)
    if offer.draw is not None:
        held = next(player.cards for player in hand.players if player.seat == seat)
        yield from (c.Draw(seat, held[:count]) for count in sorted(set(offer.draw)))


def bad_commands(offer: Offer, hand: HandState) -> Iterator[tuple[Command, set[Reason]]]:
    """Everything that is not offered, and amounts just outside of what is, with the reasons that may be
    given.
    """
    seat = offer.seat
    unavailable = {Reason.ACTION_NOT_AVAILABLE}
    absent: list[tuple[object, Command, set[Reason]]] = [
        (offer.can_pass, c.Pass(seat), unavailable),
        (offer.can_check, c.Check(seat), unavailable),
        (offer.can_fold, c.Fold(seat), unavailable),
        (offer.call, c.Call(seat), unavailable),
        (offer.cover, c.CoverBlind(seat), unavailable),
        (offer.can_decline, c.DeclineBlind(seat), unavailable),
        (offer.can_table, c.TableHand(seat), unavailable),
        (offer.can_concede, c.Concede(seat), unavailable),
        (offer.draw, c.Draw(seat), unavailable),
        (offer.open, c.Open(seat, 1), unavailable | {Reason.OPENERS_REQUIRED}),
        (offer.bet, c.Bet(seat, 1), unavailable),
        (offer.raise_to, c.RaiseTo(seat, 1), unavailable),
    ]
    yield from ((command, reasons) for may, command, reasons in absent if may in (False, None))
    for limits, wager in ((offer.open, c.Open), (offer.bet, c.Bet), (offer.raise_to, c.RaiseTo)):
        if limits is not None:
            yield wager(seat, limits[0] - 1), {Reason.BELOW_MINIMUM}
            yield wager(seat, limits[1] + 1), {Reason.ABOVE_MAXIMUM}
            yield wager(seat, None), {Reason.MALFORMED}
    if offer.can_check:
        yield c.Check(seat, "busso"), {Reason.MALFORMED}
    if offer.draw is not None:
        yield from _bad_draws(offer, hand)
    yield from _bad_blinds(offer)
    yield c.Unreadable(seat, "?"), {Reason.MALFORMED}
    yield from _out_of_turn(hand, seat)
    answers = (c.SupplyDeal(()), c.SupplyDraw(1, c.DealtTo(seat, (), ())), c.SupplyOpeners({}))
    yield from ((answer, unavailable) for answer in (*answers, c.SupplyWinners((), {})))


def _out_of_turn(hand: HandState, to_act: int | None) -> Iterator[tuple[Command, set[Reason]]]:
    """Any action of any seat but the one to act; after the end there is no turn at all."""
    for player in hand.players:
        if player.seat != to_act:
            reasons = {Reason.NOT_IN_HAND if player.folded else Reason.NOT_YOUR_TURN}
            if hand.phase is Phase.OVER:
                reasons = {Reason.HAND_NOT_RUNNING}
            for action in (c.Pass, c.Check, c.Fold, c.Call, c.Draw, c.CoverBlind, c.TableHand, c.Concede):
                yield action(player.seat), reasons
            yield c.RaiseTo(player.seat, 5), reasons
            yield c.Unreadable(player.seat, "?"), reasons
    yield c.Fold(77), {Reason.HAND_NOT_RUNNING if hand.phase is Phase.OVER else Reason.NOT_IN_HAND}


def _bad_blinds(offer: Offer) -> Iterator[tuple[Command, set[Reason]]]:
    allowed, to = offer.blind or (None, 1)
    for blind in Blind:
        if blind is not allowed:
            yield c.PostBlind(offer.seat, blind, to), {Reason.ACTION_NOT_AVAILABLE}
    if allowed is not None:
        yield c.PostBlind(offer.seat, allowed, to - 1), {Reason.BELOW_MINIMUM}
        yield c.PostBlind(offer.seat, allowed, to + 1), {Reason.ABOVE_MAXIMUM}
        yield c.PostBlind(offer.seat, allowed, None), {Reason.MALFORMED}


def _bad_draws(offer: Offer, hand: HandState) -> Iterator[tuple[Command, set[Reason]]]:
    player = next(player for player in hand.players if player.seat == offer.seat)
    most = (offer.draw or (0, 0))[1]
    other = next(Card(card) for card in range(DECK_SIZE) if card not in player.cards)
    yield (
        c.Draw(offer.seat, player.cards[: most + 1] + player.cards[: max(0, most - 4)]),
        {Reason.TOO_MANY_DISCARDS},
    )
    yield c.Draw(offer.seat, (Card(52),)), {Reason.MALFORMED}
    if most >= 2:
        yield c.Draw(offer.seat, (player.cards[0], other)), {Reason.CARD_NOT_HELD}
        yield c.Draw(offer.seat, (player.cards[0], player.cards[0])), {Reason.DUPLICATE_CARD}


@dataclass
class Play:
    """One hand under random play. `thorough`: try every offered and every forbidden command at every turn."""

    rules: RuleSet
    rng: random.Random
    entrants: list[Entrant]
    between: Between = FIRST
    thorough: bool = False
    watch: Callable[[HandState, Event | None], None] | None = None
    """Called with every state and the event that led to it."""
    events: list[Event] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)

    def run(self) -> HandState:
        """Play to the end; the ended state. `NotEnoughPlayersError` if there is no deal."""
        self.events = list(start_hand(self.rules, self.entrants, self.between, len(self.entrants)))
        hand = replay(self.rules, self.events)
        self.alone = replay(self.rules, self.events)
        self.chips = sum(player.stack for player in hand.players) + hand.pot
        deck = list(deck_from(hand.lowest_rank))
        self.rng.shuffle(deck)
        self.deck = KnownDeck(deck, lambda dead: self.rng.sample(dead, len(dead)))
        check_state(hand, self.chips)
        while hand.phase is not Phase.OVER:
            check_waiting(hand)
            if self.thorough:
                self._try_everything(hand)
            hand = self._step(hand)
            assert len(self.commands) < MOST_COMMANDS, "the hand does not end"
        self._try_everything(hand)
        assert hand == replay(self.rules, self.events)
        assert hand.pot == self.events[-1].carried  # type: ignore[union-attr] # the last event is HandEnded
        return hand

    def _step(self, hand: HandState) -> HandState:
        command = self._departure(hand) or answer_to(hand, self.deck) or self._choose(hand)
        if isinstance(command, c.SupplyOpeners) and refusal_of(hand, command) is Reason.OPENERS_REQUIRED:
            hand, command = self._stand_pat_instead()
        events, ended = play(hand, command)
        self._check_in_place(command, events, ended)
        self.commands.append(command)
        for event in events:
            before, copy = hand, apart(hand)
            hand = evolve(hand, event)
            assert before == copy
            check_state(hand, self.chips)
            check_amounts(before, event, hand)
            if self.watch is not None:
                self.watch(hand, event)
        assert hand == ended
        self.events.extend(events)
        return hand

    def _check_in_place(self, command: Command, events: tuple[Event, ...], ended: HandState) -> None:
        """`advance` does to a hand that is held alone what `play` does, and nothing to copies made before."""
        held, copy = self.alone.copied(), apart(self.alone)
        assert advance(self.alone, command) == events
        assert self.alone == ended
        assert held == copy
        if self.rng.random() < 0.5:
            self.alone = held
            advance(self.alone, command)
            assert self.alone == ended

    def _stand_pat_instead(self) -> tuple[HandState, Command]:
        """An opener may not break his opening: the draw that was judged is not committed, he stands pat."""
        self.events.pop()
        self.commands.pop()
        hand = replay(self.rules, self.events)
        self.alone = replay(self.rules, self.events)
        assert hand.to_act is not None
        return hand, c.Draw(hand.players[hand.to_act].seat)

    def _departure(self, hand: HandState) -> Command | None:
        """Now and then somebody leaves while cards are on their way, to himself or to another."""
        staying = [player.seat for player in hand.players if not player.left and not player.folded]
        if not staying or not isinstance(waiting_for(hand), CardsNeeded) or self.rng.random() > 0.03:
            return None
        return c.Leave(self.rng.choice(staying))

    def _choose(self, hand: HandState) -> Command:
        """Mostly an offered action; now and then somebody leaves or runs out of time."""
        assert hand.to_act is not None
        seat, chance = hand.players[hand.to_act].seat, self.rng.random()
        if chance < 0.02:
            return c.ExpireTurn(seat)
        staying = [player.seat for player in hand.players if not player.left and not player.folded]
        if chance < 0.03 and staying:
            return c.Leave(self.rng.choice(staying))
        if chance < 0.032:
            return c.Void()
        offer = legal_actions(hand, seat)
        assert offer is not None
        return random_command(offer, hand, self.rng)

    def _try_everything(self, hand: HandState) -> None:
        """Both ends of every offered range are accepted, everything else is refused, and nothing changes."""
        to_act = None if hand.to_act is None else hand.players[hand.to_act].seat
        offer = None if to_act is None else legal_actions(hand, to_act)
        before = apart(hand)
        for command in good_commands(offer, hand):
            assert decide(hand, command)
        for command, reasons in _out_of_turn(hand, None) if offer is None else bad_commands(offer, hand):
            assert refusal_of(hand, command) in reasons, (command, offer)
        assert hand == before


def refusal_of(hand: HandState, command: Command) -> Reason | None:
    """Why the hand refuses the command; None if it does not."""
    try:
        decide(hand, command)
    except Refused as refusal:
        return refusal.reason
    return None


def random_command(offer: Offer, hand: HandState, rng: random.Random) -> Command:
    """One of the offered actions, calls and small raises rather than folds, so that hands get far."""
    choices = list(good_commands(offer, hand))
    weights = [WEIGHTS.get(type(command), 3) for command in choices]
    command = rng.choices(choices, weights)[0]
    match command:
        case c.Draw(seat=seat):
            held = next(player.cards for player in hand.players if player.seat == seat)
            return c.Draw(seat, tuple(rng.sample(held, rng.randint(0, (offer.draw or (0, 0))[1]))))
        case c.Open(seat=seat) if offer.open:
            return c.Open(seat, rng.randint(*offer.open))
        case c.RaiseTo(seat=seat) if offer.raise_to and rng.random() < 0.5:
            return c.RaiseTo(seat, rng.randint(*offer.raise_to))
        case _:
            return command


WEIGHTS: Mapping[type[Command], int] = {
    c.Fold: 1,
    c.Call: 6,
    c.Open: 6,
    c.Pass: 3,
    c.RaiseTo: 1,
    c.Concede: 1,
}


def play_session(
    rules: RuleSet, seed: int, players: int, deals: int, thorough: bool = False
) -> list[tuple[HandState, list[Event]]]:
    """Several deals of one table in a row, chips conserved over all of them; players come with various
    stacks.
    """
    rng = random.Random(seed)
    stacks = {seat: rng.choice((rules.ante, 3, 20, 100, 400)) for seat in range(players)}
    between, played = FIRST, []
    for _ in range(deals):
        entrants = [Entrant(seat, stack) for seat, stack in stacks.items() if rng.random() < 0.97]
        total = sum(stacks.values()) + between.carried
        one = Play(rules, rng, entrants, between, thorough)
        try:
            hand = one.run()
        except NotEnoughPlayersError:
            continue
        stacks |= {player.seat: player.stack for player in hand.players}
        between = after(between, hand)
        assert sum(stacks.values()) + between.carried == total
        for player in hand.players:
            if player.left or not player.stack:
                stacks[player.seat] = rng.choice((rules.ante, 30, 100))
        played.append((hand, one.events))
    return played
