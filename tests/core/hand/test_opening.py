"""The opening and the deals in which nobody opens (`RULES.md B2`)."""

from __future__ import annotations

import pytest

from servito_core import events as e
from servito_core.deals import Between
from servito_core.events import Outcome
from tests.core.hand.driven import Driven

ACES, JACKS = "Ah Ad Jc 9h 9s", "Jh Jd As 9d 9c"
LOW = {0: "Ks Qs Tc 8h 7s", 1: "Kc Qc Ts 8c 7c", 2: "Kd Qd Th 8d 7d", 3: "Kh Qh Td 8s 7h"}
PASSES = ("0 pass", "1 pass", "2 pass", "3 pass")


def test_the_last_seat_is_asked_too() -> None:
    """TO-07: all pass to the button, who holds jacks and may open; only his pass ends the deal."""
    game = Driven({}, hands={3: JACKS, 0: ACES})
    game.do(*PASSES[:3])
    assert game.to_act == 3
    assert game.legal == {"pass": True, "open": [1, 4]}
    game.do("3 pass")
    assert game.hand.outcome is Outcome.PASSED_OUT
    assert game.hand.pot == 4


def test_only_who_holds_the_requirement_may_open() -> None:
    """B2: refused with a reason of its own, and the offer does not name it."""
    game = Driven({}, hands={0: LOW[0]})
    assert game.legal == {"pass": True}
    assert game.refused("0 open 2") == "openers_required"


def test_a_pass_is_not_a_fold() -> None:
    """B2: who passed may call or raise once somebody opened."""
    game = Driven({}, hands={0: ACES, 1: LOW[1], 2: JACKS, 3: LOW[3]})
    game.do("0 pass", "1 pass", "2 open 2", "3 fold")
    assert game.to_act == 0
    assert set(game.legal) == {"fold", "call", "raise"}


def test_with_pass_is_out_the_opening_folds_who_had_passed() -> None:
    """`open.pass=is_out`: from the opening on; if everybody had passed, the last seat wins the antes."""
    game = Driven({"open.pass": "is_out"}, hands={0: ACES, 1: LOW[1], 2: JACKS, 3: LOW[3]})
    game.do("0 pass", "1 pass", "2 open 2")
    assert [event.seat for event in game.of(e.Folded)] == [0, 1]
    assert game.to_act == 3
    game = Driven({"open.pass": "is_out"}, hands={3: ACES, 0: LOW[0]})
    game.do(*PASSES[:3], "3 open 2")
    assert game.hand.outcome is Outcome.UNCONTESTED
    assert game.stacks == [99, 99, 99, 103]


def test_without_an_opening_pass_is_out_folds_nobody() -> None:
    """`open.pass=is_out`: the last seat is still asked, and a deal that goes on keeps everybody."""
    game = Driven({"open.pass": "is_out"}, [1, 50, 50, 50], hands={0: ACES, 1: LOW[1], 2: LOW[2], 3: LOW[3]})
    game.do("1 pass", "2 pass", "3 pass")
    assert game.to_act == 0
    assert not game.of(e.Folded)


def test_an_obliged_opener_may_not_pass_but_time_passes_for_him() -> None:
    """`open.obliged`, and B8: a time-out passes even then."""
    game = Driven({"open.obliged": True}, hands={0: ACES, 1: LOW[1]})
    assert game.legal == {"open": [1, 4]}
    assert game.refused("0 pass") == "action_not_available"
    game.do("0 timeout")
    assert game.legal == {"pass": True}


def test_an_all_in_seat_keeps_a_deal_that_nobody_opens() -> None:
    """B2: its share has to be settled now; the deal goes on as if all had checked, left of the button
    first.
    """
    game = Driven({"ante": 2}, [2, 50, 50, 50], hands={0: ACES, 1: LOW[1], 2: LOW[2], 3: LOW[3]})
    game.do("1 pass", "2 pass", "3 pass", "0 draw", "1 draw", "2 draw", "3 draw")
    assert game.to_act == 1
    game.do("1 bet 2")
    assert game.hand.opener is None


def test_when_all_are_all_in_there_is_nothing_to_open() -> None:
    """B2: they draw and show, left of the button first."""
    game = Driven({"ante": 5}, [5, 5, 3], hands={0: ACES, 1: "Kh Kd Qc Th 9d", 2: "Ks Qs Jd Ts 8h"})
    assert game.to_act == 0
    game.do("0 draw", "1 draw", "2 draw")
    assert game.over
    assert [event.seat for event in game.of(e.HandShown)] == [0, 1, 2]
    assert game.pots == [(9, {0, 1, 2}, {0: 9}), (4, {0, 1}, {0: 4})]


@pytest.mark.parametrize(
    ("escalation", "levels"),
    [
        ("QQ_KK_stay", ["JJ", "QQ", "KK", "KK"]),
        ("none", ["JJ", "JJ"]),
        ("QQ_only", ["JJ", "QQ", "QQ"]),
        ("QQ_KK_AA_stay", ["JJ", "QQ", "KK", "AA", "AA"]),
        ("cycle_JQK", ["JJ", "QQ", "KK", "JJ", "QQ"]),
        ("cycle_JQKA", ["JJ", "QQ", "KK", "AA", "JJ"]),
    ],
)
def test_the_level_rises_with_each_passed_out_deal(escalation: str, levels: list[str]) -> None:
    """`passout.escalation`; the pot grows by the antes, and a raised deal is one above the first level."""
    game = Driven({"passout.escalation": escalation}, hands=LOW)
    for number, level in enumerate(levels):
        assert game.hand.requirement == level
        assert game.hand.raised == (level != "JJ")
        assert game.hand.pot == 4 * (number + 1)
        while not game.over:
            game.do(f"{game.to_act} pass")
        game = game.next(hands=LOW)


def test_a_level_off_the_ladder_stays() -> None:
    """`passout.escalation`: aces are no step of the default ladder."""
    game = Driven({"open.requirement": "AA"}, hands=LOW)
    game.do(*PASSES)
    assert (game.hand.next_requirement, game.hand.next_raised) == ("AA", False)


def _raised_deal(options: dict[str, object], hands: dict[int, str]) -> Driven:
    """A deal at queens, after one that was passed out."""
    game = Driven(options, hands=LOW)
    game.do(*PASSES)
    return game.next(hands=hands)


def test_the_level_falls_back_when_the_pot_is_awarded() -> None:
    """`passout.reset=pot_awarded`: not by an opening whose pot is carried over."""
    for reset, level in (("pot_awarded", "QQ"), ("on_open", "JJ")):
        game = _raised_deal({"parola.mode": "carry_over", "passout.reset": reset}, {1: ACES, 2: JACKS})
        game.do("1 open 2", "2 call", "3 fold", "0 fold", "1 draw", "2 draw", "1 check", "2 check")
        assert game.hand.outcome is Outcome.CARRIED_OVER
        assert game.hand.next_requirement == level
    game = _raised_deal({}, {1: ACES})
    game.do("1 open 2", "2 fold", "3 fold", "0 fold")
    assert (game.hand.next_requirement, game.hand.next_raised) == ("JJ", False)


def test_a_pot_awarded_without_an_opening_resets_too() -> None:
    """`passout.reset=on_open`: everybody but one leaves before anybody opens."""
    game = _raised_deal({"passout.reset": "on_open"}, {1: ACES})
    game.do("2 leave", "3 leave", "0 leave")
    assert game.hand.outcome is Outcome.UNCONTESTED
    assert game.hand.next_requirement == "JJ"
    assert game.pots == [(8, {1}, {1: 8})]


def test_antes_after_a_passed_out_deal() -> None:
    """`passout.reante`: all again, or none; the pot stays in either case."""
    assert _raised_deal({}, {}).hand.pot == 8
    game = _raised_deal({"passout.reante": "none"}, {})
    assert game.hand.pot == 4
    assert not game.of(e.AntePosted)


def test_draws_may_not_count_in_raised_deals() -> None:
    """`open.draw_in_raised_deals`."""
    one_end = {1: "Ah Kh Qs Jc 8d"}
    options: dict[str, object] = {"open.draw": "straight_oe"}
    assert "open" in _raised_deal(options, {1: "9h Tc Js Qd 7h"}).legal
    assert (
        "open"
        not in _raised_deal(options | {"open.draw_in_raised_deals": False}, {1: "9h Tc Js Qd 7h"}).legal
    )
    assert "open" not in _raised_deal(options, one_end).legal


def test_the_opener_proves_an_uncalled_opening() -> None:
    """IL-04, `open.proof`: he shows the cards that qualified him as dealt, also when they were thrown away
    since.
    """
    options: dict[str, object] = {"open.proof": "show_on_uncalled_win"}
    game = Driven(options, hands={0: "Jh Jd Ac 9h 9s", 1: LOW[1]})
    game.do("0 open 2", "1 call", "2 fold", "3 fold", "0 draw Jh Jd", "1 draw", "0 bet 4", "1 fold")
    assert game.of(e.OpeningProved) == [e.OpeningProved(0, game.hand.players[0].openers)]
    assert len(game.hand.players[0].openers) == 4
    game = Driven(options, hands={0: "Jh Jd Ac 9h 9s", 1: LOW[1]})
    game.do("0 open 2", "1 raise 5", "2 fold", "3 fold", "0 fold")
    assert not game.of(e.OpeningProved)


def test_without_a_requirement_the_round_is_an_ordinary_one() -> None:
    """`open.requirement=none`: nobody passes; each may check or bet, and if all check they draw."""
    game = Driven({"open.requirement": "none"}, hands=LOW)
    assert game.legal == {"check": True, "bet": [1, 4]}
    assert game.refused("0 pass") == "action_not_available"
    game.do("0 check", "1 check", "2 check", "3 check")
    assert game.legal == {"draw": [0, 4]}
    assert not game.of(e.OpenersFound)


def test_the_first_level_stands_in_the_first_deal() -> None:
    """B2: whatever `Between` leaves open."""
    assert Driven({"open.requirement": "KK"}, between=Between()).hand.requirement == "KK"
