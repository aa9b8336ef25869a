"""The showdown: show order, shares, odd chips, concessions (`RULES.md B7`)."""

from __future__ import annotations

import pytest

from servito_core import events as e
from servito_core.cards import parse_cards
from servito_core.commands import Concede, SupplyWinners, TableHand
from servito_core.hand import legal_actions, play, waiting_for
from servito_core.refusals import Reason, Refused
from servito_core.rules import RuleSet
from servito_core.showdown import divide
from servito_core.state import HandState, Offer, PlayerState, WinnersNeeded
from servito_core.values import Category, HandValue, SfKind
from tests.core.hand.driven import Driven

MASSIMA, MINIMA, MEDIA = "Th Jh Qh Kh Ah", "Ac 7c 8c 9c Tc", "8d 9d Td Jd Qd"
OTHER = "Ks Qs 9s 8h 7h"


def _shown(game: Driven) -> list[int]:
    return [event.seat for event in game.of(e.HandShown)]


def test_the_last_who_bet_in_the_second_round_shows_first() -> None:
    """B7: then clockwise, live hands only, winners or not."""
    game = Driven({}, hands={0: "Ah Ad Jc Ts 9h"})
    game.do("0 open 2", "1 call", "2 call", "3 call", *(f"{seat} draw" for seat in range(4)))
    game.do("0 check", "1 check", "2 bet 2", "3 fold", "0 call", "1 call")
    assert _shown(game) == [2, 0, 1]


def test_without_a_bet_the_first_speaker_shows_first() -> None:
    """B7: if he has left, the next live seat clockwise."""
    game = Driven({}, hands={1: "Ah Ad Jc Ts 9h"})
    game.do("0 pass", "1 open 2", "2 call", "3 call", "0 call", *(f"{seat} draw" for seat in range(4)))
    game.do("1 check", "2 check", "1 leave", "3 check", "0 check")
    assert _shown(game) == [2, 3, 0]


def test_three_kinds_of_straight_flush_share_the_pot() -> None:
    """B7: a third each; the odd chip goes clockwise from the button's left."""
    game = Driven({}, [20, 20, 20, 20], hands={0: MASSIMA, 1: MINIMA, 2: MEDIA, 3: OTHER})
    game.do("0 open 1", "1 call", "2 call", "3 fold", *(f"{seat} draw" for seat in range(3)))
    game.do("0 check", "1 check", "2 check")
    assert game.pots == [(7, {0, 1, 2}, {0: 3, 1: 2, 2: 2})]


def test_a_fold_moves_the_pot_between_two_others() -> None:
    """B7: minima beats massima, massima media; with the massima folded, the media beats the minima."""
    for folds, winner in ((1, 0), (0, 2), (2, 1)):
        game = Driven({}, hands={0: MASSIMA, 1: MINIMA, 2: MEDIA, 3: OTHER})
        game.do(
            "0 open 1", "1 call", "2 call", "3 fold", *(f"{seat} draw" for seat in range(3)), f"{folds} leave"
        )
        while not game.over:
            game.do(f"{game.to_act} check")
        assert {seat for seat, share in game.pots[0][2].items() if share} == {winner}


def _divided(
    options: dict[str, object], amount: int, cards: list[str], values: list[HandValue]
) -> dict[int, int]:
    players = [PlayerState(seat, 0, cards=parse_cards(held)) for seat, held in enumerate(cards)]
    hand = HandState(RuleSet.from_options(options), 1, 0, 7, "JJ", False, 0, players)
    return divide(hand, amount, range(len(cards)), dict(enumerate(values)))


STRAIGHT = HandValue(Category.STRAIGHT, (14,))
EQUAL = ["Ts Jd Qc Ks Ad", "Td Jc Qs Kh Ah", "Tc Js Qh Kd Ac"]


@pytest.mark.parametrize(
    ("odd_chip", "shares"),
    [
        ("left_of_dealer", {0: 7, 1: 7, 2: 6}),
        ("highest_suit", {0: 6, 1: 8, 2: 6}),
        ("next_pot", {0: 6, 1: 6, 2: 6}),
    ],
)
def test_odd_chips(odd_chip: str, shares: dict[int, int]) -> None:
    """`odd_chip`: one each from the button's left, all to the highest suit, or left for the next deal."""
    options: dict[str, object] = {"suit_tiebreak": "none", "odd_chip": odd_chip}
    assert _divided(options, 20, EQUAL, [STRAIGHT] * 3) == shares


def test_two_winners_halve_the_pot() -> None:
    """B7: the odd chip goes to the one nearer to the button's left."""
    assert _divided({"suit_tiebreak": "none"}, 9, EQUAL[:2], [STRAIGHT] * 2) == {0: 5, 1: 4}


def test_the_highest_suit_is_that_of_the_card_that_names_the_hand() -> None:
    """`odd_chip=highest_suit`: of a pair its better card, whatever the side cards are."""
    pair = HandValue(Category.ONE_PAIR, (11, 13, 10, 9))
    options: dict[str, object] = {"suit_tiebreak": "none", "odd_chip": "highest_suit"}
    assert _divided(options, 9, ["Jd Jc Kh Th 9h", "Js Jh Ks Ts 9s"], [pair] * 2) == {0: 4, 1: 5}


def test_odd_chips_of_the_next_pot_are_carried() -> None:
    """`odd_chip=next_pot`: chips are conserved, the pot counts as awarded."""
    options: dict[str, object] = {"suit_tiebreak": "none", "odd_chip": "next_pot", "open.requirement": "none"}
    game = Driven(options, [100] * 4, hands=dict(enumerate(["7s 8s 9s 7h 8h", *EQUAL])))
    game.do("0 check", "1 bet 2", "2 call", "3 call", "0 fold", "1 draw", "2 draw", "3 draw")
    game.do("1 check", "2 check", "3 check")
    assert game.hand.pot == 1
    assert game.of(e.HandEnded)[0].carried == 1
    assert game.next().hand.carried == 1


def test_a_tie_within_a_kind_shares_the_third_of_that_kind() -> None:
    """`sf_standoff=best_of_each_type` when suits do not count; all_holders divides by heads."""
    kinds = [SfKind.MASSIMA, SfKind.MASSIMA, SfKind.MEDIA, SfKind.MINIMA]
    values = [HandValue(Category.STRAIGHT_FLUSH, (14,), kind) for kind in kinds]
    cards = [MASSIMA, "Ts Js Qs Ks As", MEDIA, MINIMA]
    assert _divided({"suit_tiebreak": "none"}, 60, cards, values) == {0: 10, 1: 10, 2: 20, 3: 20}
    assert _divided({"sf_standoff": "all_holders"}, 60, cards, values) == {0: 15, 1: 15, 2: 15, 3: 15}


def test_the_highest_suit_brings_the_odd_chips_to_its_third() -> None:
    """`odd_chip=highest_suit`: the odd chips of the thirds go there, and its own odd one to that suit."""
    tops = {SfKind.MEDIA: 12, SfKind.MASSIMA: 14, SfKind.MINIMA: 10}
    kinds = [SfKind.MEDIA, SfKind.MASSIMA, SfKind.MASSIMA, SfKind.MINIMA]
    values = [HandValue(Category.STRAIGHT_FLUSH, (tops[kind],), kind) for kind in kinds]
    cards = [MEDIA, "Ts Js Qs Ks As", MASSIMA, MINIMA]
    options: dict[str, object] = {"suit_tiebreak": "none", "odd_chip": "highest_suit"}
    assert _divided(options, 62, cards, values) == {0: 20, 1: 11, 2: 11, 3: 20}
    assert _divided(options, 61, cards, values) == {0: 20, 1: 10, 2: 11, 3: 20}


def test_two_of_one_kind_halve_a_pot_that_has_no_standoff() -> None:
    """B7: thirds are for three kinds that meet, not for two equal hands of one."""
    massima = HandValue(Category.STRAIGHT_FLUSH, (14,), SfKind.MASSIMA)
    cards = [MASSIMA, "Ts Js Qs Ks As"]
    assert _divided({"suit_tiebreak": "none", "odd_chip": "next_pot"}, 60, cards, [massima] * 2) == {
        0: 30,
        1: 30,
    }


def test_fewer_chips_than_winners() -> None:
    """B7: chips go one each as far as they reach."""
    assert _divided({"suit_tiebreak": "none"}, 2, EQUAL, [STRAIGHT] * 3) == {0: 1, 1: 1, 2: 0}


def _conceding() -> Driven:
    """Three straight flushes at a showdown where hands may be conceded; the minima showed last of all."""
    game = Driven({"show.muck": "may_concede"}, hands={0: MASSIMA, 1: MINIMA, 2: MEDIA, 3: OTHER})
    game.do("0 open 1", "1 call", "2 call", "3 fold", *(f"{seat} draw" for seat in range(3)))
    game.do("0 check", "1 check", "2 check")
    return game


def test_a_concession_changes_what_the_others_win() -> None:
    """`show.muck=may_concede`: in show order each seat tables or concedes; conceded hands do not exist."""
    game = _conceding()
    assert legal_actions(game.hand, 0) == Offer(0, can_table=True, can_concede=True)
    assert game.to_act == 0
    game.do("0 timeout")
    assert game.of(e.HandTabled) == [e.HandTabled(0, parse_cards(MASSIMA))]
    _, game.hand = play(game.hand, Concede(1))
    game.do("2 timeout")
    assert game.stacks[0] == 98 + 7


def test_a_hand_that_is_tabled_is_seen_by_all() -> None:
    """`show.muck=may_concede`: at once, before the others have answered."""
    events, hand = play(_conceding().hand, TableHand(0))
    assert events == (e.HandTabled(0, parse_cards(MASSIMA)),)
    assert hand.players[0].shown
    assert hand.to_act == 1


def test_who_is_left_by_concessions_wins_unseen() -> None:
    """`show.muck=may_concede`: the last seat has nothing to show for."""
    game = _conceding()
    for seat in (0, 1):
        _, game.hand = play(game.hand, Concede(seat))
    assert game.hand.outcome == "uncontested"
    assert not game.hand.players[2].shown
    assert game.stacks[2] == 98 + 7


def test_leaving_at_the_showdown_tables_the_hand() -> None:
    """B8: betting is over, there is nothing left to fold to."""
    game = _conceding()
    game.do("1 leave", "0 timeout", "2 timeout")
    assert game.pots[0][2] == {0: 3, 1: 2, 2: 2}


@pytest.mark.parametrize("winners", [(), (frozenset(),), (frozenset({3}),), (frozenset({0}), frozenset({1}))])
def test_winners_that_do_not_fit_the_pots_are_refused(winners: tuple[frozenset[int], ...]) -> None:
    """Each pot needs a non-empty set of seats that are entitled to it."""
    game = Driven({}, hands={0: MASSIMA, 1: MINIMA, 2: MEDIA, 3: OTHER})
    game.do("0 open 1", "1 call", "2 call", "3 fold", *(f"{seat} draw" for seat in range(3)))
    game.do("0 check", "1 check")
    _, hand = play(game.hand, game.command("2 check"))
    needed = waiting_for(hand)
    assert isinstance(needed, WinnersNeeded)
    assert needed.contests == ((0, 1, 2),)
    values = dict.fromkeys(needed.hands, STRAIGHT)
    with pytest.raises(Refused) as refusal:
        play(hand, SupplyWinners(winners, values))
    assert refusal.value.reason is Reason.MALFORMED
    assert play(hand, SupplyWinners((frozenset({0}),), values))


def test_every_pot_needs_winners_of_its_own() -> None:
    """One answer that fits does not excuse another: a seat that is all-in for less has no side pot."""
    game = Driven({"ante": 10}, [40, 500, 500, 500], hands={0: MASSIMA, 1: MINIMA, 2: MEDIA, 3: OTHER})
    game.do("0 open 30", "1 call", "2 call", "3 fold", *(f"{seat} draw" for seat in range(3)), "1 bet 50")
    _, hand = play(game.hand, game.command("2 call"))
    needed = waiting_for(hand)
    assert isinstance(needed, WinnersNeeded)
    assert needed.contests == ((0, 1, 2), (1, 2))
    values = dict.fromkeys(needed.hands, STRAIGHT)
    with pytest.raises(Refused) as refusal:
        play(hand, SupplyWinners((frozenset({0}), frozenset({0})), values))
    assert refusal.value.reason is Reason.MALFORMED


def test_winners_wait_for_the_last_concession() -> None:
    """`show.muck=may_concede`: as long as somebody may concede, who wins is not known."""
    game = _conceding()
    early = SupplyWinners((frozenset({0}),), dict.fromkeys(range(3), STRAIGHT))
    with pytest.raises(Refused) as refusal:
        play(game.hand, early)
    assert refusal.value.reason is Reason.ACTION_NOT_AVAILABLE
