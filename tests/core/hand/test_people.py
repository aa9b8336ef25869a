"""Time-outs, departures, void hands (`RULES.md B8`; LV, BP, CC, TO entries of poker_bugs.json)."""

from __future__ import annotations

import pytest

from servito_core import events as e
from servito_core.commands import Leave, SupplyDraw, Void
from servito_core.deals import NotEnoughPlayersError, after
from servito_core.events import Outcome
from servito_core.evolve import evolve
from servito_core.hand import play, waiting_for
from servito_core.state import CardsNeeded
from servito_script.judging import answer_to
from tests.core.hand.driven import Driven

ACES, KINGS, QUEENS = "Ah Ad Jc Ts 9h", "Kh Kd Jd Th 9d", "Qh Qd Js Td 9c"
ANTE_10 = {"ante": 10}


def test_a_seat_that_leaves_out_of_turn_is_not_waited_for() -> None:
    """LV-01: while another seat thinks; its ante stays in the pot."""
    game = Driven(ANTE_10, [500, 500, 500], hands={0: ACES})
    game.do("0 open 30", "2 leave", "1 call")
    assert game.to_act == 0
    game.do("0 draw", "1 draw", "0 check", "1 check")
    assert [event.seat for event in game.of(e.HandShown)] == [0, 1]
    assert game.hand.outcome is Outcome.SHOWDOWN
    assert sum(game.stacks) == 1500


def test_seats_may_leave_before_the_first_action() -> None:
    """LV-03: seven seats, two leave at once, one is all-in for the ante: the hand goes on and settles."""
    game = Driven(ANTE_10, [500, 500, 500, 10, 500, 500, 500], hands={2: ACES})
    game.do("0 leave", "1 leave")
    assert game.to_act == 2
    game.do("2 open 20", "4 call", "5 fold", "6 fold", "2 draw", "3 draw", "4 draw", "2 check", "4 check")
    assert game.over
    assert sum(game.stacks) == 3010


def test_who_stays_wins_the_pot_that_the_other_leaves() -> None:
    """LV-04: heads-up in the second round: the bet comes back, the pot is won, nothing goes negative."""
    game = Driven(ANTE_10, [400, 400], hands={0: ACES, 1: KINGS})
    game.do("0 open 20", "1 raise 60", "0 call", "0 draw", "1 draw", "0 check", "1 bet 50", "0 leave")
    assert game.of(e.UncalledBetReturned) == [e.UncalledBetReturned(1, 50)]
    assert game.pots == [(140, {1}, {1: 140})]
    assert game.hand.pot == 0
    assert [player.bet for player in game.hand.players] == [0, 0]
    assert game.hand.high_bet == 0


def test_the_last_other_seat_with_chips_leaves() -> None:
    """B3: a seat with nothing to call is no longer asked when only an all-in seat is left to answer."""
    game = Driven({}, [5, 100, 100], hands={0: ACES, 1: KINGS, 2: QUEENS})
    game.do("0 open 3", "1 call", "2 raise 4", "0 call", "1 call")
    game.do("0 draw", "1 draw", "2 draw")
    assert game.to_act == 1
    game.do("2 leave")
    assert game.over
    assert [event.seat for event in game.of(e.HandShown)] == [1, 0]


@pytest.mark.parametrize(
    ("lines", "done"),
    [
        ((), e.Passed(0)),
        (("0 open 2",), e.Folded(1)),
        (("0 open 2", "1 call", "2 fold", "3 fold"), e.Discarded(0, ())),
        (("0 open 2", "1 call", "2 fold", "3 fold", "0 draw", "1 draw"), e.Checked(0)),
        (("0 open 2", "1 call", "2 fold", "3 fold", "0 draw", "1 draw", "0 bet 2"), e.Folded(1)),
    ],
)
def test_what_time_does_for_a_seat(lines: tuple[str, ...], done: e.Event) -> None:
    """B8, TR-06: pass, fold to a bet, stand pat, check where it is free."""
    game = Driven({}, hands={0: ACES, 1: KINGS})
    game.do(*lines)
    seat = game.to_act
    assert game.do(f"{seat} timeout")[:2] == [e.TurnExpired(seat), done]  # type: ignore[arg-type] # somebody is to act


def test_an_all_in_seat_that_left_stays_live() -> None:
    """B8: it stands pat, gets the cards owed to it, and wins."""
    game = Driven({}, [5, 100, 100], hands={0: ACES, 1: KINGS, 2: QUEENS})
    game.do("0 open 3", "1 raise 9", "2 call", "0 call", "0 leave")
    assert game.hand.players[0].live
    game.do("1 draw", "2 draw", "1 check", "2 check")
    assert game.hand.players[0].stack == 15


def test_an_all_in_seat_leaves_while_it_is_owed_a_card() -> None:
    """B8: the deferred card still comes."""
    game = Driven({}, [5, 100, 100], hands={0: ACES, 1: KINGS, 2: QUEENS})
    game.do("0 open 3", "1 raise 9", "2 call", "0 call", "0 draw Ad Jc Ts 9h", "0 leave", "1 draw", "2 draw")
    assert len(game.hand.players[0].cards) == 5


def test_an_uncalled_bet_that_comes_back_to_a_leaver() -> None:
    """B8: it was all-in when it left, so it stays live; afterwards it checks, or folds to a bet."""
    game = Driven({"bet.limit": "none"}, [200, 100, 100], hands={0: ACES, 1: KINGS, 2: QUEENS})
    game.do("0 open 199", "0 leave", "1 fold", "2 call")
    assert game.hand.players[0].stack == 100
    game.do("2 draw")
    assert game.over
    assert game.stacks == [301, 99, 0]


def test_a_departure_waits_for_cards_on_their_way() -> None:
    """The request to the dealer never changes under way: the fold follows with the cards, in either order."""
    game = Driven({}, hands={0: ACES, 1: KINGS})
    game.do("0 open 2", "1 call", "2 fold", "3 fold")
    events, hand = play(game.hand, game.command("0 draw 9h Ts"))
    request = waiting_for(hand)
    left, hand = play(hand, Leave(0))
    assert left == (e.PlayerLeft(0),)
    assert waiting_for(hand) == request
    assert isinstance(request, CardsNeeded)
    supply = answer_to(hand, game._deck)
    assert isinstance(supply, SupplyDraw)
    events, hand = play(hand, supply)
    assert [type(event) for event in events[:2]] == [e.CardsDrawn, e.Folded]
    assert [player.stack for player in hand.players] == [97, 105, 99, 99]


def test_a_departure_folds_once() -> None:
    """B8: cards that come to others later do not fold the seat again."""
    game = Driven({}, hands={0: ACES, 1: KINGS, 2: QUEENS})
    game.do("0 open 2", "1 call", "2 call", "3 fold")
    _, game.hand = play(game.hand, game.command("0 draw 9h Ts"))
    _, game.hand = play(game.hand, Leave(1))
    supply = answer_to(game.hand, game._deck)
    assert isinstance(supply, SupplyDraw)
    events, game.hand = play(game.hand, supply)
    assert e.Folded(1) in events
    assert game.to_act == 2
    assert e.Folded(1) not in game.do("2 draw 9c")
    assert game.over is False


@pytest.mark.parametrize(
    ("options", "lines", "next_"),
    [
        ({"blind.depth": 2}, ("0 blind 8",), 1),
        ({}, (), 0),
        ({}, ("0 open 2",), 1),
        ({}, ("0 open 2", "1 call", "2 call", "3 fold"), 0),
        ({}, ("0 open 2", "1 call", "2 call", "3 fold", "0 draw", "1 draw", "2 draw"), 0),
    ],
)
def test_a_seat_that_leaves_in_turn_folds_and_does_nothing_else(
    options: dict[str, object], lines: tuple[str, ...], next_: int
) -> None:
    """B8: no pass, no check, no draw is said for it; the turn goes on."""
    game = Driven(options, hands={0: ACES, 1: KINGS, 2: QUEENS})
    game.do(*lines)
    assert game.to_act == next_
    said = [event for event in game.do(f"{next_} leave") if getattr(event, "seat", None) == next_]
    assert said == [e.PlayerLeft(next_), e.Folded(next_)]


def test_the_last_to_leave_takes_the_pot() -> None:
    """Everybody leaves while cards are on their way: a pot is never without an owner."""
    game = Driven({}, hands={0: ACES, 1: KINGS})
    game.do("0 open 2", "1 call", "2 fold", "3 fold")
    _, hand = play(game.hand, game.command("0 draw 9h Ts"))
    for seat in (1, 0):
        _, hand = play(hand, Leave(seat))
    supply = answer_to(hand, game._deck)
    assert isinstance(supply, SupplyDraw)
    _, hand = play(hand, supply)
    assert hand.outcome is Outcome.UNCONTESTED
    assert [player.stack for player in hand.players] == [105, 97, 99, 99]


def test_leaving_twice_is_refused() -> None:
    """B8: the seat is not in the hand any more; an all-in one has left already."""
    game = Driven({}, [5, 100, 100], hands={0: ACES})
    game.do("0 open 3", "1 call", "2 raise 6", "0 call", "2 leave", "0 leave")
    assert game.refused("2 leave") == "not_in_hand"
    assert game.refused("0 leave") == "not_in_hand"


def test_a_void_hand_gives_every_stake_back() -> None:
    """B8: also while cards are on their way; a carried pot stays, and so does the level."""
    low = {0: "Ks Qs Tc 8h 7s", 1: "Kc Qc Ts 8c 7c", 2: "Kd Qd Th 8d 7d", 3: "Kh Qh Td 8s 7h"}
    game = Driven({}, hands=low)
    game.do("0 pass", "1 pass", "2 pass", "3 pass")
    second = game.next(hands={1: ACES, 2: KINGS})
    second.do("1 open 4", "2 raise 10")
    _, hand = play(second.hand, Void())
    assert [player.stack for player in hand.players] == [99, 99, 99, 99]
    assert (hand.outcome, hand.pot, hand.next_requirement) == (Outcome.VOID, 4, "QQ")
    assert {(player.paid, player.bet, player.ante, player.dead) for player in hand.players} == {(0, 0, 0, 0)}
    between = after(second.before, hand)
    assert (between.carried, between.requirement, between.number) == (4, "QQ", 2)


def test_nobody_acts_in_an_ended_hand() -> None:
    """The first of all reasons: the hand is not running."""
    game = Driven({}, hands={0: ACES})
    game.do("0 open 2", "1 fold", "2 fold", "3 fold")
    for line in ("0 check", "1 draw", "7 open", "0 leave", "0 timeout", "3 sing"):
        assert game.refused(line) == "hand_not_running"


def test_reasons_are_checked_in_the_order_of_the_contract() -> None:
    """not_in_hand, not_your_turn, malformed verb, availability, malformed amount, range."""
    game = Driven({}, hands={0: ACES})
    assert game.refused("9 sing") == "not_in_hand"
    assert game.refused("1 sing") == "not_your_turn"
    assert game.refused("0 sing") == "malformed"
    assert game.refused("0 bet") == "action_not_available"
    assert game.refused("0 open") == "malformed"
    assert game.refused("0 open -3") == "malformed"
    assert game.refused("0 open 0") == "below_minimum"


def test_a_lost_stack_is_not_dealt_in_and_a_newcomer_is() -> None:
    """BP-01, SE-02: a seat without chips is left out, who sat down meanwhile plays from the next deal."""
    game = Driven(ANTE_10, [30, 500, 500], hands={0: KINGS, 1: ACES})
    game.do("0 open 20", "1 call", "2 fold", "0 draw", "1 draw")
    assert game.stacks[0] == 0
    deal = Driven(ANTE_10, {0: 0, 1: game.stacks[1], 2: 490, 3: 100}, between=after(game.before, game.hand))
    assert sorted(player.seat for player in deal.hand.players) == [1, 2, 3]
    assert deal.hand.pot == 30


def test_no_deal_and_no_ante_with_one_stack_left() -> None:
    """CC-01, BP-03: the winner keeps what he won, and nothing is taken for a hand that cannot begin."""
    game = Driven(ANTE_10, [50, 50], hands={0: ACES, 1: KINGS})
    game.do("0 open 20", "1 raise 40", "0 call", "0 draw", "1 draw")
    assert game.stacks == [100, 0]
    with pytest.raises(NotEnoughPlayersError):
        game.next()


def test_a_folded_seat_that_is_given_up_changes_nothing_else() -> None:
    """The table tells the hand who is gone: no second fold, no turn moved, even with cards under way."""
    game = Driven({}, hands={0: ACES, 1: KINGS})
    game.do("0 open 2", "1 call", "2 fold", "3 fold")
    _, hand = play(game.hand, game.command("0 draw 9h Ts"))
    gone = evolve(hand, e.PlayerLeft(3))
    assert gone.players[3].left
    assert not gone.players[3].leaving
    assert (gone.to_act, gone.serving, gone.phase) == (hand.to_act, hand.serving, hand.phase)


def test_an_all_in_seat_may_leave_while_cards_are_on_their_way_to_another() -> None:
    """B8: it stays live; a seat with a single chip behind folds when they have come."""
    for stack, folded in ((3, False), (4, True)):
        game = Driven({}, [100, stack, 100], hands={0: ACES})
        game.do("0 open 2", "1 call", "2 call")
        _, hand = play(game.hand, game.command("0 draw 9h"))
        _, hand = play(hand, Leave(1))
        supply = answer_to(hand, game._deck)
        assert isinstance(supply, SupplyDraw)
        _, hand = play(hand, supply)
        assert hand.players[1].folded == folded


def test_a_later_departure_takes_no_deferred_card_from_an_earlier_seat() -> None:
    """B4, B8: who left gets none of those owed to it, everybody else does."""
    game = Driven({}, [100] * 3, hands={0: ACES})
    game.do("0 open 2", "1 call", "2 call", "0 draw Ad Jc Ts 9h")
    game.do("1 draw " + game.cards(1)[:11])
    _, hand = play(game.hand, game.command("2 draw " + game.cards(2)[:11]))
    supply = answer_to(hand, game._deck)
    assert isinstance(supply, SupplyDraw)
    _, hand = play(hand, supply)
    _, hand = play(hand, Leave(2))
    while (answer := answer_to(hand, game._deck)) is not None:
        _, hand = play(hand, answer)
    assert [len(player.cards) for player in hand.players] == [5, 5, 4]
