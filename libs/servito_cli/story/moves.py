"""What seats do in a hand: acts, draws, and what their clocks and their decisions beforehand do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import singledispatchmethod

from servito_cli.story.chapter import Chapter
from servito_cli.story.wording import Wording
from servito_client.folding.chips import in_hand
from servito_client.folding.hand import PAYING
from servito_client.messages import (
    ActionKind,
    CardsDrawn,
    ClockRestored,
    Event,
    HandStarted,
    Phase,
    PreActionEnded,
    PreActionSet,
    SeatActed,
    TimeBankReturned,
    TimeBankUsed,
    TurnExpired,
)


class Moves(Chapter):
    """The acts of seats, and their clocks."""

    def __init__(self, says: Wording) -> None:
        super().__init__(says)
        self._drawn: Counter[int] = Counter()
        """How often each seat has got cards in this hand's draw."""

    @singledispatchmethod
    def told(self, _event: Event) -> Iterable[str]:
        return ()

    @told.register
    def _(self, _event: HandStarted) -> Iterable[str]:
        self._drawn.clear()
        return ()

    @told.register
    def _(self, event: SeatActed) -> Iterable[str]:
        if event.kind == ActionKind.ACTION_KIND_DRAW:
            yield self._draw(event)
            return
        move = self._says.line(self._move(event), event.seat, to=event.to)
        if event.kind not in PAYING:
            yield move
            return
        all_in = self._texts.all_in if in_hand(self._says.view, event.seat).all_in else ""
        yield move + all_in + self._says.pot()

    def _move(self, event: SeatActed) -> str:
        if event.kind == ActionKind.ACTION_KIND_CHECK:
            return self._texts.checks[event.word]
        if event.kind == ActionKind.ACTION_KIND_POST_BLIND:
            return self._texts.blinds[event.blind]
        conceding = self._says.view.hand.phase == Phase.PHASE_SHOWDOWN
        if event.kind == ActionKind.ACTION_KIND_FOLD and conceding:
            return self._texts.concedes
        return self._texts.moves[event.kind]

    def _draw(self, event: SeatActed) -> str:
        if not event.discarded:
            return self._says.line(self._texts.stands_pat, event.seat)
        own = self._says.own.get(event.seat)
        cards = self._says.some_cards(own.discards if own else (), event.discarded)
        return self._says.line(self._texts.throws, event.seat, cards=cards)

    @told.register
    def _(self, event: CardsDrawn) -> Iterable[str]:
        own = self._says.own.get(event.seat)
        turn = self._drawn[event.seat]
        self._drawn[event.seat] += 1
        cards = self._says.some_cards(own.drawn[turn] if own and turn < len(own.drawn) else (), event.count)
        owed = self._texts.owed if event.deferred else ""
        again = self._texts.reshuffled.format(count=event.reshuffled) if event.reshuffled else ""
        yield self._says.line(self._texts.gets, event.seat, cards=cards) + owed + again

    @told.register
    def _(self, event: TurnExpired) -> Iterable[str]:
        yield self._says.line(self._texts.expired, event.seat)

    @told.register
    def _(self, event: TimeBankUsed) -> Iterable[str]:
        seconds = round(event.ms / 1000)
        yield self._says.line(self._texts.time_bank, event.seat, seconds=seconds, left=event.left)

    @told.register
    def _(self, event: ClockRestored) -> Iterable[str]:
        yield self._says.line(self._texts.clock_restored, event.seat, seconds=round(event.ms / 1000))

    @told.register
    def _(self, event: TimeBankReturned) -> Iterable[str]:
        yield self._says.line(self._texts.time_bank_back, event.seat, left=event.left)

    @told.register
    def _(self, event: PreActionSet) -> Iterable[str]:
        sentence = self._texts.pre_actions[event.pre_action.kind]
        yield self._says.line(sentence, event.seat, amount=event.pre_action.amount)

    @told.register
    def _(self, event: PreActionEnded) -> Iterable[str]:
        if sentence := self._texts.pre_action_ends.get(event.reason):
            yield self._says.line(sentence, event.seat)
