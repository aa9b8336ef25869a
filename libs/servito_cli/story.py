"""One hand told so that a player can follow it: from its events to lines of text.

Pure: no printing, no connection. The events are those that a spectator gets; the cards of seats whose
players agree to it (in the demo all, being our bots) come beside them. What cannot be known is told as a
number of cards. Changes with the events of table.proto."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatchmethod

from servito_cli.words import ENDS, MOVES, PHASES, RANKS, CardText, number_of_cards, suit_signs
from servito_client.bots.own_cards import OwnCards
from servito_client.messages import (
    ActionKind,
    AntePosted,
    CardsDealt,
    CardsDrawn,
    Event,
    HandEnded,
    HandShown,
    HandStarted,
    HandTabled,
    OpeningJudged,
    OpeningProved,
    Phase,
    PhaseBegan,
    PlayerLeaving,
    PotAwarded,
    ReentryPaid,
    SeatActed,
    StakeReturned,
    TurnExpired,
    UncalledBetReturned,
)


@dataclass(frozen=True, slots=True)
class Tale:
    """What there is to tell: a hand's events from HandStarted to HandEnded, and who sat where."""

    table: str
    names: Mapping[int, str]
    events: Sequence[Event]
    own: Mapping[int, OwnCards] = field(default_factory=dict)


def tell(tale: Tale, card_text: CardText = suit_signs) -> list[str]:
    """The hand in lines without ends; amounts are chips, and bets totals of the betting round."""
    teller = _Teller(tale, card_text)
    return [line for event in tale.events for line in teller.lines(event)]


class _Teller:
    """Keeps what the events leave out: the pot, and which cards of a seat come next."""

    def __init__(self, tale: Tale, card_text: CardText) -> None:
        self._tale, self._card = tale, card_text
        self._pot = 0
        self._bets: dict[int, int] = {}
        self._seats: Sequence[int] = ()
        self._stacks: dict[int, int] = {}
        self._left: dict[int, int] = {}
        """Chips that a seat can still bet."""
        self._antes: list[int] = []
        self._drawn: dict[int, int] = {}

    @singledispatchmethod
    def lines(self, _event: Event) -> Iterable[str]:
        """The lines of one event; none for what needs no word."""
        return ()

    @lines.register
    def _(self, event: HandStarted) -> Iterable[str]:
        self._pot, self._seats = event.carried, event.seats
        self._stacks = dict(zip(event.seats, event.stacks, strict=True))
        self._left = dict(self._stacks)
        low = RANKS.get(event.lowest_rank, str(event.lowest_rank))
        opens = "any hand opens" if event.requirement == "none" else f"{event.requirement} or better opens"
        yield (
            f"{self._tale.table}, hand {event.number}: {len(event.seats)} players, "
            f"{4 * (15 - event.lowest_rank)} cards from the {low} up, {opens}"
        )
        carried = f"; {event.carried} chips carried from the deal before" if event.carried else ""
        yield f"  {self._name(event.button)} has the button{carried}"

    @lines.register
    def _(self, event: AntePosted) -> Iterable[str]:
        self._pot += event.amount
        self._left[event.seat] -= event.amount
        self._antes.append(event.amount)
        return ()

    def _antes_told(self) -> Iterable[str]:
        if self._antes:
            antes = ", ".join(map(str, self._antes))
            same = len(set(self._antes)) == 1
            yield f"  antes: {f'{self._antes[0]} each' if same else antes}   (pot {self._pot})"
        self._antes = []

    @lines.register
    def _(self, event: ReentryPaid) -> Iterable[str]:
        self._pot += event.amount
        self._left[event.seat] -= event.amount
        yield f"  {self._name(event.seat)} pays {event.amount} to play on for the carried pot"

    @lines.register
    def _(self, _event: CardsDealt) -> Iterable[str]:
        yield from self._antes_told()
        for seat in self._seats:
            own = self._tale.own.get(seat)
            cards = self._cards(own.dealt) if own and own.dealt else "five cards"
            yield f"    {self._name(seat):<10} {self._stacks[seat]:>6}   {cards}"

    @lines.register
    def _(self, event: SeatActed) -> Iterable[str]:
        if event.kind == ActionKind.ACTION_KIND_DRAW:
            yield f"  {self._name(event.seat)} {self._draw(event)}"
            return
        before = self._bets.get(event.seat, 0)
        added = max(0, event.to - before)
        self._bets[event.seat] = before + added
        self._pot += added
        self._left[event.seat] -= added
        text = MOVES.get(event.kind, "acts").format(to=event.to)
        all_in = "" if self._left[event.seat] or not added else ", all in"
        yield f"  {self._name(event.seat)} {text}{all_in}" + (f"   (pot {self._pot})" if added else "")

    def _draw(self, event: SeatActed) -> str:
        if not event.discarded:
            return "stands pat: servito"
        own = self._tale.own.get(event.seat)
        known = own.discards if own else ()
        return f"throws {self._cards(known) if known else number_of_cards(event.discarded)}"

    @lines.register
    def _(self, event: CardsDrawn) -> Iterable[str]:
        own = self._tale.own.get(event.seat)
        turn = self._drawn.get(event.seat, 0)
        self._drawn[event.seat] = turn + 1
        known = own.drawn[turn] if own and turn < len(own.drawn) else ()
        again = f" (after {event.reshuffled} dead cards were shuffled again)" if event.reshuffled else ""
        owed = ", owed beyond three" if event.deferred else ""
        what = self._cards(known) if known else number_of_cards(event.count)
        yield f"  {self._name(event.seat)} gets {what}{owed}{again}"

    @lines.register
    def _(self, event: PhaseBegan) -> Iterable[str]:
        if event.phase == Phase.PHASE_SECOND_ROUND:
            self._bets.clear()
        yield from self._antes_told()
        if event.phase in PHASES:
            yield f"  -- {PHASES[event.phase]} (pot {self._pot}) --"

    @lines.register
    def _(self, event: TurnExpired) -> Iterable[str]:
        yield f"  {self._name(event.seat)} thinks too long:"

    @lines.register
    def _(self, event: PlayerLeaving) -> Iterable[str]:
        yield f"  {self._name(event.seat)} leaves the table"

    @lines.register
    def _(self, event: UncalledBetReturned) -> Iterable[str]:
        self._pot -= event.amount
        yield f"  {event.amount} that nobody called go back to {self._name(event.seat)}   (pot {self._pot})"

    @lines.register
    def _(self, event: StakeReturned) -> Iterable[str]:
        self._pot -= event.amount
        yield f"  {event.amount} go back to {self._name(event.seat)}"

    @lines.register
    def _(self, event: OpeningJudged) -> Iterable[str]:
        if event.split:
            yield f"  {self._name(event.seat)} says that he breaks the cards that opened"

    @lines.register
    def _(self, event: HandTabled | OpeningProved) -> Iterable[str]:
        yield f"  {self._name(event.seat)} lays down {self._cards(event.cards)}"

    @lines.register
    def _(self, event: HandShown) -> Iterable[str]:
        value = f"{event.value_it} / {event.value_en}"
        yield f"  {self._name(event.seat)} shows {self._cards(event.cards)}: {value}"

    @lines.register
    def _(self, event: PotAwarded) -> Iterable[str]:
        pot = "pot" if event.index == 0 else f"side pot {event.index}"
        self._pot -= sum(share.amount for share in event.shares)
        won = ", ".join(f"{self._name(share.seat)} wins {share.amount}" for share in event.shares)
        yield f"  {pot} of {event.amount}: {won}"

    @lines.register
    def _(self, event: HandEnded) -> Iterable[str]:
        if event.outcome in ENDS:
            text = ENDS[event.outcome]
            yield "  " + text.format(carried=event.carried, next=f"needs {event.next_requirement}")

    def _name(self, seat: int) -> str:
        return self._tale.names.get(seat, f"seat {seat}")

    def _cards(self, cards: Iterable[int]) -> str:
        return " ".join(self._card(card) for card in sorted(cards, reverse=True))
