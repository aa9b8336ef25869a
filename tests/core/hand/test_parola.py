"""A second round without a bet, and who plays for the pot that it leaves (`RULES.md B5`)."""

from __future__ import annotations

import pytest

from servito_core import events as e
from servito_core.commands import Void
from servito_core.deals import Between, after
from servito_core.events import Outcome
from servito_core.hand import play
from tests.core.hand.driven import Driven

CARRY: dict[str, object] = {"parola.mode": "carry_over"}
HANDS = {0: "Jh Jd Ac 9h 9s", 1: "Ah Ad Jc Ts Kh", 2: "Kd Kc Qh Td 8s", 3: "Qd Qc Th 8h 7s"}


def _carried(options: dict[str, object] | None = None) -> Driven:
    """Seats 0 and 1 put in four beyond the ante, seat 2 two, seat 3 nothing; then nobody bets."""
    game = Driven(CARRY | (options or {}), hands=HANDS)
    game.do("0 pass", "1 pass", "2 open 2", "3 fold", "0 raise 4", "1 call", "2 fold")
    game.do("0 draw", "1 draw", "0 check", "1 check")
    return game


@pytest.mark.parametrize(
    ("mode", "words", "outcome"),
    [
        ("showdown", ("parola", "parola"), Outcome.SHOWDOWN),
        ("carry_over", ("cip", "cip"), Outcome.CARRIED_OVER),
        ("carry_over_if_all_parola", ("parola", "parola"), Outcome.CARRIED_OVER),
        ("carry_over_if_all_parola", ("parola", "cip"), Outcome.SHOWDOWN),
        ("carry_over_if_all_parola", ("cip", ""), Outcome.SHOWDOWN),
        ("carry_over_if_all_parola", ("", ""), Outcome.CARRIED_OVER),
    ],
)
def test_nobody_bets(mode: str, words: tuple[str, str], outcome: Outcome) -> None:
    """`parola.mode`: a wordless check counts as parola."""
    game = Driven({"parola.mode": mode}, [100, 100], hands={0: "Ah Ad Jc Ts 9h", 1: "Kh Kd Jd Th 9d"})
    game.do("0 open 2", "1 call", "0 draw", "1 draw", f"0 check {words[0]}", f"1 check {words[1]}")
    assert game.hand.outcome is outcome


def test_a_time_out_counts_as_parola() -> None:
    """`parola.mode=carry_over_if_all_parola`; a "cip" of the first round is none of the second."""
    options = {"parola.mode": "carry_over_if_all_parola", "open.requirement": "none"}
    game = Driven(options, [100, 100])
    game.do("0 check cip", "1 bet 2", "0 call", "0 draw", "1 draw", "1 timeout", "0 check parola")
    assert game.hand.outcome is Outcome.CARRIED_OVER


def test_a_live_all_in_seat_always_means_showdown() -> None:
    """B5."""
    game = Driven(CARRY, [3, 100, 100], hands={0: "Ah Ad Jc Ts 9h"})
    game.do("0 open 2", "1 call", "2 call", "0 draw", "1 draw", "2 draw", "1 check", "2 check")
    assert game.hand.outcome is Outcome.SHOWDOWN


def test_everybody_plays_on_for_a_new_ante() -> None:
    """`parola.reentry=free`."""
    game = _carried().next()
    assert len(game.hand.players) == 4
    assert game.hand.pot == 14 + 4
    assert not game.of(e.ReentryPaid)


def test_who_had_folded_pays_the_difference() -> None:
    """`parola.reentry=pay_difference`: at once, beyond the ante; a newcomer as one who put in nothing."""
    first = _carried({"parola.reentry": "pay_difference"})
    game = first.next()
    assert {event.seat: event.amount for event in game.of(e.ReentryPaid)} == {2: 2, 3: 4}
    assert game.hand.pot == 14 + 6 + 4
    between = after(first.before, first.hand)
    options = first.rules.differences()
    newcomer = Driven(options, {0: 95, 1: 95, 2: 2, 3: 99, 5: 50}, between=between)
    assert {event.seat: event.amount for event in newcomer.of(e.ReentryPaid)} == {3: 4, 5: 4}
    assert 2 not in {player.seat for player in newcomer.hand.players}


def test_reentry_joins_the_lowest_layer() -> None:
    """B5, B7: it is part of the carried pot, whoever can still win a side pot."""
    first = _carried({"parola.reentry": "pay_difference"})
    between = after(first.before, first.hand)
    options = first.rules.differences()
    game = Driven(options, {0: 3, 1: 95, 2: 95}, hands={1: "Ah Ad Jc Ts 9h"}, between=between)
    game.do("1 open 4", "2 call", "0 call", "1 draw", "2 draw", "0 draw", "1 check", "2 check")
    assert [(amount, eligible) for amount, eligible, _ in game.pots] == [(14 + 2 + 9, {0, 1, 2}), (4, {1, 2})]


def test_survivors_alone_may_play() -> None:
    """`parola.reentry=only_survivors`; a passed-out deal afterwards opens the next one to all."""
    first = _carried({"parola.reentry": "only_survivors"})
    game = first.next(hands={0: "Ks Qs Tc 9h Ad", 1: "Kc Qc Th 9d As"})
    assert sorted(player.seat for player in game.hand.players) == [0, 1]
    game.do("1 pass", "0 pass")
    assert game.hand.outcome is Outcome.PASSED_OUT
    between = after(game.before, game.hand)
    again = Driven(first.rules.differences(), [95, 95, 97, 99], between=between)
    assert len(again.hand.players) == 4
    assert again.hand.pot == 14 + 2 + 4


def test_a_void_deal_leaves_the_restriction_as_it_was() -> None:
    """B8: the pot stays, and so does who may play for it."""
    first = _carried({"parola.reentry": "only_survivors"})
    second = first.next()
    _, ended = play(second.hand, Void())
    between = after(second.before, ended)
    assert (between.others_due, set(between.dues), between.carried) == (None, {0, 1}, 14)


def test_what_held_for_a_void_deal_holds_for_the_next() -> None:
    """B8: a void deal settles nothing, so no blind after a carried pot, and after a passed-out deal the same
    button and no antes.
    """
    passed_out = {"passout.reante": "none", "button.next": "same_after_passout"}, Outcome.PASSED_OUT, 3, 14
    carried = CARRY | {"parola.next_blind": "forbidden", "blind.depth": 1}, Outcome.CARRIED_OVER, 1, 14 + 4
    for options, outcome, button, pot in (passed_out, carried):
        second = Driven(options, between=Between(button=3, carried=14, outcome=outcome, number=1))
        _, ended = play(second.hand, Void())
        third = Driven(options, between=after(second.before, ended))
        assert (third.hand.button, third.hand.pot, third.hand.blinds_allowed) == (button, pot, 0)


def test_who_missed_a_carried_deal_owes_for_both() -> None:
    """`parola.reentry=pay_difference`: a survivor put in the stakes of both deals, so sitting one out saves
    nothing.
    """
    first = _carried({"parola.reentry": "pay_difference"})
    second = first.next(hands={1: "Ah Ad Jc Ts 9h"}, sitting_out=[3])
    second.do("1 open 3", "2 fold", "0 call", "1 draw", "0 draw", "1 check", "0 check")
    assert second.hand.outcome is Outcome.CARRIED_OVER
    between = after(second.before, second.hand)
    assert (between.dues, between.others_due) == ({0: 0, 1: 0, 2: 3, 3: 4 + 3}, 4 + 3)


def test_a_pot_is_never_out_of_reach() -> None:
    """Where fewer than two of those entitled are left, the restriction falls."""
    first = _carried({"parola.reentry": "only_survivors"})
    between = after(first.before, first.hand)
    game = Driven(first.rules.differences(), {0: 95, 2: 97, 3: 99}, between=between)
    assert sorted(player.seat for player in game.hand.players) == [0, 2, 3]


def test_the_next_deal_may_open_with_kings() -> None:
    """`parola.next_requirement=KK`: that is a raised deal."""
    game = _carried({"parola.next_requirement": "KK"}).next()
    assert (game.hand.requirement, game.hand.raised) == ("KK", True)
    assert _carried().next().hand.requirement == "JJ"


def test_antes_are_paid_anew_after_a_carried_deal() -> None:
    """B5: `passout.reante` speaks of passed-out deals only."""
    assert _carried({"passout.reante": "none"}).next().hand.pot == 18


def test_a_pot_that_nobody_else_can_pay_for_is_played_for_free() -> None:
    """Then nobody pays: a stack never goes below nothing."""
    first = _carried({"parola.reentry": "pay_difference"})
    between = after(first.before, first.hand)
    game = Driven(first.rules.differences(), {0: 95, 2: 2, 3: 4}, between=between)
    assert sorted(player.seat for player in game.hand.players) == [0, 2, 3]
    assert not game.of(e.ReentryPaid)
    assert game.stacks == [94, 1, 3]


def test_reentry_leaves_the_whole_ante_where_a_short_one_is_not_dealt_in() -> None:
    """`ante.short`: what is left after re-entry counts."""
    first = _carried({"parola.reentry": "pay_difference", "ante.short": "sit_out", "ante": 2})
    between = after(first.before, first.hand)
    assert between.dues == {0: 0, 1: 0, 2: 2, 3: 4}
    game = Driven(first.rules.differences(), {0: 94, 1: 94, 2: 3, 3: 6}, between=between)
    assert sorted(player.seat for player in game.hand.players) == [0, 1, 3]


def test_what_is_left_after_reentry_pays_the_ante() -> None:
    """`ante.short=all_in`: less than the ante, if there is no more."""
    first = _carried({"parola.reentry": "pay_difference", "ante": 2})
    between = after(first.before, first.hand)
    game = Driven(first.rules.differences(), {0: 94, 1: 94, 3: 5}, between=between)
    assert {event.seat: event.amount for event in game.of(e.AntePosted)} == {0: 2, 1: 2, 3: 1}


def test_who_folded_level_comes_back_for_nothing() -> None:
    """`parola.reentry=pay_difference`: it left in the second round, after calling everything."""
    game = Driven(CARRY | {"parola.reentry": "pay_difference"}, hands=HANDS)
    game.do(
        "0 pass", "1 pass", "2 open 2", "3 call", "0 call", "1 call", *(f"{seat} draw" for seat in range(4))
    )
    game.do("2 check", "3 leave", "0 check", "1 check")
    assert after(game.before, game.hand).dues == {0: 0, 1: 0, 2: 0, 3: 0}
