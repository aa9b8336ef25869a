"""From events to states: the one place where states are made (`ARCHITECTURE`: evolve).

`evolve` copies the state and lets the change of that event work on the copy, so a state that somebody holds
never changes; only `apply` changes a hand in place, for callers who hold it alone. What each event changes is
in `changes`; `phases` says which of them move the phase.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from servito_core import events as e
from servito_core.cards import DECK_SIZE
from servito_core.changes import betting, cards, chips, progress
from servito_core.state import HandState, PlayerState

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito_core.events import Event, HandStarted
    from servito_core.rules import RuleSet

CHANGES: dict[type[Event], Callable[[HandState, Any], None]] = {
    e.ReentryPaid: chips.reentry_paid,
    e.AntePosted: chips.ante_posted,
    e.BlindsBegan: progress.blinds_began,
    e.BlindPosted: chips.blind_posted,
    e.BlindCovered: chips.blind_covered,
    e.BlindDeclined: chips.blind_declined,
    e.BlindsClosed: progress.blinds_closed,
    e.CardsDealt: cards.cards_dealt,
    e.OpenersFound: progress.openers_found,
    e.FirstRoundBegan: progress.first_round_began,
    e.TurnExpired: progress.nothing,
    e.PlayerLeft: progress.player_left,
    e.Passed: betting.passed,
    e.Opened: betting.opened,
    e.Checked: betting.checked,
    e.BetMade: betting.bet_made,
    e.Called: betting.called,
    e.RaisedTo: betting.raised_to,
    e.Folded: betting.folded,
    e.UncalledBetReturned: chips.uncalled_bet_returned,
    e.DrawBegan: progress.draw_began,
    e.Discarded: cards.discarded,
    e.OpeningJudged: cards.opening_judged,
    e.CardsDrawn: cards.cards_drawn,
    e.DeferredDrawBegan: progress.deferred_draw_began,
    e.SecondRoundBegan: progress.second_round_began,
    e.ShowdownBegan: progress.showdown_began,
    e.HandTabled: cards.hand_tabled,
    e.HandShown: cards.hand_shown,
    e.OpeningProved: progress.nothing,
    e.PotAwarded: chips.pot_awarded,
    e.StakeReturned: chips.stake_returned,
    e.HandEnded: progress.hand_ended,
}
"""Every event but `HandStarted`, which has no state before it; a test compares with `events.Event`."""


def begin(rules: RuleSet, started: HandStarted) -> HandState:
    """The state after the first event of a hand."""
    return HandState(
        rules=rules,
        number=started.number,
        button=started.button,
        lowest_rank=started.lowest_rank,
        requirement=started.requirement,
        raised=started.raised,
        carried=started.carried,
        players=[PlayerState(seat, stack) for seat, stack in zip(started.seats, started.stacks, strict=True)],
        pot=started.carried,
        stock=DECK_SIZE - 4 * (started.lowest_rank - 2),
        blinds_allowed=started.blinds,
        unshared=(1 << len(started.seats)) - 1,
    )


def evolve(state: HandState, event: Event) -> HandState:
    """The state after `event`; the given state stays as it is."""
    return fold(state, (event,))


def fold(state: HandState, events: Iterable[Event]) -> HandState:
    """The state after all of `events`, in order; the given state stays as it is."""
    hand = state.copied()
    apply(hand, events)
    return hand


def apply(hand: HandState, events: Iterable[Event]) -> None:
    """Change a hand that nobody else holds as `events` say."""
    for event in events:
        CHANGES[type(event)](hand, event)


def replay(rules: RuleSet, events: Iterable[Event]) -> HandState:
    """The state of a hand from all its events, the first of them `HandStarted`."""
    first, *others = events
    if not isinstance(first, e.HandStarted):
        raise TypeError(f"a hand begins with HandStarted, not with {type(first).__name__}")
    hand = begin(rules, first)
    apply(hand, others)
    return hand
