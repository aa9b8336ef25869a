"""How a hand ends: what comes back, what is shown, who wins, and what is left for the next one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatchmethod

from servito_cli.story.chapter import Chapter
from servito_client.messages import (
    Event,
    HandEnded,
    HandShown,
    HandTabled,
    OpeningJudged,
    OpeningProved,
    Outcome,
    PotAwarded,
    StakeReturned,
    UncalledBetReturned,
)


class Ending(Chapter):
    """From the last bet to the next requirement."""

    @singledispatchmethod
    def told(self, _event: Event) -> Iterable[str]:
        return ()

    @told.register
    def _(self, event: UncalledBetReturned) -> Iterable[str]:
        yield self._says.line(self._texts.uncalled, event.seat, amount=event.amount) + self._says.pot()

    @told.register
    def _(self, event: StakeReturned) -> Iterable[str]:
        yield self._says.line(self._texts.returned, event.seat, amount=event.amount)

    @told.register
    def _(self, event: OpeningJudged) -> Iterable[str]:
        if event.split:
            yield self._says.line(self._texts.splits, event.seat)

    @told.register
    def _(self, event: HandTabled | OpeningProved) -> Iterable[str]:
        yield self._says.line(self._texts.lays_down, event.seat, cards=self._says.cards(event.cards))

    @told.register
    def _(self, event: HandShown) -> Iterable[str]:
        values = {"value_en": event.value_en, "value_it": event.value_it}
        yield self._says.line(self._texts.shows, event.seat, cards=self._says.cards(event.cards), **values)

    @told.register
    def _(self, event: PotAwarded) -> Iterable[str]:
        pot = self._texts.side_pot.format(index=event.index) if event.index else self._texts.pot_name
        wins = ", ".join(
            self._texts.wins.format(who=self._says.name(share.seat), amount=share.amount)
            for share in event.shares
        )
        yield "  " + self._texts.awarded.format(pot=pot, amount=event.amount, wins=wins)

    @told.register
    def _(self, event: HandEnded) -> Iterable[str]:
        ending = self._texts.ends.get(event.outcome, self._texts.odd_chips if event.carried else "")
        if not ending:
            return
        levels = event.next_requirement != self._says.view.hand.requirement
        opens = levels or event.outcome == Outcome.OUTCOME_PASSED_OUT
        needs = opens and event.next_requirement != "none"
        following = self._texts.next_opens.format(requirement=event.next_requirement) if needs else ""
        yield f"  {ending.format(carried=event.carried)}{following}."
