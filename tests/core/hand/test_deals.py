"""Antes, decks, who is dealt in (`RULES.md B1`)."""

from __future__ import annotations

import pytest

from servito_core import events as e
from servito_core.deals import (
    FIRST,
    Between,
    Entrant,
    NotEnoughPlayersError,
    after,
    can_start,
    is_short,
    start_hand,
)
from servito_core.events import HandStarted
from servito_core.rules import RuleSet
from tests.core.hand.driven import Driven

ACES = "Ah Ad Jc Ts 9h"


def _started(
    options: dict[str, object], stacks: list[int], between: Between = FIRST, seats: int = 0
) -> HandStarted:
    entrants = [Entrant(seat, stack) for seat, stack in enumerate(stacks)]
    first = start_hand(RuleSet.from_options(options), entrants, between, seats or len(entrants))[0]
    assert isinstance(first, HandStarted)
    return first


def _antes(options: dict[str, object], stacks: list[int]) -> dict[int, int]:
    return {event.seat: event.amount for event in Driven(options, stacks).of(e.AntePosted)}


def test_who_pays_which_ante() -> None:
    """`ante.scheme`; short stacks pay what they have."""
    stacks = [100, 1, 100, 3]
    assert _antes({"ante": 2}, stacks) == {0: 2, 1: 1, 2: 2, 3: 2}
    assert _antes({"ante": 2, "ante.scheme": "dealer_double"}, stacks) == {0: 2, 1: 1, 2: 2, 3: 3}
    assert _antes({"ante": 2, "ante.scheme": "dealer_only"}, stacks) == {3: 2}


def test_a_buttons_greater_ante_belongs_to_the_lowest_layer() -> None:
    """B7: whoever is all-in for less plays for it."""
    options = {"ante": 2, "ante.scheme": "dealer_double"}
    game = Driven(options, [100, 100, 2], button=0, hands={1: "Kh Kd Qc Jh Th", 2: ACES})
    game.do("1 open 4", "0 call", "1 draw", "2 draw", "0 draw", "1 check", "0 check")
    assert [(amount, eligible) for amount, eligible, _ in game.pots] == [(8, {0, 1, 2}), (8, {0, 1})]


def test_a_buttons_greater_ante_buys_no_higher_layer() -> None:
    """B7: all-in with its double ante the button plays for the lowest layer alone."""
    options = {"ante": 2, "ante.scheme": "dealer_double"}
    game = Driven(options, [4, 100, 100], button=0, hands={0: ACES, 1: "Kh Kd Qc Jh Th"})
    game.do("1 open 2", "2 call", "1 draw", "2 draw", "0 draw", "1 check", "2 check")
    assert [(amount, eligible) for amount, eligible, _ in game.pots] == [(8, {0, 1, 2}), (4, {1, 2})]


@pytest.mark.parametrize("short", ["sit_out", "rebuy"])
def test_a_short_stack_may_not_be_dealt_in(short: str) -> None:
    """`ante.short`: measured against the ante, whatever the scheme asks of the button."""
    for scheme in ("all_equal", "dealer_double", "dealer_only"):
        options: dict[str, object] = {"ante": 4, "ante.short": short, "ante.scheme": scheme}
        assert _started(options, [100, 3, 100, 4]).seats == (2, 3, 0)
    assert is_short(RuleSet(ante=4), 3)
    assert not is_short(RuleSet(ante=4), 4)


def test_a_seat_without_chips_is_never_dealt_in() -> None:
    """B1, and fewer than two seats make no deal."""
    assert _started({}, [100, 0, 100]).seats == (2, 0)
    with pytest.raises(NotEnoughPlayersError):
        _started({}, [100, 0])
    assert can_start(RuleSet(), [Entrant(0, 100), Entrant(5, 1)], FIRST)
    assert not can_start(RuleSet(), [Entrant(0, 100), Entrant(5, 0)], FIRST)


def test_live_antes_are_part_of_the_round() -> None:
    """`ante.live`: to stay one levels the button's double; he may still raise when nobody did."""
    live: dict[str, object] = {
        "ante": 2,
        "ante.live": True,
        "ante.scheme": "dealer_double",
        "open.requirement": "none",
    }
    game = Driven(live, [100, 100, 100])
    assert game.legal == {"fold": True, "call": 2, "raise": [6, 14]}
    game.do("0 call", "1 fold")
    assert (game.to_act, game.legal) == (2, {"check": True, "raise": [6, 14]})
    game.do("2 check", "0 draw", "2 draw")
    assert game.legal == {"check": True, "bet": [2, 10]}


def test_the_level_of_live_antes_is_what_was_really_paid() -> None:
    """`ante.live`: the button's stake was short."""
    live: dict[str, object] = {
        "ante": 2,
        "ante.live": True,
        "ante.scheme": "dealer_double",
        "open.requirement": "none",
    }
    game = Driven(live, [100, 100, 3])
    assert game.legal == {"fold": True, "call": 1, "raise": [5, 11]}


def test_an_ante_is_no_bet_for_the_last_increment() -> None:
    """`ante.live`: the first bet over it is a raise, and counts as one."""
    live: dict[str, object] = {"ante": 4, "ante.live": True, "open.requirement": "none", "bet.min": 1}
    game = Driven(live | {"raise.min": "last_increment", "raise.max_count": 1}, [100] * 3)
    assert game.legal == {"check": True, "raise": [5, 16]}
    game.do("0 raise 5")
    assert game.legal == {"fold": True, "call": 1}


@pytest.mark.parametrize(
    ("options", "lowest"),
    [
        ({}, 7),
        ({"deck": "full52"}, 2),
        ({"deck": "fixed", "deck.lowest": "5", "players.max": 6}, 5),
        ({"deck.players": "seated"}, 5),
        ({"deck.players": "at_creation"}, 7),
    ],
)
def test_which_cards_are_played_with(options: dict[str, object], lowest: int) -> None:
    """`deck`, `deck.players`: four are dealt in, six are seated."""
    assert _started(options, [100] * 4, seats=6).lowest_rank == lowest


def test_the_deck_of_the_first_deal_may_stay() -> None:
    """`deck.players=at_creation`: for good."""
    options: dict[str, object] = {"deck.players": "at_creation", "open.requirement": "none"}
    game = Driven(options, [100] * 4)
    game.do("0 check", "1 check", "2 bet 1", "3 fold", "0 fold", "1 fold")
    between = after(game.before, game.hand)
    assert between.deck_players == 4
    assert _started(options, [100] * 3, between).lowest_rank == 7
    assert _started(options, [100] * 6, between).lowest_rank == 7
    assert _started(options, [100] * 9, between).lowest_rank == 7


def test_who_does_not_fit_the_deck_of_the_first_deal_waits_in_turn() -> None:
    """`deck.players=at_creation`: 24 cards are four hands; who sits right before the button waits."""
    options: dict[str, object] = {"deck.players": "at_creation", "players.max": 10}
    waited = []
    for button in range(6):
        dealt = _started(options, [100] * 6, Between(button=button - 1, deck_players=2))
        assert (dealt.lowest_rank, dealt.button, len(dealt.seats)) == (9, button, 4)
        assert dealt.seats[-1] == button
        waited.append(sorted(set(range(6)) - set(dealt.seats)))
    assert waited == [[4, 5], [0, 5], [0, 1], [1, 2], [2, 3], [3, 4]]
    crowd = _started(options, [100] * 10, Between(button=3, deck_players=2))
    assert (crowd.button, crowd.seats) == (4, (5, 6, 7, 4))
    fits = _started(options, [100] * 4, Between(button=3, deck_players=2))
    assert fits.seats == (1, 2, 3, 0)


def test_who_must_pay_to_come_back_waits_before_others() -> None:
    """`deck.players=at_creation`, `parola.reentry`: who is still in a carried pot is dealt in first."""
    options: dict[str, object] = {
        "deck.players": "at_creation",
        "parola.mode": "carry_over",
        "parola.reentry": "pay_difference",
    }
    carried = Between(button=5, deck_players=2, carried=20, dues={0: 0, 1: 5, 2: 0, 4: 0}, others_due=5)
    assert _started(options, [100] * 6, carried).seats == (1, 2, 4, 0)


def test_with_ten_players_the_button_sits_out() -> None:
    """`players.ten`: it is not dealt in and pays no ante; the others speak from its left."""
    started = _started({"players.max": 10}, [100] * 10, Between(button=3))
    assert started.button == 4
    assert started.seats == (5, 6, 7, 8, 9, 0, 1, 2, 3)
    everybody = _started({"players.max": 10, "players.ten": "all_play"}, [100] * 10, Between(button=3))
    assert everybody.seats == (5, 6, 7, 8, 9, 0, 1, 2, 3, 4)
    nine = _started({"players.max": 10}, [100] * 9, Between(button=3))
    assert nine.seats[-1] == 4


def test_deals_are_numbered() -> None:
    """One after the other, from 1, whatever came of them."""
    game = Driven({}, hands={0: ACES})
    game.do("0 open 1", "1 fold", "2 fold", "3 fold")
    assert (game.hand.number, game.next().hand.number) == (1, 2)
