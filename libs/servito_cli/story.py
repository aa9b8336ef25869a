"""A table told so that a player can follow it: from its events to lines of text.

Pure: no printing, no connection. Here: what is told of each event, and when. What the events leave out (the
pot, who is all in) is read from the table that they are folded into (`servito_client.following`); the
sentences are in `texts`. The events are those that one viewer gets; the cards of seats whose players agree to
it (in the demo all, being our bots) come beside them. What cannot be known is told as a number of cards.
Changes with the events of table.proto."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import singledispatchmethod

from servito_cli.texts import TEXTS, Language
from servito_cli.texts.form import StoryTexts
from servito_cli.words import CardText, suit_signs, written
from servito_client.bots.own_cards import OwnCards
from servito_client.following import PAYING, Following
from servito_client.messages import (
    ActionKind,
    AntePosted,
    CardsDealt,
    CardsDrawn,
    CarriedReturned,
    Event,
    HandEnded,
    HandShown,
    HandStarted,
    HandTabled,
    OpeningJudged,
    OpeningProved,
    Outcome,
    Phase,
    PhaseBegan,
    PlayerLeaving,
    PlayerSat,
    PlayerStood,
    PotAwarded,
    PreActionEnded,
    PreActionSet,
    ReentryPaid,
    RuleChange,
    RulesAccepted,
    RulesAgreed,
    RulesChanged,
    RulesLapsed,
    RulesProposed,
    RulesRefused,
    SatIn,
    SatOut,
    SeatActed,
    SeatOffered,
    SeatView,
    StakeReturned,
    StandReason,
    TableClosed,
    TableClosing,
    TableConfig,
    TablePaused,
    TableResumed,
    TableView,
    TimeBankReturned,
    TimeBankUsed,
    ToppedUp,
    TopUpAsked,
    TurnExpired,
    UncalledBetReturned,
    WaitingJoined,
    WaitingLeft,
    hand_runs,
)
from servito_client.table_rules import rule_of

ENGLISH = TEXTS[Language.EN].story


@dataclass(frozen=True, slots=True)
class Tale:
    """What there is to tell: a hand's events from HandStarted to HandEnded, and who sat where.

    `config` is that of the table: what it is called and which rules it plays."""

    config: TableConfig
    names: Mapping[int, str]
    events: Sequence[Event]
    own: Mapping[int, OwnCards] = field(default_factory=dict)


def tell(tale: Tale, card_text: CardText = suit_signs, texts: StoryTexts = ENGLISH) -> list[str]:
    """The hand in lines without ends; amounts are chips, and bets totals of the betting round."""
    seats = [SeatView(seat=seat, player=name) for seat, name in tale.names.items()]
    table = Following(view=TableView(config=tale.config, seats=seats))
    teller = Teller(table, texts, card_text, tale.own)
    return [line for event in tale.events for line in teller.lines(event)]


class Teller:
    """Tells event after event, and folds each into `table` before it does.

    `own` holds the cards of seats that may be told; it may grow while the hand is played."""

    def __init__(
        self,
        table: Following,
        texts: StoryTexts,
        card_text: CardText = suit_signs,
        own: Mapping[int, OwnCards] | None = None,
    ) -> None:
        self._table, self._texts, self._card = table, texts, card_text
        self._own = own if own is not None else {}
        self._antes: list[int] = []
        self._drawn: Counter[int] = Counter()
        """How often each seat has got cards in this draw."""

    def lines(self, event: Event) -> list[str]:
        """What one event is worth telling: often one line, sometimes none."""
        self._table.event(event)
        return list(self._told(event))

    @singledispatchmethod
    def _told(self, _event: Event) -> Iterable[str]:
        return ()

    @_told.register
    def _(self, event: HandStarted) -> Iterable[str]:
        self._antes, self._drawn = [], Counter()
        yield self._texts.begins.format(
            table=self._table.view.config.name,
            number=event.number,
            players=len(event.seats),
            cards=4 * (15 - event.lowest_rank),
            ranks=self._texts.ranks[event.lowest_rank],
            opens=self._opens(event),
        )
        carried = self._texts.carried.format(amount=event.carried) if event.carried else ""
        yield "  " + self._texts.button.format(who=self._name(event.button)) + carried

    def _opens(self, event: HandStarted) -> str:
        if event.requirement == "none":
            return self._texts.opens_any
        config = self._table.view.config
        counts = not event.raised or rule_of(config, "open.draw_in_raised_deals") == "true"
        besides = self._texts.opens_draw.get(rule_of(config, "open.draw"), "") if counts else ""
        return self._texts.opens_with.format(requirement=event.requirement) + besides

    @_told.register
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
        live = rule_of(self._table.view.config, "ante.live") == "true"
        yield f"  {antes}{self._texts.antes_live if live else ''}{self._pot()}"
        self._antes = []

    @_told.register
    def _(self, event: ReentryPaid) -> Iterable[str]:
        yield self._line(self._texts.reentry, event.seat, amount=event.amount)

    @_told.register
    def _(self, _event: CardsDealt) -> Iterable[str]:
        yield from self._antes_told()
        seats = self._table.view.hand.seats
        dealt = {seat.seat: own.dealt for seat in seats if (own := self._own.get(seat.seat)) and own.dealt}
        if len(dealt) < 2:
            yield f"  {self._texts.dealt}"
        for seat in seats:
            if len(dealt) > 1 or seat.seat in dealt:
                cards = self._cards(dealt[seat.seat]) if seat.seat in dealt else self._texts.five_cards
                yield f"    {self._name(seat.seat):<10} {seat.stack + seat.paid:>6}   {cards}"

    @_told.register
    def _(self, event: SeatActed) -> Iterable[str]:
        if event.kind == ActionKind.ACTION_KIND_DRAW:
            yield self._draw(event)
            return
        move = self._line(self._move(event), event.seat, to=event.to)
        if event.kind not in PAYING:
            yield move
            return
        yield move + (self._texts.all_in if self._table.in_hand(event.seat).all_in else "") + self._pot()

    def _move(self, event: SeatActed) -> str:
        if event.kind == ActionKind.ACTION_KIND_CHECK:
            return self._texts.checks[event.word]
        if event.kind == ActionKind.ACTION_KIND_POST_BLIND:
            return self._texts.blinds[event.blind]
        conceding = self._table.view.hand.phase == Phase.PHASE_SHOWDOWN
        if event.kind == ActionKind.ACTION_KIND_FOLD and conceding:
            return self._texts.concedes
        return self._texts.moves[event.kind]

    def _draw(self, event: SeatActed) -> str:
        if not event.discarded:
            return self._line(self._texts.stands_pat, event.seat)
        own = self._own.get(event.seat)
        cards = self._some(own.discards if own else (), event.discarded)
        return self._line(self._texts.throws, event.seat, cards=cards)

    @_told.register
    def _(self, event: CardsDrawn) -> Iterable[str]:
        own = self._own.get(event.seat)
        turn = self._drawn[event.seat]
        self._drawn[event.seat] += 1
        cards = self._some(own.drawn[turn] if own and turn < len(own.drawn) else (), event.count)
        owed = self._texts.owed if event.deferred else ""
        again = self._texts.reshuffled.format(count=event.reshuffled) if event.reshuffled else ""
        yield self._line(self._texts.gets, event.seat, cards=cards) + owed + again

    @_told.register
    def _(self, event: PhaseBegan) -> Iterable[str]:
        yield from self._antes_told()
        if phase := self._texts.phases.get(event.phase):
            yield "  " + self._texts.heading.format(phase=phase, pot=self._table.view.hand.pot)

    @_told.register
    def _(self, event: TurnExpired) -> Iterable[str]:
        yield self._line(self._texts.expired, event.seat)

    @_told.register
    def _(self, event: TimeBankUsed) -> Iterable[str]:
        yield self._line(self._texts.time_bank, event.seat, seconds=round(event.ms / 1000), left=event.left)

    @_told.register
    def _(self, event: TimeBankReturned) -> Iterable[str]:
        yield self._line(self._texts.time_bank_back, event.seat, left=event.left)

    @_told.register
    def _(self, event: PreActionSet) -> Iterable[str]:
        sentence = self._texts.pre_actions[event.pre_action.kind]
        yield self._line(sentence, event.seat, amount=event.pre_action.amount)

    @_told.register
    def _(self, event: PreActionEnded) -> Iterable[str]:
        if sentence := self._texts.pre_action_ends.get(event.reason):
            yield self._line(sentence, event.seat)

    @_told.register
    def _(self, event: PlayerLeaving) -> Iterable[str]:
        yield self._line(self._texts.leaves, event.seat)

    @_told.register
    def _(self, event: PlayerSat) -> Iterable[str]:
        yield "  " + self._texts.sits.format(who=event.player, amount=event.buy_in)

    @_told.register
    def _(self, event: PlayerStood) -> Iterable[str]:
        removed = event.reason == StandReason.STAND_REASON_REMOVED
        sentence = self._texts.removed if removed else self._texts.stands
        yield "  " + sentence.format(who=event.player, amount=event.cashed_out)

    @_told.register
    def _(self, event: SatOut) -> Iterable[str]:
        if sentence := self._texts.sits_out.get(event.reason):
            yield self._line(sentence, event.seat)

    @_told.register
    def _(self, event: SatIn) -> Iterable[str]:
        yield self._line(self._texts.sits_in, event.seat)

    @_told.register
    def _(self, event: TopUpAsked) -> Iterable[str]:
        yield self._line(self._texts.top_up_asked, event.seat, amount=event.amount)

    @_told.register
    def _(self, event: ToppedUp) -> Iterable[str]:
        if event.amount:
            yield self._line(self._texts.topped_up, event.seat, amount=event.amount)

    @_told.register
    def _(self, event: WaitingJoined) -> Iterable[str]:
        yield "  " + self._texts.waits.format(who=event.player)

    @_told.register
    def _(self, event: WaitingLeft) -> Iterable[str]:
        if sentence := self._texts.waits_no_more.get(event.reason):
            yield "  " + sentence.format(who=event.player)

    @_told.register
    def _(self, event: SeatOffered) -> Iterable[str]:
        yield "  " + self._texts.offered.format(
            who=event.player, seat=event.seat, seconds=event.open_ms // 1000
        )

    @_told.register
    def _(self, event: UncalledBetReturned) -> Iterable[str]:
        yield self._line(self._texts.uncalled, event.seat, amount=event.amount) + self._pot()

    @_told.register
    def _(self, event: StakeReturned) -> Iterable[str]:
        yield self._line(self._texts.returned, event.seat, amount=event.amount)

    @_told.register
    def _(self, event: OpeningJudged) -> Iterable[str]:
        if event.split:
            yield self._line(self._texts.splits, event.seat)

    @_told.register
    def _(self, event: HandTabled | OpeningProved) -> Iterable[str]:
        yield self._line(self._texts.lays_down, event.seat, cards=self._cards(event.cards))

    @_told.register
    def _(self, event: HandShown) -> Iterable[str]:
        values = {"value_en": event.value_en, "value_it": event.value_it}
        yield self._line(self._texts.shows, event.seat, cards=self._cards(event.cards), **values)

    @_told.register
    def _(self, event: PotAwarded) -> Iterable[str]:
        pot = self._texts.side_pot.format(index=event.index) if event.index else self._texts.pot_name
        wins = ", ".join(
            self._texts.wins.format(who=self._name(share.seat), amount=share.amount) for share in event.shares
        )
        yield "  " + self._texts.awarded.format(pot=pot, amount=event.amount, wins=wins)

    @_told.register
    def _(self, event: HandEnded) -> Iterable[str]:
        ending = self._texts.ends.get(event.outcome, self._texts.odd_chips if event.carried else "")
        if not ending:
            return
        levels = event.next_requirement != self._table.view.hand.requirement
        opens = levels or event.outcome == Outcome.OUTCOME_PASSED_OUT
        needs = opens and event.next_requirement != "none"
        following = self._texts.next_opens.format(requirement=event.next_requirement) if needs else ""
        yield f"  {ending.format(carried=event.carried)}{following}."

    @_told.register
    def _(self, event: RulesProposed) -> Iterable[str]:
        yield "  " + self._texts.proposes.format(who=event.player, rules=_rules(event.changes))

    @_told.register
    def _(self, event: RulesAgreed) -> Iterable[str]:
        yield self._line(self._texts.agrees, event.seat)

    @_told.register
    def _(self, event: RulesRefused) -> Iterable[str]:
        yield self._line(self._texts.refuses, event.seat)

    @_told.register
    def _(self, _event: RulesAccepted) -> Iterable[str]:
        yield f"  {self._texts.accepted}"

    @_told.register
    def _(self, event: RulesLapsed) -> Iterable[str]:
        if sentence := self._texts.lapsed.get(event.reason):
            yield f"  {sentence}"

    @_told.register
    def _(self, event: RulesChanged) -> Iterable[str]:
        yield "  " + self._texts.changed.format(rules=_rules(event.changes))

    @_told.register
    def _(self, _event: TablePaused) -> Iterable[str]:
        yield f"  {self._texts.paused}"

    @_told.register
    def _(self, _event: TableResumed) -> Iterable[str]:
        yield f"  {self._texts.resumed}"

    @_told.register
    def _(self, _event: TableClosing) -> Iterable[str]:
        if hand_runs(self._table.view):
            yield f"  {self._texts.closing}"

    @_told.register
    def _(self, event: CarriedReturned) -> Iterable[str]:
        for share in event.shares:
            yield "  " + self._texts.carried_back.format(who=share.player, amount=share.amount)

    @_told.register
    def _(self, _event: TableClosed) -> Iterable[str]:
        yield f"  {self._texts.closed}"

    def _line(self, sentence: str, seat: int, **values: object) -> str:
        return "  " + sentence.format(who=self._name(seat), **values)

    def _name(self, seat: int) -> str:
        return self._table.name(seat) or self._texts.seat.format(seat=seat)

    def _pot(self) -> str:
        return self._texts.pot.format(pot=self._table.view.hand.pot)

    def _some(self, known: Sequence[int], count: int) -> str:
        """The cards where they are known, else their number."""
        if known:
            return self._cards(known)
        return self._texts.one_card if count == 1 else self._texts.some_cards.format(count=count)

    def _cards(self, cards: Iterable[int]) -> str:
        return written(cards, self._card)


def _rules(changes: Iterable[RuleChange]) -> str:
    return ", ".join(f"{change.option} {change.before} -> {change.after}" for change in changes)
