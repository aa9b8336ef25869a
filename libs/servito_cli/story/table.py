"""What happens around the hands: seats, the waiting list, other rules, and the course of the table."""

from __future__ import annotations

from collections.abc import Iterable
from functools import singledispatchmethod

from servito_cli.story.chapter import Chapter
from servito_client.messages import (
    CarriedReturned,
    Event,
    PauseReason,
    PlayerLeaving,
    PlayerSat,
    PlayerStood,
    RuleChange,
    RulesAccepted,
    RulesAgreed,
    RulesChanged,
    RulesLapsed,
    RulesProposed,
    RulesRefused,
    SatIn,
    SatOut,
    SeatOffered,
    StandReason,
    TableClosed,
    TableClosing,
    TablePaused,
    TableResumed,
    ToppedUp,
    TopUpAsked,
    WaitingJoined,
    WaitingLeft,
    hand_runs,
)


class AroundTheHands(Chapter):
    """Events that no hand has to run for."""

    @singledispatchmethod
    def told(self, _event: Event) -> Iterable[str]:
        return ()

    @told.register
    def _(self, event: PlayerLeaving) -> Iterable[str]:
        yield self._says.line(self._texts.leaves, event.seat)

    @told.register
    def _(self, event: PlayerSat) -> Iterable[str]:
        yield "  " + self._texts.sits.format(who=event.player, amount=event.buy_in)

    @told.register
    def _(self, event: PlayerStood) -> Iterable[str]:
        removed = event.reason == StandReason.STAND_REASON_REMOVED
        sentence = self._texts.removed if removed else self._texts.stands
        yield "  " + sentence.format(who=event.player, amount=event.cashed_out)

    @told.register
    def _(self, event: SatOut) -> Iterable[str]:
        if sentence := self._texts.sits_out.get(event.reason):
            yield self._says.line(sentence, event.seat)

    @told.register
    def _(self, event: SatIn) -> Iterable[str]:
        yield self._says.line(self._texts.sits_in, event.seat)

    @told.register
    def _(self, event: TopUpAsked) -> Iterable[str]:
        yield self._says.line(self._texts.top_up_asked, event.seat, amount=event.amount)

    @told.register
    def _(self, event: ToppedUp) -> Iterable[str]:
        if event.amount:
            yield self._says.line(self._texts.topped_up, event.seat, amount=event.amount)

    @told.register
    def _(self, event: WaitingJoined) -> Iterable[str]:
        yield "  " + self._texts.waits.format(who=event.player)

    @told.register
    def _(self, event: WaitingLeft) -> Iterable[str]:
        if sentence := self._texts.waits_no_more.get(event.reason):
            yield "  " + sentence.format(who=event.player)

    @told.register
    def _(self, event: SeatOffered) -> Iterable[str]:
        yield "  " + self._texts.offered.format(
            who=event.player, seat=event.seat, seconds=event.open_ms // 1000
        )

    @told.register
    def _(self, event: RulesProposed) -> Iterable[str]:
        yield "  " + self._texts.proposes.format(who=event.player, rules=_rules(event.changes))

    @told.register
    def _(self, event: RulesAgreed) -> Iterable[str]:
        yield self._says.line(self._texts.agrees, event.seat)

    @told.register
    def _(self, event: RulesRefused) -> Iterable[str]:
        yield self._says.line(self._texts.refuses, event.seat)

    @told.register
    def _(self, _event: RulesAccepted) -> Iterable[str]:
        yield f"  {self._texts.accepted}"

    @told.register
    def _(self, event: RulesLapsed) -> Iterable[str]:
        if sentence := self._texts.lapsed.get(event.reason):
            yield f"  {sentence}"

    @told.register
    def _(self, event: RulesChanged) -> Iterable[str]:
        yield "  " + self._texts.changed.format(rules=_rules(event.changes))

    @told.register
    def _(self, event: TablePaused) -> Iterable[str]:
        yield f"  {self._texts.held if _of_maintenance(event) else self._texts.paused}"

    @told.register
    def _(self, event: TableResumed) -> Iterable[str]:
        yield f"  {self._texts.released if _of_maintenance(event) else self._texts.resumed}"

    @told.register
    def _(self, _event: TableClosing) -> Iterable[str]:
        if hand_runs(self._says.view):
            yield f"  {self._texts.closing}"

    @told.register
    def _(self, event: CarriedReturned) -> Iterable[str]:
        for share in event.shares:
            yield "  " + self._texts.carried_back.format(who=share.player, amount=share.amount)

    @told.register
    def _(self, _event: TableClosed) -> Iterable[str]:
        yield f"  {self._texts.closed}"


def _of_maintenance(event: TablePaused | TableResumed) -> bool:
    return bool(event.reason == PauseReason.PAUSE_REASON_MAINTENANCE)


def _rules(changes: Iterable[RuleChange]) -> str:
    return ", ".join(f"{change.option} {change.before} -> {change.after}" for change in changes)
