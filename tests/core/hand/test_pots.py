"""Who gets which chips: layers, uncalled bets, folded money (`RULES.md B3`, `B7`; SP entries of
poker_bugs.json).
"""

from __future__ import annotations

import pytest

from servito_core import events as e
from servito_core.deals import Between
from servito_core.events import HandShown, Outcome, UncalledBetReturned
from servito_core.pots import pots, uncalled_bet
from servito_core.rules import RuleSet
from servito_core.state import HandState, PlayerState
from tests.core.hand.driven import Driven

ANTE_10 = {"ante": 10}
ACES, KINGS, QUEENS = "Ah Ad Jc Ts 9h", "Kh Kd Jd Th 9d", "Qh Qd Js Td 9c"


def test_a_short_all_in_wins_its_layer_and_no_more() -> None:
    """SP-01: each layer goes to the best hand among those who paid it; payouts add up to contributions."""
    game = Driven(ANTE_10, [110, 410, 410], hands={0: ACES, 1: QUEENS, 2: KINGS})
    game.do(
        "0 open 30", "1 raise 120", "2 call", "0 call", "0 draw", "1 draw", "2 draw", "1 bet 280", "2 call"
    )
    assert game.pots == [(330, {0, 1, 2}, {0: 330}), (600, {1, 2}, {2: 600})]
    assert game.stacks == [330, 0, 600]


def test_an_all_in_seat_stays_entitled_when_the_others_check() -> None:
    """SP-02: all-in is not out of the hand: it draws, is never asked to bet, and wins."""
    game = Driven(ANTE_10, [40, 500, 500], hands={0: ACES, 1: QUEENS, 2: KINGS})
    game.do("0 open 30", "1 call", "2 call", "0 draw 9h", "1 draw", "2 draw", "1 check", "2 check")
    assert game.stacks == [120, 460, 460]
    assert len(game.of(e.CardsDrawn)) == 1


def test_a_shove_that_nobody_calls_comes_back() -> None:
    """SP-04: the uncalled part is returned, the rest won; nothing is drawn or shown."""
    game = Driven(ANTE_10, [100, 100], hands={0: ACES, 1: KINGS})
    game.do("0 open 20", "1 raise 60", "0 raise 90", "1 fold")
    assert game.of(UncalledBetReturned) == [UncalledBetReturned(0, 30)]
    assert game.pots == [(140, {0}, {0: 140})]
    assert game.stacks == [170, 30]
    assert not game.of(HandShown)
    assert not game.of(e.DrawBegan)


def test_an_uncalled_bet_is_not_a_win() -> None:
    """SP-05: returning and winning are separate events, in this order."""
    game = Driven(ANTE_10, [500, 500, 500], hands={0: ACES})
    game.do("0 open 30", "1 fold")
    kinds = [type(event) for event in game.do("2 fold")]
    assert kinds == [e.Folded, UncalledBetReturned, e.PotAwarded, e.HandEnded]
    assert game.of(e.PotAwarded) == [e.PotAwarded(0, 30, (0,), (0,), {0: 30})]
    assert game.stacks == [520, 490, 490]


@pytest.mark.parametrize(("hands", "stacks"), [((ACES, KINGS), [390, 0]), ((KINGS, ACES), [210, 180])])
def test_an_all_in_raise_has_to_be_answered(hands: tuple[str, str], stacks: list[int]) -> None:
    """SP-06, SP-07: the deeper seat is asked, may not raise, and after its call nobody bets any more."""
    game = Driven(ANTE_10, [300, 90], hands=dict(enumerate(hands)))
    game.do("0 open 20", "1 raise 80")
    assert game.to_act == 0
    assert game.legal == {"fold": True, "call": 60}
    game.do("0 call", "0 draw", "1 draw")
    assert game.over
    assert not game.of(e.SecondRoundBegan)
    assert game.pots == [(180, {0, 1}, {0 if stacks[0] == 390 else 1: 180})]
    assert game.stacks == stacks


def _settlement(*paid: tuple[int, bool]) -> HandState:
    """A state at the end of a round in which seats bet so much; True: folded."""
    players = [
        PlayerState(seat, 1000, bet=bet, paid=bet, folded=folded) for seat, (bet, folded) in enumerate(paid)
    ]
    return HandState(RuleSet(), 1, 0, 2, "JJ", False, 0, players, pot=sum(bet for bet, _ in paid))


def test_the_excess_over_the_second_contribution_goes_back() -> None:
    """SP-10: 1204 against 2 (folded), 898, 898: 306 go back and 2696 are contested."""
    hand = _settlement((1204, False), (2, True), (898, False), (898, False))
    assert uncalled_bet(hand) == UncalledBetReturned(0, 306)
    settled = _settlement((898, False), (2, True), (898, False), (898, False))
    assert [(pot.amount, pot.eligible) for pot in pots(settled)] == [(2696, (0, 2, 3))]


@pytest.mark.parametrize(("best", "stacks"), [(0, [3002, 0]), (2, [306, 2696])])
def test_no_chip_is_lost_or_made_when_one_stake_is_larger(best: int, stacks: list[int]) -> None:
    """SP-10 as a hand: 1204 against 898 and 898, and 2 that folded: whoever wins, the sum is zero."""
    hands = {0: QUEENS, 1: "8h 8d Ks Qc 7c", 2: KINGS, 3: "Jh 8s Kc Ac 7d"} | ({0: ACES} if best == 0 else {})
    antes: dict[str, object] = {"ante": 2, "bet.limit": "none", "open.requirement": "none"}
    game = Driven(antes, [1204, 10, 898, 898], hands=hands)
    game.do("0 bet 1202", "1 fold", "2 call", "3 call", "0 draw", "2 draw", "3 draw")
    assert game.of(UncalledBetReturned) == [UncalledBetReturned(0, 306)]
    assert [amount for amount, _, _ in game.pots] == [2696]
    assert [game.stacks[0], game.stacks[2]] == stacks
    assert sum(game.stacks) == 1204 + 10 + 898 + 898


def test_a_bet_above_a_folded_one_is_returned_only_above_it() -> None:
    """B3: the highest total of anybody else counts, folded seats included; a folded top bet stays in the
    pot.
    """
    assert uncalled_bet(_settlement((100, False), (70, True), (30, False))) == UncalledBetReturned(0, 30)
    assert uncalled_bet(_settlement((100, True), (70, False), (30, False))) is None
    assert uncalled_bet(_settlement((50, False), (50, False))) is None


def test_folded_money_stays_in_its_layers_and_joins_the_last_live_one() -> None:
    """B7: above the last live layer folded chips belong to that layer."""
    hand = _settlement((20, False), (60, False), (60, False), (90, True), (10, True))
    assert [(pot.amount, pot.eligible) for pot in pots(hand)] == [(90, (0, 1, 2)), (150, (1, 2))]


def test_a_carried_pot_belongs_to_the_lowest_layer() -> None:
    """B7: a seat that is all-in for less still plays for what earlier deals left."""
    hands = {0: "8h 8d Ks Qc 7c", 1: KINGS, 2: QUEENS, 3: ACES}
    game = Driven({}, [5, 100, 100, 100], hands=hands, between=Between(button=2, carried=40))
    game.do(
        "0 pass",
        "1 open 10",
        "2 call",
        "3 fold",
        "0 call",
        "0 draw",
        "1 draw",
        "2 draw",
        "1 check",
        "2 check",
    )
    assert [(amount, eligible) for amount, eligible, _ in game.pots] == [(56, {0, 1, 2}), (12, {1, 2})]


def test_an_ante_that_only_the_button_pays_belongs_to_the_lowest_layer() -> None:
    """B7: it is more than a seat that is all-in brought, and yet that seat plays for all of it."""
    only: dict[str, object] = {"ante": 20, "ante.scheme": "dealer_only", "bet.limit": "none"}
    hands = {0: ACES, 1: KINGS, 2: QUEENS, 3: "8h 8s Ks Qc 7c"}
    game = Driven(only | {"open.requirement": "none"}, [5, 100, 100, 100], hands=hands)
    game.do("0 bet 5", "1 raise 25", "2 call", "3 fold", *(f"{seat} draw" for seat in range(3)))
    game.do("1 check", "2 check")
    assert game.pots == [(35, {0, 1, 2}, {0: 35}), (40, {1, 2}, {1: 40})]


def test_a_folded_seat_has_no_claim_and_shows_nothing() -> None:
    """SP-11: the best cards, once folded, win nothing and appear in no later event."""
    game = Driven(ANTE_10, [500, 500, 500], hands={0: "Kh Kd Kc Ks 9h"})
    game.do("0 open 30", "1 raise 90", "2 fold", "0 fold")
    assert game.of(UncalledBetReturned) == [UncalledBetReturned(1, 60)]
    assert game.stacks == [460, 550, 490]
    assert game.hand.outcome is Outcome.UNCONTESTED
    assert not game.of(HandShown)


def test_nobody_wins_more_from_a_seat_than_it_brought() -> None:
    """SP-12: a bet is limited by what is behind now, not by what was there at the start."""
    game = Driven(ANTE_10, [200, 200], hands={0: KINGS, 1: ACES})
    game.do("0 open 20", "1 call", "0 draw", "1 draw", "0 bet 60")
    assert game.legal["raise"] == [70, 170]
    assert game.refused("1 raise 200") == "above_maximum"
    game.do("1 raise 170", "0 call")
    assert game.stacks == [0, 400]


def test_a_side_pot_of_one_seat_is_paid_without_being_contested() -> None:
    """B3: a pot with one entitled player is his, whoever wins the showdown of the others."""
    game = Driven(ANTE_10, [40, 500, 500], hands={0: ACES, 1: KINGS, 2: QUEENS})
    game.do(
        "0 open 30", "1 call", "2 call", "0 draw", "1 draw", "2 draw", "1 bet 50", "2 raise 120", "1 fold"
    )
    assert game.of(UncalledBetReturned) == [UncalledBetReturned(2, 70)]
    assert game.pots == [(120, {0, 2}, {0: 120}), (100, {2}, {2: 100})]
