"""How much and by whom: ranges, reopening, counts (`RULES.md B3`; RR and MR entries of poker_bugs.json)."""

from __future__ import annotations

import pytest

from servito_core.events import Opened, RaisedTo, UncalledBetReturned
from servito_core.hand import play
from tests.core.hand.driven import Driven

ACES, KINGS, QUEENS = "Ah Ad Jc Ts 9h", "Kh Kd Jd Th 9d", "Qh Qd Js Td 9c"
LAST: dict[str, object] = {"ante": 10, "raise.min": "last_increment"}
UNIT: dict[str, object] = {"ante": 10}


def _second_round(options: dict[str, object], stacks: list[int], opening: int) -> Driven:
    """Everybody calls the opening and stands pat; no pot limit in the way."""
    hands = dict(enumerate((ACES, KINGS, QUEENS)[: len(stacks)]))
    game = Driven(options | {"bet.limit": "none"}, stacks, hands=hands)
    game.do(f"0 open {opening}", *(f"{seat} call" for seat in range(1, len(stacks))))
    game.do(*(f"{seat} draw" for seat in range(len(stacks))))
    return game


@pytest.mark.parametrize(("options", "raise_"), [(LAST, [70, 70]), (UNIT, [50, 70])])
def test_all_in_between_call_and_least_raise(options: dict[str, object], raise_: list[int]) -> None:
    """RR-03: a stack above the call may always go all-in; nobody else has chips, so no raise follows."""
    game = _second_round(options, [400, 90 + 30], 40)
    assert game.hand.pot == 100
    game.do("0 bet 40")
    assert game.legal == {"fold": True, "call": 40, "raise": raise_}
    assert game.refused("1 raise 80") == "above_maximum"
    if raise_[0] > 60:
        assert game.refused("1 raise 60") == "below_minimum"
    else:
        assert play(game.hand, game.command("1 raise 60"))
    game.do("1 raise 70")
    assert game.legal == {"fold": True, "call": 30}


def test_a_call_is_cut_to_the_stack_but_what_is_to_call_is_not() -> None:
    """RR-05: 35 behind against 120; the other 85 go back."""
    game = _second_round(UNIT, [400, 110], 65)
    game.do("0 bet 120")
    assert game.legal == {"fold": True, "call": 35}
    game.do("1 call")
    assert game.over
    assert game.of(UncalledBetReturned) == [UncalledBetReturned(0, 85)]
    assert sum(amount for amount, _, _ in game.pots) == 220


def test_all_in_is_an_empty_stack_and_nothing_else() -> None:
    """RR-07: a call that leaves ten chips does not make a seat all-in."""
    game = _second_round(UNIT, [140, 80], 20)
    game.do("0 bet 40", "1 call")
    assert game.over
    assert [player.all_in for player in game.hand.players] == [False, False]


@pytest.mark.parametrize(("options", "least"), [(LAST, 40), (UNIT, 30)])
def test_least_raise_over_a_first_bet(options: dict[str, object], least: int) -> None:
    """MR-01: over a bet of 20, to 40 by the last increment, to 30 by the unit."""
    game = _second_round(options, [500, 500, 500], 20)
    game.do("0 bet 20")
    assert game.legal["raise"][0] == least


def test_the_pot_limit_counts_chips_not_yet_called() -> None:
    """MR-02: the cap is bet + (all in the middle + the call)."""
    game = Driven(UNIT, [900] * 5, hands={0: ACES})
    assert game.legal["open"] == [10, 50]
    assert game.refused("0 open 51") == "above_maximum"
    game.do("0 open 50")
    assert game.legal["raise"][1] == 200
    game.do("1 call")
    assert game.legal["raise"][1] == 250


def test_antes_are_dead_money() -> None:
    """MR-04: not part of the round's totals, always part of the pot."""
    game = Driven({"ante": 5}, [100, 100, 100], hands={0: ACES})
    game.do("0 open 15")
    assert game.stacks[0] == 80
    assert game.hand.pot == 30
    assert game.legal["call"] == 15


@pytest.mark.parametrize(("options", "least"), [(LAST, 100), (UNIT, 70)])
def test_amounts_are_totals_never_increments(options: dict[str, object], least: int) -> None:
    """MR-05: raising from 20 to 140 costs 120, and the event says both."""
    game = Driven(options, [500] * 4, hands={0: ACES})
    game.do("0 open 20", "1 raise 60", "2 fold", "3 fold")
    assert game.legal["raise"] == [least, 220]
    game.do("0 raise 140")
    assert game.stacks[0] == 350
    assert game.of(Opened) == [Opened(0, 20, 20)]
    assert game.of(RaisedTo) == [RaisedTo(1, 60, 60), RaisedTo(0, 140, 120)]
    assert game.hand.pot == 40 + 60 + 140


def test_a_ceiling_below_the_least_bet_leaves_the_least() -> None:
    """B3: the range is then that one amount."""
    game = Driven({"ante": 1, "bet.min": 9}, [100] * 3, hands={0: ACES})
    assert game.legal["open"] == [9, 9]


def test_a_stack_below_the_least_may_go_all_in() -> None:
    """B3: opening, bet and raise."""
    game = Driven({"ante": 1, "bet.min": 9}, [5, 100, 100], hands={0: ACES})
    assert game.legal["open"] == [4, 4]


def test_only_opening_and_first_bet_are_limited_by_the_pot() -> None:
    """`bet.limit=pot_open_only`: raises are free."""
    game = Driven({"bet.limit": "pot_open_only"}, hands={0: ACES})
    assert game.legal["open"] == [1, 4]
    game.do("0 open 4")
    assert game.legal["raise"] == [5, 99]
    game.do("1 call", "2 fold", "3 fold", "0 draw", "1 draw")
    assert game.legal["bet"] == [1, 12]


def test_no_limit_but_the_stack() -> None:
    """`bet.limit=none`."""
    game = Driven({"bet.limit": "none"}, hands={0: ACES})
    assert game.legal["open"] == [1, 99]


def test_raises_are_counted_without_opening_and_first_bet() -> None:
    """`raise.max_count` holds for each round on its own."""
    twice = Driven({"raise.max_count": 2}, hands={0: ACES})
    twice.do("0 open 2", "1 raise 4")
    assert "raise" in twice.legal
    game = Driven({"raise.max_count": 1}, hands={0: ACES})
    game.do("0 open 2", "1 raise 4")
    assert game.legal == {"fold": True, "call": 4}
    game.do("2 fold", "3 fold", "0 call", "0 draw", "1 draw", "0 bet 2")
    assert "raise" in game.legal


SHORT = {"ante": 5, "raise.min": "last_increment", "bet.reopen": "full_raise_only"}


def test_a_short_opening_gives_full_rights() -> None:
    """B3: an all-in opening below the least takes no right from anybody."""
    game = Driven(SHORT, [8, 300, 300], hands={0: ACES})
    game.do("0 open 3")
    assert game.legal == {"fold": True, "call": 3, "raise": [8, 24]}


def test_a_short_first_bet_gives_full_rights_to_who_had_checked() -> None:
    """B3: in the second round as in the first."""
    game = Driven(SHORT, [300, 23, 300], hands={0: ACES})
    game.do("0 open 15", "1 call", "2 call", "0 draw", "1 draw", "2 draw", "0 check", "1 bet 3", "2 call")
    assert game.legal == {"fold": True, "call": 3, "raise": [8, 72]}


def test_a_raise_of_exactly_the_least_is_full() -> None:
    """`bet.reopen=full_raise_only`: it gives everybody the right to raise again."""
    game = Driven(SHORT, [500] * 3, hands={0: ACES})
    game.do("0 open 10", "1 raise 20", "2 call")
    assert game.legal["raise"][0] == 30


def test_a_short_raise_binds_who_has_spoken_until_a_full_one() -> None:
    """`bet.reopen=full_raise_only`: call and fold only; after a full raise everybody may raise again."""
    game = Driven(SHORT, [500, 33, 500, 500], hands={0: ACES})
    game.do("0 open 20", "1 raise 28", "2 call", "3 call")
    assert game.legal == {"fold": True, "call": 8}
    game = Driven(SHORT, [500, 33, 500, 500], hands={0: ACES})
    game.do("0 open 20", "1 raise 28", "2 raise 60", "3 fold")
    assert "raise" in game.legal


def test_who_called_the_last_full_bet_is_bound_by_a_short_raise() -> None:
    """`bet.reopen=full_raise_only`: a call speaks too; "full" is measured from the last full raise."""
    game = Driven(SHORT, [500, 500, 33, 500], hands={0: ACES})
    game.do("0 open 20", "1 call", "2 raise 28", "3 call", "0 call")
    assert game.legal == {"fold": True, "call": 8}
    game = Driven(SHORT, [500, 500, 500, 53], hands={0: ACES})
    game.do("0 open 20", "1 raise 40", "2 call", "3 raise 48", "0 call")
    assert game.legal == {"fold": True, "call": 8}


def test_any_raise_gives_full_rights_by_default() -> None:
    """`bet.reopen=any_raise`."""
    game = Driven({"ante": 5, "raise.min": "last_increment"}, [500, 33, 500], hands={0: ACES})
    game.do("0 open 15", "1 raise 28", "2 call")
    assert "raise" in game.legal
