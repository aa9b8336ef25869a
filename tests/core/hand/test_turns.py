"""Who is asked when, and who has the button (`RULES.md B1`, `B5`; TO and DB entries of poker_bugs.json)."""

from __future__ import annotations

import pytest

from servito_core import events as e
from servito_core.commands import Pass
from servito_core.deals import Between
from servito_core.evolve import replay
from servito_core.hand import play
from servito_core.refusals import Reason, Refused
from tests.core.hand.driven import Driven

ACES, KINGS, QUEENS, JACKS = "Ah Ad Jc Ts 9h", "Kh Kd Ac Th 9d", "Qh Qd Js Td 9c", "Jh Jd Qc Tc 8h"


def test_a_folded_button_is_not_asked_again() -> None:
    """TO-01: neither to draw nor in the second round."""
    game = Driven({}, hands={0: ACES, 1: KINGS})
    game.do("0 open 2", "1 call", "2 fold", "3 fold", "0 draw", "1 draw", "0 check", "1 check")
    assert game.over


def test_an_all_in_seat_draws_but_does_not_bet() -> None:
    """TO-02: seven chips for an ante of ten play for 21."""
    game = Driven({"ante": 10}, [7, 70, 70], hands={0: ACES, 1: KINGS, 2: "8h 8s Qc Jd Tc"})
    assert game.to_act == 1
    game.do("1 open 27", "2 call")
    assert game.to_act == 0
    game.do("0 draw", "1 draw", "2 draw", "1 check", "2 check")
    assert game.pots[0] == (21, {0, 1, 2}, {0: 21})
    assert game.stacks == [21, 93, 33]


def test_who_checked_is_asked_after_a_bet() -> None:
    """TO-03: everybody else folded, the first seat still has to answer."""
    game = Driven({}, hands={0: ACES, 1: KINGS, 2: QUEENS, 3: "Jh Jd Tc 8h 8s"})
    game.do("0 open 2", "1 call", "2 call", "3 call", *(f"{seat} draw" for seat in range(4)))
    game.do("0 check", "1 bet 10", "2 fold", "3 fold")
    assert game.to_act == 0
    assert game.legal == {"fold": True, "call": 10, "raise": [11, 42]}


def test_the_closing_call_closes_the_round() -> None:
    """TO-06: check, bet, call: the showdown follows at once."""
    game = Driven({}, [100, 100], hands={0: ACES, 1: "Kh Kd Qc Th 9d"})
    game.do("0 open 2", "1 call", "0 draw", "1 draw", "0 check", "1 bet 2")
    assert [type(event) for event in game.do("0 call")][:2] == [e.Called, e.ShowdownBegan]


def test_a_hand_won_by_folds_says_who_won_and_shows_nothing() -> None:
    """TO-08, IL-04: before and after the draw."""
    for lines in (
        ("0 open 2", "1 fold", "2 fold"),
        ("0 open 2", "1 call", "2 fold", "0 draw", "1 draw", "0 bet 2", "1 fold"),
    ):
        game = Driven({}, [100] * 3, hands={0: ACES})
        game.do(*lines)
        assert game.hand.outcome == "uncontested"
        assert [winners for _, winners, _ in game.pots] == [{0}]
        assert not game.of(e.HandShown)


def test_the_button_skips_who_sits_out() -> None:
    """DB-01: it moves with every deal to the next seat that is dealt in."""
    between, buttons = Between(), []
    for _ in range(4):
        game = Driven({}, {1: 100, 2: 100}, between=between)
        buttons.append(game.hand.button)
        between = Between(button=game.hand.button)
    assert buttons == [1, 2, 1, 2]


def test_the_button_passes_over_a_lost_stack() -> None:
    """DB-02: button at 0, seat 1 loses all: 2, then 3; who speaks first follows."""
    game = Driven({}, {0: 100, 2: 100, 3: 100}, between=Between(button=0))
    assert (game.hand.button, game.to_act) == (2, 3)
    game = Driven({}, {0: 100, 2: 100, 3: 100}, between=Between(button=2))
    assert (game.hand.button, game.to_act) == (3, 0)


def test_the_same_button_after_a_passed_out_deal() -> None:
    """`button.next=same_after_passout`: unless that seat is not dealt in any more."""
    game = Driven({"button.next": "same_after_passout"}, hands={0: ACES})
    game.do("0 pass", "1 pass", "2 pass", "3 pass")
    assert game.next().hand.button == 3
    assert game.next(sitting_out=[3]).hand.button == 0


LEADERS = {0: "Ks Qs Tc 8h 7s", 1: ACES, 2: KINGS, 3: QUEENS}


@pytest.mark.parametrize(("first", "leader"), [("opener", 1), ("last_aggressor", 2), ("left_of_dealer", 0)])
def test_who_leads_the_second_round(first: str, leader: int) -> None:
    """`round2.first`: opener, last aggressor, left of the button."""
    game = Driven({"round2.first": first}, hands=LEADERS)
    game.do(
        "0 pass",
        "1 open 2",
        "2 raise 6",
        "3 call",
        "0 call",
        "1 call",
        *(f"{seat} draw" for seat in range(4)),
    )
    assert game.to_act == leader


def test_the_next_who_can_act_leads_for_a_folded_or_all_in_leader() -> None:
    """B5: clockwise from it."""
    game = Driven({}, hands=LEADERS)
    game.do("0 pass", "1 open 2", "2 raise 6", "3 call", "0 call", "1 fold", "0 draw", "2 draw", "3 draw")
    assert game.to_act == 2
    game = Driven({}, [100, 9, 100, 100], hands=LEADERS)
    game.do(
        "0 pass",
        "1 open 4",
        "2 raise 12",
        "3 call",
        "0 call",
        "1 call",
        *(f"{seat} draw" for seat in range(4)),
    )
    assert game.to_act == 2


def test_without_a_requirement_the_first_who_bets_counts_as_opener() -> None:
    """B5: with live antes the first who raises; nobody: left of the button."""
    free = {"open.requirement": "none"}
    game = Driven(free)
    game.do("0 check", "1 check", "2 bet 2", "3 raise 4", "0 call", "1 call", "2 call")
    game.do(*(f"{seat} draw" for seat in range(4)))
    assert game.to_act == 2
    live: dict[str, object] = {"ante.live": True, "ante.scheme": "dealer_double", **free}
    game = Driven(live)
    game.do("0 call", "1 raise 4", "2 call", "3 call", "0 call", *(f"{seat} draw" for seat in range(4)))
    assert game.to_act == 1
    game = Driven(free)
    game.do(*(f"{seat} check" for seat in range(4)), *(f"{seat} draw" for seat in range(4)))
    assert game.to_act == 0


def test_when_nobody_can_act_the_opener_shows_first_if_live() -> None:
    """B7: and else the next live seat."""
    game = Driven({"bet.limit": "none"}, [20, 20, 20], hands={0: "Ks Qs Tc 8h 9s", 1: ACES, 2: KINGS})
    game.do("0 pass", "1 open 19", "2 call", "0 call", *(f"{seat} draw" for seat in range(3)))
    assert [event.seat for event in game.of(e.HandShown)] == [1, 2, 0]


def test_without_an_aggressor_the_left_of_the_button_leads() -> None:
    """`round2.first=last_aggressor`: nobody bet in the first round."""
    game = Driven({"round2.first": "last_aggressor", "open.requirement": "none"})
    game.do(*(f"{seat} check" for seat in range(4)), *(f"{seat} draw" for seat in range(4)))
    assert game.to_act == 0


def test_a_refusal_says_whose_turn_it_is() -> None:
    """The message is for people: who is to act, or that nobody is."""
    game = Driven({}, hands={0: ACES})
    with pytest.raises(Refused, match="not the turn of seat 2: seat 0 is to act"):
        play(game.hand, Pass(2))
    waits = replay(game.rules, game.events[:5])
    with pytest.raises(Refused, match="not the turn of seat 2: nobody is to act"):
        play(waits, Pass(2))


@pytest.mark.parametrize(
    ("lines", "tried", "message"),
    [
        ((), "0 check", r"check is not available now \(opening\)"),
        ((), "0 bet 2", r"bet is not available now \(opening\)"),
        ((), "0 call", r"call is not available now \(opening\)"),
        ((), "0 raise 2", r"raise is not available now \(opening\)"),
        ((), "0 fold", r"fold is not available now \(opening\)"),
        (("0 open 2",), "1 pass", r"pass is not available now \(first round\)"),
        (("0 open 2",), "1 open 4", r"open is not available now \(first round\)"),
    ],
)
def test_a_refusal_says_what_is_not_available_and_when(
    lines: tuple[str, ...], tried: str, message: str
) -> None:
    """The message is for people: the action, and the phase in which it does not exist."""
    game = Driven({}, hands={0: ACES, 1: KINGS})
    game.do(*lines)
    with pytest.raises(Refused, match=message) as refusal:
        play(game.hand, game.command(tried))
    assert refusal.value.reason is Reason.ACTION_NOT_AVAILABLE
