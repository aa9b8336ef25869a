"""How a hand begins: who plays under which rules, antes, the five cards; and where a new phase begins."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatchmethod
from typing import Final

from servito_cli.story.chapter import Chapter
from servito_cli.story.wording import Wording
from servito_client.messages import (
    AntePosted,
    CardsDealt,
    DeckCommitted,
    Event,
    HandStarted,
    PhaseBegan,
    ReentryPaid,
    RefillCommitted,
)
from servito_client.table_rules import rule_of

SIGNS: Final = 16
"""Of a root; the whole of it is in the record (`servito hand export`)."""


class Deal(Chapter):
    """The antes are kept until all are in, and told in one line."""

    def __init__(self, says: Wording) -> None:
        super().__init__(says)
        self._antes: list[int] = []
        """Those that are posted and not told yet."""

    @singledispatchmethod
    def told(self, _event: Event) -> Iterable[str]:
        return ()

    @told.register
    def _(self, event: HandStarted) -> Iterable[str]:
        self._antes = []
        yield self._texts.begins.format(
            table=self._says.view.config.name,
            number=event.number,
            players=len(event.seats),
            cards=4 * (15 - event.lowest_rank),
            ranks=self._texts.ranks[event.lowest_rank],
            opens=self._opens(event),
        )
        carried = self._texts.carried.format(amount=event.carried) if event.carried else ""
        yield "  " + self._texts.button.format(who=self._says.name(event.button)) + carried

    def _opens(self, event: HandStarted) -> str:
        if event.requirement == "none":
            return self._texts.opens_any
        config = self._says.view.config
        counts = not event.raised or rule_of(config, "open.draw_in_raised_deals") == "true"
        besides = self._texts.opens_draw.get(rule_of(config, "open.draw"), "") if counts else ""
        return self._texts.opens_with.format(requirement=event.requirement) + besides

    @told.register
    def _(self, event: AntePosted) -> Iterable[str]:
        self._antes.append(event.amount)
        return ()

    def _antes_told(self) -> Iterable[str]:
        if not self._antes:
            return
        if len(set(self._antes)) == 1:
            antes = self._texts.antes_equal.format(amount=self._antes[0])
        else:
            antes = self._texts.antes_listed.format(amounts=", ".join(map(str, self._antes)))
        live = rule_of(self._says.view.config, "ante.live") == "true"
        yield f"  {antes}{self._texts.antes_live if live else ''}{self._says.pot()}"
        self._antes = []

    @told.register
    def _(self, event: ReentryPaid) -> Iterable[str]:
        yield self._says.line(self._texts.reentry, event.seat, amount=event.amount)

    @told.register
    def _(self, event: DeckCommitted) -> Iterable[str]:
        yield from self._antes_told()
        yield "  " + self._texts.sealed.format(root=event.root.hex()[:SIGNS])

    @told.register
    def _(self, event: RefillCommitted) -> Iterable[str]:
        yield "  " + self._texts.refill_sealed.format(count=event.size, root=event.root.hex()[:SIGNS])

    @told.register
    def _(self, _event: CardsDealt) -> Iterable[str]:
        yield from self._antes_told()
        seats = self._says.view.hand.seats
        own = {seat.seat: self._says.own.get(seat.seat) for seat in seats}
        dealt = {seat: cards.dealt for seat, cards in own.items() if cards and cards.dealt}
        if len(dealt) < 2:
            yield f"  {self._texts.dealt}"
        for seat in seats:
            if len(dealt) > 1 or seat.seat in dealt:
                cards = self._says.cards(dealt[seat.seat]) if seat.seat in dealt else self._texts.five_cards
                yield f"    {self._says.name(seat.seat):<10} {seat.stack + seat.paid:>6}   {cards}"

    @told.register
    def _(self, event: PhaseBegan) -> Iterable[str]:
        yield from self._antes_told()
        if phase := self._texts.phases.get(event.phase):
            yield "  " + self._texts.heading.format(phase=phase, pot=self._says.view.hand.pot)
