"""Faults in dealing and drawing, replayed (DR and RN entries of poker_bugs.json).

Shuffles are those of the dealer in production, read from fixed seeds.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import product
from math import cbrt, sqrt
from typing import TYPE_CHECKING

import pytest

from servito_core import commands as c
from servito_core import events as e
from servito_core.cards import Card, deck_from, format_cards, parse_cards
from servito_core.deals import FIRST, Entrant, after, start_hand
from servito_core.evolve import replay
from servito_core.hand import legal_actions, play
from servito_core.refusals import Reason, Refused
from servito_core.rules import RuleSet
from servito_core.state import CardsNeeded
from servito_script.handscript import run_text
from servito_script.judging import play_on, serve
from servito_script.known_deck import KnownDeck
from tests.cases.bugs import TESTS, options_of
from tests.core.hand.driven import Driven
from tests.core.hand.random_play import apart
from tests.dealer.decks import order

if TYPE_CHECKING:
    from servito_core.commands import Command
    from servito_core.deals import Between
    from servito_core.state import HandState

ACES, KINGS = "Ah Ad Jc Ts 9h", "Kh Kd Jd Th 9d"
SEED = bytes(range(32))


def _five_players() -> Driven:
    """DR-04: 36 cards, seat 3 folds in the first round, a stock of 11."""
    game = Driven(options_of("DR-04"), [100] * 5, hands={0: ACES})
    game.do("0 open 1", "1 call", "2 call", "3 fold", "4 call")
    return game


def test_dead_cards_are_dealt_only_when_the_stock_is_out() -> None:
    """DR-04: the stock in its order to the last card, then two of the 15 that others threw away or folded."""
    game = _five_players()
    stock = [game._deck._cards[position] for position in game._deck._stock]
    held = {seat: parse_cards(game.cards(seat)) for seat in range(5)}
    assert len(stock) == 11
    for seat, count in ((0, 5), (1, 5), (2, 3)):
        game.do(f"{seat} draw {format_cards(held[seat][:count])}")
    first, second, third = (event.cards for event in game.of(e.CardsDrawn))
    assert [*first, *second, *third[:1]] == stock
    assert set(third[1:]) <= {*held[0], *held[1], *held[3]}
    assert [event.shuffled for event in game.of(e.CardsDrawn)] == [(), (), (15,)]
    game.do("4 draw")
    assert game.hand.stock == 13


def test_a_repeated_discard_is_refused_before_anything_moves() -> None:
    """DR-05: the first, the first again and the third card: refused; the first and third: two new cards."""
    game = Driven(options_of("DR-05"), hands={0: ACES, 1: KINGS})
    game.do("0 open 2", "1 call", "2 fold", "3 fold")
    held = [format_cards([card]) for card in game.hand.players[0].cards]
    assert game.refused(f"0 draw {held[0]} {held[0]} {held[2]}") == "duplicate_card"
    game.do(f"0 draw {held[0]} {held[2]}")
    player = game.hand.players[0]
    assert format_cards(player.discards) == f"{held[0]} {held[2]}"
    assert len(game.of(e.CardsDrawn)[0].cards) == 2
    assert len(player.cards) == 5


@pytest.mark.parametrize(
    ("options", "thrown", "result"),
    [
        ({}, "Ah Ad Jc Ts 9h Kd", "too_many_discards"),
        ({}, "Kd", "card_not_held"),
        ({}, "x", "malformed"),
        ({}, "Ah Ad Jc Ts 9h", "too_many_discards"),
        ({}, "", [0]),
        ({}, "Ad Jc Ts 9h", [3, 1]),
        ({"draw.max": 5}, "Ah Ad Jc Ts 9h", [3, 2]),
        ({"draw.max": 5}, "Ah Ad Jc Ts 9h Kd", "too_many_discards"),
    ],
)
def test_no_more_cards_are_changed_than_allowed(
    options: dict[str, object], thrown: str, result: str | list[int]
) -> None:
    """DR-07: six, one not held, no card, five: refused; none stands pat; four are three and one."""
    game = Driven(options_of("DR-07") | options, hands={0: ACES, 1: "Kh Kc Jd Th 9d"})
    game.do("0 open 2", "1 call", "2 fold", "3 fold")
    if isinstance(result, str):
        assert game.refused(f"0 draw {thrown}") == result
        return
    game.do(f"0 draw {thrown}", "1 draw")
    came = [event for event in game.of(e.CardsDrawn) if event.seat == 0]
    assert [len(event.cards) for event in came] == [count for count in result if count]
    assert [event.deferred for event in came] == [False, True][: len(came)]
    assert len(game.hand.players[0].cards) == 5


def _dealt(
    rules: RuleSet, entrants: list[Entrant], between: Between, number: int
) -> tuple[HandState, KnownDeck]:
    """A hand whose cards came from the dealer's own shuffle; refills come in the order of the discards."""
    hand = replay(rules, start_hand(rules, entrants, between, len(entrants)))
    deck = KnownDeck(order(SEED, f"table-{number}", hand.lowest_rank), list)
    return serve(hand, deck)[1], deck


def _calm(hand: HandState, seat: int) -> Command:
    """Opens, checks and calls for as little as possible, and stands pat."""
    offer = legal_actions(hand, seat)
    assert offer is not None
    if offer.open is not None:
        return c.Open(seat, offer.open[0])
    if offer.draw is not None:
        return c.Draw(seat)
    if offer.call is not None:
        return c.Call(seat)
    return c.Pass(seat) if offer.can_pass else c.Check(seat)


def _calmly_played(hand: HandState, deck: KnownDeck) -> HandState:
    """The hand after everybody has acted calmly to its end."""
    while hand.to_act is not None:
        _, hand = play_on(hand, _calm(hand, hand.players[hand.to_act].seat), deck)
    return hand


def test_sixty_hands_each_from_a_full_deck_of_its_size() -> None:
    """DR-11: 6, 5, 4, 3 and 5 players, twelve hands each: 40, 36, 32, 28 and 36 cards, all there once."""
    rules, between = RuleSet.from_options(options_of("DR-11")), FIRST
    decks: list[tuple[int, int]] = []
    for number in range(60):
        entrants = [Entrant(seat, 500) for seat in range((6, 5, 4, 3, 5)[number // 12])]
        hand, deck = _dealt(rules, entrants, between, number)
        held = [card for player in hand.players for card in player.cards]
        assert held != sorted(held)
        assert len(held) + hand.stock == len(deck_from(hand.lowest_rank))
        assert sorted(held + [deck._cards[place] for place in deck._stock]) == list(
            deck_from(hand.lowest_rank)
        )
        decks.append((len(held) + hand.stock, hand.lowest_rank))
        between = after(between, _calmly_played(hand, deck))
    assert decks[::12] == [(40, 5), (36, 6), (32, 7), (28, 8), (36, 6)]
    assert all(decks[first : first + 12] == [decks[first]] * 12 for first in range(0, 60, 12))


def test_nobody_holds_what_another_holds() -> None:
    """DR-12: 500 hands of nine who all stand pat: 45 different cards, from the deal to the end."""
    rules, between = RuleSet.from_options(options_of("DR-12")), FIRST
    for number in range(500):
        hand, deck = _dealt(rules, [Entrant(seat, 500) for seat in range(9)], between, number)
        ended = _calmly_played(hand, deck)
        for state in (hand, ended):
            assert len({card for player in state.players for card in player.cards}) == 45
        between = after(between, ended)


@pytest.mark.parametrize(("wrong", "why"), [("Jd", "a card twice"), ("6h", "a card of no deck of 32")])
def test_a_deck_with_a_wrong_card_is_refused(wrong: str, why: str) -> None:
    """DR-12: neither a script nor an answer of the dealer may name a card twice, or one of another deck."""
    script = json.loads((TESTS / "cases" / "hands" / "s01.json").read_text())
    hands = script["deals"][0]["hands"]
    assert wrong not in hands["P4"]
    hands["P4"] = f"{wrong} {hands['P4'][3:]}"
    assert "five cards each" in run_text(json.dumps(script), "s01").difference, why

    hand = replay(RuleSet(), start_hand(RuleSet(), [Entrant(seat, 100) for seat in range(4)], FIRST, 4))
    good = KnownDeck(deck_from(7), list).answer(hand, CardsNeeded(entry=0))
    assert isinstance(good, c.SupplyDeal)
    bad = {"Jd": good.hands[0].cards[0], "6h": parse_cards("6h")[0]}[wrong]
    last = good.hands[-1]
    dealt = c.DealtTo(last.seat, (*last.cards[:4], bad), last.positions)
    before = apart(hand)
    with pytest.raises(Refused) as refusal:
        play(hand, c.SupplyDeal((*good.hands[:-1], dealt)))
    assert refusal.value.reason is Reason.MALFORMED
    assert hand == before
    assert play(hand, good)


@pytest.mark.parametrize("stacks", [[100, 100, 100, 100], [2, 100, 100, 100]], ids=["chips", "all-in"])
@pytest.mark.parametrize("counts", list(product((0, 3), repeat=4)))
def test_any_mix_of_discards_and_standing_pat_goes_on(counts: tuple[int, ...], stacks: list[int]) -> None:
    """DR-13: each of the 16 mixes reaches the second round once, all with five cards, also an all-in seat."""
    game = Driven(options_of("DR-13"), stacks, hands={1: ACES})
    game.do("0 pass", "1 open 2", "2 call", "3 call", "0 call")
    for seat, count in enumerate(counts):
        assert game.to_act == seat
        game.do(f"{seat} draw {format_cards(game.hand.players[seat].cards[:count])}")
    assert len(game.of(e.SecondRoundBegan)) == 1
    assert [len(player.cards) for player in game.hand.players] == [5] * 4
    assert [len(event.cards) for event in game.of(e.CardsDrawn)] == [count for count in counts if count]
    game.do("1 check", "2 check", "3 check")
    if not game.over:
        game.do("0 check")
    assert game.hand.outcome is e.Outcome.SHOWDOWN


def _tail(chi_square: float, freedom: int) -> float:
    """How many standard deviations a chi-square of many degrees of freedom lies above its mean (Wilson and
    Hilferty).
    """
    spread = 2 / (9 * freedom)
    return (cbrt(chi_square / freedom) - (1 - spread)) / sqrt(spread)


P_1E_6 = 4.7534
"""So many standard deviations are exceeded once in a million."""


def test_every_order_is_equally_likely() -> None:
    """RN-01: where each card lies in 100,000 shuffles of 32 cards, and which two lie on top."""
    deck = deck_from(7)
    places: Counter[int] = Counter()
    pairs: Counter[tuple[int, int]] = Counter()
    for number in range(100_000):
        cards = order(SEED, f"table-{number}", 7)
        places.update([32 * place + card for place, card in enumerate(cards)])
        pairs[cards[0], cards[1]] += 1
    cells = [places[32 * place + card] for place in range(32) for card in deck]
    assert sum(cells) == 3_200_000
    scattered = sum((cell - 3125) ** 2 for cell in cells) / 3125 * 31 / 32
    assert _tail(scattered, 961) < P_1E_6
    on_top = 100_000 / (32 * 31)
    expected = [(one, other) for one in deck for other in deck if one != other]
    assert sum(pairs[pair] for pair in expected) == 100_000
    assert _tail(sum((pairs[pair] - on_top) ** 2 for pair in expected) / on_top, 32 * 31 - 1) < P_1E_6


def test_a_biased_shuffle_would_be_found() -> None:
    """RN-01: swapping with any place, the usual fault, lies far beyond the same bound."""
    rng = random.Random(1)
    places: Counter[int] = Counter()
    for _ in range(20_000):
        order = list(range(32))
        for place in range(32):
            other = rng.randrange(32)
            order[place], order[other] = order[other], order[place]
        places.update([32 * place + card for place, card in enumerate(order)])
    scattered = sum((places[cell] - 625) ** 2 for cell in range(1024)) / 625 * 31 / 32
    assert _tail(scattered, 961) > 10 * P_1E_6


def test_no_card_prefers_a_place_in_the_stock() -> None:
    """RN-04: the first card of the stock after 20,000 deals to four: each of 32 within 5 sigma."""
    first: Counter[Card] = Counter()
    for number in range(20_000):
        cards = order(SEED, f"deal-{number}", 7)
        first[cards[20]] += 1
    sigma = sqrt(20_000 * (1 / 32) * (31 / 32))
    assert first.keys() == set(deck_from(7))
    assert all(abs(count - 20_000 / 32) < 5 * sigma for count in first.values())
