"""Blinds: who is asked, how much they are, who has the right (`RULES.md B6`)."""

from __future__ import annotations

import pytest

from servito_core import events as e
from servito_core.deals import Between
from servito_core.events import Outcome
from tests.core.hand.driven import Driven

ONE: dict[str, object] = {"blind.depth": 1}
TWO: dict[str, object] = {"blind.depth": 2}
THREE: dict[str, object] = {"blind.depth": 3}


@pytest.mark.parametrize(("amount", "blind"), [("double_pot", 28), ("equal_pot", 14), ("double_ante", 2)])
def test_the_blind_counts_antes_and_carried_chips(amount: str, blind: int) -> None:
    """`blind.amount`; not subject to the limit of bets."""
    game = Driven(ONE | {"blind.amount": amount}, between=Between(carried=10))
    assert game.legal == {"blind": blind, "decline": True}


@pytest.mark.parametrize(("amount", "counter"), [("double_previous", 16), ("double_pot", 24)])
def test_the_counter_blind(amount: str, counter: int) -> None:
    """`counter_blind.amount`: twice the blind, or twice the pot as it stands."""
    game = Driven(TWO | {"counter_blind.amount": amount})
    game.do("0 blind 8")
    assert game.legal == {"counter_blind": counter, "decline": True}


def test_a_blind_is_the_one_amount_that_is_offered() -> None:
    """Any other is refused, and so is a blind of another level."""
    game = Driven(TWO)
    assert game.refused("0 blind 7") == "below_minimum"
    assert game.refused("0 blind 9") == "above_maximum"
    assert game.refused("0 blind") == "malformed"
    assert game.refused("0 counter_blind 8") == "action_not_available"
    assert game.refused("0 cover") == "action_not_available"
    assert game.refused("0 fold") == "action_not_available"


def test_without_a_blind_the_deal_is_an_ordinary_one() -> None:
    """Only if a blind is posted is the next seat asked; declining leads to the opening."""
    game = Driven(THREE, hands={0: "Ah Ad Kc 9h 8s"})
    game.do("0 decline")
    assert game.legal == {"pass": True, "open": [1, 4]}


def test_who_cannot_pay_the_whole_amount_is_not_asked() -> None:
    """B6: and the question goes no further; the same for a cover."""
    assert Driven(TWO, [8, 100, 100, 100]).of(e.BlindsBegan) == []
    assert Driven(TWO, [9, 100, 100, 100]).legal == {"blind": 8, "decline": True}
    game = Driven(TWO, [100, 16, 100, 100])
    game.do("0 blind 8")
    assert game.of(e.CardsDealt)
    game = Driven(TWO, [17, 100, 100, 100])
    game.do("0 blind 8", "1 counter_blind 16")
    assert game.legal == {"cover": 8, "decline": True}
    game = Driven(TWO, [16, 100, 100, 100])
    game.do("0 blind 8", "1 counter_blind 16")
    assert game.of(e.CardsDealt)
    assert not game.of(e.BlindCovered)


def test_no_blind_when_fewer_than_two_seats_have_chips() -> None:
    """B6."""
    assert Driven(ONE, [100, 1, 1]).of(e.BlindsBegan) == []


def test_the_over_blind_needs_four_players() -> None:
    """B6: with three dealt in, two blinds at most."""
    game = Driven(THREE, [200] * 3)
    game.do("0 blind 6", "1 counter_blind 12")
    assert game.legal == {"cover": 6, "decline": True}
    game = Driven(THREE, [200] * 4)
    game.do("0 blind 8", "1 counter_blind 16")
    assert game.legal == {"over_blind": 32, "decline": True}


def test_blinds_in_raised_and_carried_deals() -> None:
    """`passout.blind`, `parola.next_blind`."""
    raised = Between(button=2, requirement="QQ", raised=True, outcome=Outcome.PASSED_OUT)
    assert Driven(ONE, between=raised).of(e.BlindsBegan)
    assert not Driven(ONE | {"passout.blind": "only_first_level"}, between=raised).of(e.BlindsBegan)
    carried = Between(button=2, carried=9, outcome=Outcome.CARRIED_OVER)
    forbidden = ONE | {"parola.mode": "carry_over", "parola.next_blind": "forbidden"}
    assert Driven(ONE, between=carried).of(e.BlindsBegan)
    assert not Driven(forbidden, between=carried).of(e.BlindsBegan)


def test_time_declines_a_blind() -> None:
    """B8."""
    game = Driven(ONE)
    assert game.do("0 timeout")[:2] == [e.TurnExpired(0), e.BlindDeclined(0)]


def test_leaving_in_the_blind_stage_declines_and_folds() -> None:
    """B8: a posted blind stays in the pot."""
    game = Driven(TWO)
    game.do("0 leave")
    assert game.of(e.CardsDealt)
    assert game.hand.players[0].folded
    game = Driven(TWO)
    game.do("0 blind 8", "0 leave", "1 decline")
    assert game.hand.pot == 12
    assert game.to_act == 1


def test_nobody_but_the_holder_raises_before_he_does() -> None:
    """B6: after his raise betting is free; if he checks, the round is over."""
    game = Driven(ONE)
    game.do("0 blind 8")
    assert game.legal == {"fold": True, "call": 8}
    assert game.refused("1 raise 16") == "action_not_available"
    game.do("1 call", "2 call", "3 fold")
    assert game.legal == {"check": True, "raise": [9, 36]}
    game.do("0 raise 20")
    assert set(game.legal) == {"fold", "call", "raise"}


def _countered(right: str, covers: bool) -> Driven:
    game = Driven(TWO | {"blind.cover_right": right}, [200] * 4)
    game.do("0 blind 8", "1 counter_blind 16", "0 cover" if covers else "0 decline")
    return game


def test_the_first_who_covered_has_the_right() -> None:
    """`blind.cover_right=exclusive`: the counter-blind player is not asked; without a cover it is his."""
    game = _countered("exclusive", covers=True)
    game.do("2 call", "3 call")
    assert game.to_act == 0
    game.do("0 check")
    assert game.legal == {"draw": [0, 4]}
    game = _countered("exclusive", covers=False)
    game.do("2 call", "3 call", "0 call")
    assert (game.to_act, set(game.legal)) == (1, {"check", "raise"})


def test_the_right_may_be_shared() -> None:
    """`blind.cover_right=shared`: every level blind player at his turn, the last word as in exclusive."""
    game = _countered("shared", covers=True)
    game.do("2 call", "3 call", "0 check")
    assert (game.to_act, set(game.legal)) == (1, {"check", "raise"})
    game.do("1 check", *(f"{seat} draw" for seat in range(4)))
    assert game.to_act == 1


def test_a_cover_may_give_no_right() -> None:
    """`blind.cover_right=never`: always the last blind player."""
    game = _countered("never", covers=True)
    game.do("2 call", "3 call")
    assert game.to_act == 1
    game.do("1 check", *(f"{seat} draw" for seat in range(4)))
    assert game.to_act == 2


def test_nobody_inherits_the_right() -> None:
    """B6: the holder leaves, the others call or fold and nobody raises; he would have spoken last."""
    game = Driven(ONE)
    game.do("0 blind 8", "1 call", "0 leave")
    assert game.legal == {"fold": True, "call": 8}
    game.do("2 call", "3 call", "1 draw", "2 draw", "3 draw")
    assert game.to_act == 1


def test_the_blind_player_takes_the_pot_unseen() -> None:
    """B6: nobody calls; his blind comes back, whatever the counter-blind was."""
    game = _countered("exclusive", covers=False)
    game.do("2 fold", "3 fold", "0 fold")
    assert game.of(e.UncalledBetReturned) == [e.UncalledBetReturned(1, 8)]
    assert game.stacks == [191, 211, 199, 199]


def test_a_blind_counts_as_a_bet_of_its_size() -> None:
    """`raise.min=last_increment`: a counter-blind by what it adds."""
    last: dict[str, object] = {"raise.min": "last_increment"}
    game = Driven(TWO | last, [200] * 4)
    game.do("0 blind 8", "1 decline", "1 call", "2 call", "3 call")
    assert game.legal["raise"][0] == 16
    game = Driven(TWO | last | {"counter_blind.amount": "double_pot"}, [200] * 4)
    game.do("0 blind 8", "1 counter_blind 24", "0 decline", "2 call", "3 call", "0 call")
    assert game.legal["raise"][0] == 40


def test_a_blind_opens_the_deal() -> None:
    """`passout.reset=on_open`: a raised deal with a blind, carried over, falls back to the first level."""
    options = ONE | {"parola.mode": "carry_over", "passout.reset": "on_open"}
    raised = Between(button=2, requirement="QQ", raised=True, outcome=Outcome.PASSED_OUT)
    game = Driven(options, between=raised)
    game.do("0 blind 8", "1 call", "2 fold", "3 fold", "0 check", "0 draw", "1 draw", "1 check", "0 check")
    assert game.hand.outcome is Outcome.CARRIED_OVER
    assert game.hand.next_requirement == "JJ"
