"""Whether the rules make of what was done what is stored: every commit of a hand is decided anew.

What a player or the dealer did is read off the first event, the command is decided by the core on the state
before it, and its events have to be those that are stored. Who may open and who wins is judged by the core's
own definition, not by what the evaluator said. Where cards are hidden, what they decide (the deal, the right
to open, whether an opening was broken) is taken as it is stored, and all that follows from it is not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from servito_core import commands as c
from servito_core import events as e
from servito_core.automatic import next_events
from servito_core.blinds import next_asked
from servito_core.drawing import leavers, most_discards
from servito_core.evolve import fold
from servito_core.hand import DECISIONS, waiting_for
from servito_core.refusals import Refused
from servito_core.state import SHOWDOWN, CardsNeeded, OpenersNeeded, SeatToAct, WinnersNeeded
from servito_replay.stands import with_told
from servito_script.judging import judge_openers, judge_winners

if TYPE_CHECKING:
    from servito_core.state import HandState

Events = tuple[e.Event, ...]


class NotSo(Exception):  # noqa: N818 - it says what is the case
    """The rules say otherwise. `place`: of the first event that differs, among those that were given."""

    def __init__(self, place: int, why: str) -> None:
        super().__init__(why)
        self.place = place
        self.why = why


def begun(hand: HandState, events: Events) -> HandState:
    """The state after the events that begin a hand, behind HandStarted. Raises NotSo. Who owes what is known
    from the hands before: it is taken as it is stored.
    """
    for place, event in enumerate(events):
        if isinstance(event, e.BlindsBegan):
            if not hand.blinds_allowed or next_asked(hand) is None or place + 1 < len(events):
                raise NotSo(place, f"nobody may be asked for a blind, and {event} is stored")
        elif not isinstance(event, e.ReentryPaid | e.AntePosted):
            raise NotSo(place, f"a hand begins with what its seats owe, and {event} is stored")
        hand = fold(hand, (event,))
    if hand.to_act is None and hand.blinds_allowed and next_asked(hand) is not None:
        raise NotSo(len(events), f"by the rules {e.BlindsBegan()} follows, and it is not stored")
    return hand


def decided(hand: HandState, events: Events, *, whole: bool) -> HandState:
    """The state after `events`, which the rules have to make of it, one command after the other. `whole`:
    their cards are the real ones. Raises NotSo.
    """
    done = 0
    while done < len(events):
        given = events[done:]
        try:
            made, hand = _made(hand, given, whole=whole)
        except (Refused, LookupError, ValueError) as error:
            raise NotSo(done, f"{given[0]} cannot be: {error}") from None
        for place, event in enumerate(made):
            if place >= len(given):
                raise NotSo(done + place, f"by the rules {event} follows, and it is not stored")
            if given[place] != event:
                raise NotSo(done + place, f"by the rules {event} follows, and {given[place]} is stored")
        done += len(made)
    return hand


def _made(hand: HandState, given: Events, *, whole: bool) -> tuple[Events, HandState]:
    """The events of the command that the first of `given` answers and all that follows by itself, and the
    state after them.
    """
    made: Events = ()
    hand = hand if whole else with_told(hand, given)
    following = _first(hand, given, whole=whole)
    while following:
        hand = fold(hand, following)
        hand = hand if whole else with_told(hand, given)
        made += following
        following = next_events(hand)
    return made, hand


def _first(hand: HandState, given: Events, *, whole: bool) -> Events:
    event = given[0]
    if isinstance(event, e.PlayerLeft) and _has_folded(hand, event.seat):
        return (event,)  # nothing follows from it in the hand
    if not whole and isinstance(event, _TAKEN):
        return _taken(hand, event)
    command = _command(hand, event)
    return DECISIONS[type(command)](hand, command)


_TAKEN: Final = (e.CardsDealt, e.CardsDrawn, e.Discarded, e.OpenersFound, e.OpeningJudged)
"""Events that hidden cards decide."""


def _taken(hand: HandState, event: e.Event) -> Events:
    """As it is stored, with the departures that waited for it, if the hand waits for such an event."""
    waiting = waiting_for(hand)
    match event, waiting:
        case e.CardsDealt(seats=seats), CardsNeeded(slot=None):
            if list(seats) != [player.seat for player in hand.players]:
                raise ValueError("cards are dealt to each seat of the hand, in dealing order")
            return (event, *leavers(hand))
        case e.CardsDrawn(seat=seat, entry=entry, cards=cards), CardsNeeded(slot=int(slot), count=count):
            if (seat, entry, len(cards)) != (hand.players[slot].seat, hand.entries, count):
                raise ValueError(f"seat {hand.players[slot].seat} gets {count} cards by entry {hand.entries}")
            return (event, *leavers(hand))
        case e.Discarded(seat=seat, cards=cards), SeatToAct():
            if len(cards) > most_discards(hand):
                raise ValueError(f"{most_discards(hand)} discards are allowed")
            return DECISIONS[c.Draw](hand, c.Draw(seat)) and (event,)
        case e.OpenersFound() | e.OpeningJudged(), OpenersNeeded():
            return (event,)
        case _:
            raise ValueError(f"the hand waits for {waiting}")


def _command(hand: HandState, event: e.Event) -> c.Command:
    """What was decided: read off its first event, or judged anew."""
    waiting = waiting_for(hand)
    if isinstance(event, e.StakeReturned) or (
        isinstance(event, e.HandEnded) and event.outcome is e.Outcome.VOID
    ):
        return c.Void()
    if isinstance(event, e.Folded) and hand.phase is SHOWDOWN:
        return c.Concede(event.seat)
    read = _COMMANDS.get(type(event))
    if read is not None:
        return read(event)
    if isinstance(waiting, OpenersNeeded):
        return judge_openers(hand, waiting)
    if isinstance(waiting, WinnersNeeded):
        return judge_winners(hand, waiting)
    raise ValueError(f"the hand waits for {waiting}")


_COMMANDS: Final[dict[type[e.Event], Callable[[Any], c.Command]]] = {
    e.TurnExpired: lambda event: c.ExpireTurn(event.seat),
    e.PlayerLeft: lambda event: c.Leave(event.seat),
    e.BlindPosted: lambda event: c.PostBlind(event.seat, event.blind, event.to),
    e.BlindCovered: lambda event: c.CoverBlind(event.seat),
    e.BlindDeclined: lambda event: c.DeclineBlind(event.seat),
    e.CardsDealt: lambda event: c.SupplyDeal(
        tuple(map(c.DealtTo, event.seats, event.cards, event.positions))
    ),
    e.CardsDrawn: lambda event: c.SupplyDraw(
        event.entry, c.DealtTo(event.seat, event.cards, event.positions), event.shuffled
    ),
    e.Passed: lambda event: c.Pass(event.seat),
    e.Opened: lambda event: c.Open(event.seat, event.to),
    e.Checked: lambda event: c.Check(event.seat, event.word),
    e.BetMade: lambda event: c.Bet(event.seat, event.to),
    e.Called: lambda event: c.Call(event.seat),
    e.RaisedTo: lambda event: c.RaiseTo(event.seat, event.to),
    e.Folded: lambda event: c.Fold(event.seat),
    e.Discarded: lambda event: c.Draw(event.seat, event.cards),
    e.HandTabled: lambda event: c.TableHand(event.seat),
}
"""By the event that a command begins with: the command."""


def _has_folded(hand: HandState, seat: int) -> bool:
    return any(player.folded for player in hand.players if player.seat == seat)
