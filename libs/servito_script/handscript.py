"""Runs hand scripts: whole hands with known cards, every assertion checked, the first difference told.

`run_text` and `run_script` are what the command and the tests call; the format is in `script`, the words
in `steps`.
"""

from __future__ import annotations

import json
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from servito_core import events as e
from servito_core.cards import deck_from, format_cards
from servito_core.commands import ExpireTurn
from servito_core.deals import FIRST, Entrant, NotEnoughPlayersError, after, start_hand
from servito_core.evolve import fold, replay
from servito_core.hand import legal_actions
from servito_core.refusals import Refused
from servito_core.state import Phase
from servito_script.case_result import CaseResult
from servito_script.fields import ScriptError
from servito_script.judging import play_on, serve
from servito_script.known_deck import KnownDeck
from servito_script.results import DifferenceError, check_equal, check_result
from servito_script.script import read_script
from servito_script.steps import command_of, legal_of, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from servito_core.cards import Card
    from servito_core.commands import Command
    from servito_core.events import Event
    from servito_core.state import HandState
    from servito_script.script import Deal, Script

ACTIONS = (
    e.TurnExpired,
    e.PlayerLeft,
    e.Passed,
    e.Opened,
    e.Checked,
    e.BetMade,
    e.Called,
    e.RaisedTo,
    e.Folded,
    e.Discarded,
    e.BlindPosted,
    e.BlindCovered,
    e.BlindDeclined,
)
"""The events of a step itself; the first other one is what the engine then does alone."""


def run_text(text: str, name: str) -> CaseResult:
    """Run the script in `text`; `name` stands for it where it has no readable one."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:  # no JSON, a number beyond all measure, or nested too deep
        return CaseResult(name, f"not JSON: {error}", "")
    own, title = (str(data.get(key) or "") if isinstance(data, dict) else "" for key in ("id", "title"))
    name = own or name
    try:
        run_script(read_script(data))
    except (ScriptError, DifferenceError) as error:
        return CaseResult(name, str(error), title)
    return CaseResult(name, "", title)


def run_script(script: Script) -> None:
    """Play every deal of a script; `DifferenceError` at the first thing that is not as it says."""
    table = _Table(script)
    for number, deal in enumerate(script.deals, 1):
        try:
            table.play(deal)
        except DifferenceError as error:
            raise DifferenceError(f"deal {number}, {error}") from error


class _Table:
    """What passes from deal to deal: stacks, who is still there, what one deal hands to the next."""

    def __init__(self, script: Script) -> None:
        self._rules = script.rules
        self._names = dict(enumerate(script.stacks))
        self._stacks = dict(enumerate(script.stacks.values()))
        self._between = FIRST

    def play(self, deal: Deal) -> None:
        """One deal from its antes to its result."""
        run = _Run(self._start(deal), deal, self._names)
        run.steps()
        hand = run.finish()
        for player in hand.players:
            self._stacks[player.seat] = player.stack
            if player.left:
                del self._stacks[player.seat]
        self._between = after(self._between, hand)

    def _start(self, deal: Deal) -> HandState:
        if self._between == FIRST:  # the script says where the first button is: it comes from the seat before
            seats = list(self._names.values())
            before = (seats.index(deal.button) if deal.button in seats else 0) - 1
            self._between = type(FIRST)(button=before % len(seats))
        entrants = [Entrant(seat, stack) for seat, stack in self._stacks.items()]
        try:
            events = start_hand(self._rules, entrants, self._between, len(entrants))
        except NotEnoughPlayersError as error:
            raise DifferenceError(str(error)) from error
        hand = replay(self._rules, events)
        check_equal("button", self._names[hand.button], deal.button)
        check_equal("opening level", hand.requirement, deal.opening)
        check_equal("seats dealt in", {self._names[p.seat] for p in hand.players}, set(deal.hands))
        return hand


class _Run:
    """One deal under way."""

    def __init__(self, hand: HandState, deal: Deal, names: Mapping[int, str]) -> None:
        self._names = names
        self._seats = {name: seat for seat, name in names.items()}
        self._deal = deal
        self._reshuffles = iter(deal.reshuffles)
        self._deck = KnownDeck(_order(hand, deal, self._names), self._reshuffle)
        self._events: list[Event] = []
        self._unlisted: list[dict[str, Any]] = []
        """Events that the script still has to list."""
        served, self._hand = serve(hand, self._deck)
        self._happened(served)

    def steps(self) -> None:
        """Every step of the deal."""
        for number, step in enumerate(self._deal.steps, 1):
            told = " ".join(str(step[key]) for key in ("seat", "do", "event", "to") if key in step)
            try:
                self._assertion(step) if "event" in step else self._action(step)
            except DifferenceError as error:
                raise DifferenceError(f"step {number} ({told}): {error}") from error

    def finish(self) -> HandState:
        """The ended hand, its result checked. The format has no step for tabling a hand: nobody concedes."""
        hand = self._hand
        while hand.phase is Phase.SHOWDOWN and hand.to_act is not None:
            self._perform(ExpireTurn(hand.players[hand.to_act].seat))
            hand = self._hand
        if hand.phase is not Phase.OVER:
            raise DifferenceError(f"after the last step: the hand is not over ({hand.phase.name.lower()})")
        self._nothing_unlisted()
        try:
            check_result(self._deal.result, hand, self._events, self._names)
        except DifferenceError as error:
            raise DifferenceError(f"result: {error}") from error
        return hand

    def _assertion(self, step: Mapping[str, Any]) -> None:
        """An event that the engine must have emitted since the last step, in order."""
        if not self._unlisted:
            raise DifferenceError("nothing of the kind happened")
        event = self._unlisted.pop(0)
        check_equal("event", event, {key: step.get(key) for key in event})

    def _action(self, step: Mapping[str, Any]) -> None:
        self._nothing_unlisted()
        seat = self._seats[step["seat"]]
        if "expect" in step:
            self._expect(seat, step["expect"])
        command = command_of(seat, step)
        if "refused" in step:
            self._refused(command, step["refused"])
            return
        before = self._hand
        played = self._perform(command)
        own = takewhile(lambda event: isinstance(event, ACTIONS), played)
        if "pot_after" in step:
            check_equal("pot", fold(before, own).pot, step["pot_after"])
        if "drawn" in step:
            drawn = [event for event in played if isinstance(event, e.CardsDrawn) and not event.deferred]
            cards = [card for event in drawn if event.seat == seat for card in event.cards]
            check_equal("drawn", format_cards(cards), step["drawn"])

    def _expect(self, seat: int, expected: Mapping[str, Any]) -> None:
        offer = legal_actions(self._hand, seat)
        if offer is None:
            raise DifferenceError("it is not the turn of this seat")
        if "to_call" in expected:
            check_equal("to call", offer.to_call, expected["to_call"])
        if "legal" in expected:
            check_equal("legal", legal_of(offer), expected["legal"])

    def _refused(self, command: Command, reason: str) -> None:
        try:
            play_on(self._hand, command, self._deck)
        except Refused as refusal:
            check_equal("refused", refusal.reason.value, reason)
        else:
            raise DifferenceError(f"refused: played it, script says {reason}")

    def _perform(self, command: Command) -> list[Event]:
        try:
            played, self._hand = play_on(self._hand, command, self._deck)
        except Refused as refusal:
            raise DifferenceError(f"refused ({refusal.reason}): {refusal.message}") from refusal
        self._happened(played)
        return played

    def _happened(self, events: Sequence[Event]) -> None:
        self._events.extend(events)
        for event in events:
            step = listed(event, self._names)
            if step is not None:
                self._unlisted.append(step)

    def _nothing_unlisted(self) -> None:
        if self._unlisted:
            raise DifferenceError(f"the script does not list {self._unlisted[0]}")

    def _reshuffle(self, dead: list[Card]) -> Sequence[Card]:
        """The order that the script gives to the next refill; in any order when it gives none."""
        size, order = next(self._reshuffles, (len(dead), tuple(dead)))
        check_equal("size of the reshuffled pool", len(dead), size)
        check_equal("reshuffled cards", format_cards(sorted(dead)), format_cards(sorted(order)))
        return order


def _order(hand: HandState, deal: Deal, names: Mapping[int, str]) -> list[Card]:
    """The whole deck so that everybody gets his hand: one card at a time, then the stock, then the rest."""
    hands = [deal.hands[names[player.seat]] for player in hand.players]
    given = [*(hand_[i] for i in range(5) for hand_ in hands if i < len(hand_)), *deal.stock]
    deck = deck_from(hand.lowest_rank)
    if any(len(cards) != 5 for cards in hands) or len(set(given)) < len(given) or not set(given) <= set(deck):
        raise DifferenceError(
            f"hands are five cards each and the stock goes on with others, all of the deck from "
            f"{format_cards(deck[:1])} to {format_cards(deck[-1:])}"
        )
    return given + [card for card in deck if card not in given]
