"""Between deals: who is dealt in, the button, the deck, the antes, and what one deal hands to the next
(`RULES.md B1`).

The opening level is in `levels`, what re-entry after a carried pot costs in `reentry`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING

from servito_core.blinds import next_asked
from servito_core.cards import deck_from
from servito_core.events import AntePosted, BlindsBegan, HandStarted, Outcome, ReentryPaid
from servito_core.evolve import begin, fold
from servito_core.reentry import admitted, dues

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servito_core.events import Event
    from servito_core.rules import RuleSet
    from servito_core.state import HandState


class NotEnoughPlayersError(Exception):
    """Fewer than two seats can be dealt in."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A seated player who wants to be dealt in, with the chips in front of him."""

    seat: int
    stack: int


@dataclass(frozen=True, slots=True)
class Between:
    """What one deal hands to the next; `FIRST` before the first deal of a table."""

    button: int | None = None
    """The last button. None: the lowest seat gets the first one; to draw it by lot, name the seat before."""
    carried: int = 0
    requirement: str = ""
    """Opening level of the next deal; empty is the first level of the rules."""
    raised: bool = False
    number: int = 0
    """Deals dealt so far."""
    outcome: Outcome | None = None
    """How the last deal ended that was not void."""
    deck_players: int = 0
    """How many players the deck of the table's first deal was for (`deck.players=at_creation`)."""
    dues: Mapping[int, int] = field(default_factory=dict)
    """What each of these seats must add to the carried pot to be dealt in (`parola.reentry`)."""
    others_due: int | None = 0
    """The same for any other seat; None: it is not dealt in."""


FIRST = Between()


def start_hand(
    rules: RuleSet, entrants: Sequence[Entrant], between: Between, seats: int
) -> tuple[Event, ...]:
    """The events that begin the next deal, up to where the hand waits; `NotEnoughPlayersError` if none is
    possible.

    `seats`: how many players are seated, sitting out or not (`deck.players=seated`).
    """
    playing = _playing(rules, entrants, between)
    if len(playing) < 2:
        raise NotEnoughPlayersError(f"a deal needs two players with chips, not {len(playing)}")
    button = _next_button(rules, list(playing), between)
    order = _who_fits(rules, between, playing, button)
    stacks = {entrant.seat: entrant.stack for entrant in entrants}
    started = HandStarted(
        number=between.number + 1,
        button=button,
        lowest_rank=rules.lowest_rank(deck_players(rules, between, seats, len(order))),
        requirement=between.requirement or rules.open_requirement,
        raised=between.raised,
        carried=between.carried,
        seats=tuple(order),
        stacks=tuple([stacks[seat] for seat in order]),
        blinds=_blinds_allowed(rules, between, len(order)),
    )
    events: list[Event] = [started, *_entry_money(rules, between, started, playing)]
    if started.blinds and next_asked(fold(begin(rules, started), events[1:])) is not None:
        events.append(BlindsBegan())
    return tuple(events)


def can_start(rules: RuleSet, entrants: Sequence[Entrant], between: Between) -> bool:
    """Whether `start_hand` would begin a deal."""
    return len(_playing(rules, entrants, between)) >= 2


def is_short(rules: RuleSet, stack: int) -> bool:
    """Whether a stack is below the ante, whatever the scheme asks of the button (`ante.short`)."""
    return stack < rules.ante


def deck_players(rules: RuleSet, between: Between, seats: int, dealt_in: int) -> int:
    """How many players the deck is for (`deck.players`)."""
    match rules.deck_players:
        case "dealt_in":
            return dealt_in
        case "seated":
            return seats
        case "at_creation":
            return between.deck_players or dealt_in


def after(before: Between, ended: HandState) -> Between:
    """What the ended hand, which began from `before`, hands to the next deal; a void one repeats what held
    for it.
    """
    others_due, seat_dues = dues(ended, before)
    return Between(
        button=ended.button,
        carried=ended.pot,
        requirement=ended.next_requirement,
        raised=ended.next_raised,
        number=ended.number,
        outcome=before.outcome if ended.outcome is Outcome.VOID else ended.outcome,
        deck_players=before.deck_players or len(ended.players),
        dues=seat_dues,
        others_due=others_due,
    )


def _playing(rules: RuleSet, entrants: Sequence[Entrant], between: Between) -> dict[int, int]:
    """The seats in the next deal, ascending, and what re-entry costs each: those with chips, short of the
    ante only where that is allowed.
    """
    least = 1 if rules.ante_short == "all_in" else rules.ante
    solvent = [entrant for entrant in entrants if entrant.stack >= least]
    solvent.sort(key=attrgetter("seat"))
    return admitted(rules, solvent, between)


def _next_button(rules: RuleSet, seats: Sequence[int], between: Between) -> int:
    """Clockwise to the next seat dealt in; the same again after a passed-out deal where the rules say so."""
    last = between.button
    if last is None:
        return seats[0]
    stays = rules.button_next == "same_after_passout" and between.outcome is Outcome.PASSED_OUT
    if stays and last in seats:
        return last
    return next((seat for seat in seats if seat > last), seats[0])


def _who_fits(rules: RuleSet, between: Between, due: Mapping[int, int], button: int) -> list[int]:
    """Those of the seats in `due` for whom the deck has five cards, from the button's left to the button.

    With ten players the button sits out (`players.ten`). A deck that stays that of fewer players
    (`deck.players=at_creation`) leaves out who would have to pay to come back, then who sits right before the
    button: it moves on, so everybody waits in turn.
    """
    order = [seat for seat in due if seat > button] + [seat for seat in due if seat <= button]
    if rules.deck_players == "at_creation" and between.deck_players:
        room = len(deck_from(rules.lowest_rank(between.deck_players))) // 5
        by_claim = sorted(order[:-1], key=lambda seat: due[seat] > 0)
        order = [seat for seat in order if seat == button or seat in by_claim[: room - 1]]
    if len(order) == 10 and rules.players_ten == "dealer_sits_out":
        order.pop()
    return order


def _entry_money(
    rules: RuleSet, between: Between, started: HandStarted, due: Mapping[int, int]
) -> Iterator[Event]:
    """Re-entry and antes, in speaking order."""
    anted = between.outcome is not Outcome.PASSED_OUT or rules.passout_reante == "all"
    of_button, of_others = _antes(rules) if anted else (0, 0)
    for seat, stack in zip(started.seats, started.stacks, strict=True):
        if due[seat]:
            yield ReentryPaid(seat, due[seat])
        ante = min(of_button if seat == started.button else of_others, stack - due[seat])
        if ante:
            yield AntePosted(seat, ante)


def _antes(rules: RuleSet) -> tuple[int, int]:
    """What the button and any other seat owe (`ante.scheme`)."""
    match rules.ante_scheme:
        case "all_equal":
            return rules.ante, rules.ante
        case "dealer_double":
            return 2 * rules.ante, rules.ante
        case "dealer_only":
            return rules.ante, 0


def _blinds_allowed(rules: RuleSet, between: Between, players: int) -> int:
    """How many blinds may follow one another: the over-blind needs four players (`RULES.md B6`)."""
    if between.raised and rules.passout_blind == "only_first_level":
        return 0
    if between.outcome is Outcome.CARRIED_OVER and rules.parola_next_blind == "forbidden":
        return 0
    return min(rules.blind_depth, 3 if players >= 4 else 2)
