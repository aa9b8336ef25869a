"""The draw: how many, from where, in which order (`RULES.md B4`; DR entries of poker_bugs.json)."""

from __future__ import annotations

from itertools import product

import pytest

from servito_core import events as e
from servito_core.cards import Card, deck_from, parse_cards
from servito_core.commands import DealtTo, Draw, Leave, SupplyDeal, SupplyDraw
from servito_core.deals import Between
from servito_core.hand import play, waiting_for
from servito_core.refusals import Reason, Refused
from servito_core.state import CardsNeeded
from servito_script.judging import answer_to
from tests.core.hand.driven import Driven

ACES = "Ah Ad Jc Ts 9h"
FIVE = {"draw.max": 5, "draw.deferred": "none"}


def _drawing(options: dict[str, object] | None = None, stacks: int = 4, **more: object) -> Driven:
    """Everybody calls; the draw begins."""
    game = Driven(options, [100] * stacks, hands={0: ACES}, **more)  # type: ignore[arg-type] # the builder's own keywords
    game.do("0 open 1", *(f"{seat} call" for seat in range(1, stacks)))
    return game


def test_recycled_cards_come_only_when_the_stock_is_empty() -> None:
    """DR-04, five at once: the stock of 11 in order, then a pool of 15 without one's own discards."""
    game = Driven(FIVE, [100] * 5, hands={0: "Ah Ad Jc Ts 9h"})
    game.do("0 open 1", "1 call", "2 call", "3 fold", "4 call")
    stock = game._deck._stock[:]
    own = {seat: game.cards(seat) for seat in range(5)}
    game.do(f"0 draw {own[0]}", f"1 draw {own[1]}", "2 draw " + " ".join(own[2].split()[:3]))
    drawn = [position for event in game.of(e.CardsDrawn) for position in event.positions]
    assert drawn[:11] == stock
    assert game.of(e.CardsDrawn)[2].shuffled == (15,)
    game.do("4 draw")
    assert game.hand.stock == 13


def test_recycled_cards_with_three_at_once() -> None:
    """DR-04 under `italiana`: 9 of the stock, then 2 and a pool of 16, then the deferred cards; 13 are
    left.
    """
    game = Driven({}, [100] * 5, hands={0: ACES})
    game.do("0 open 1", "1 call", "2 call", "3 fold", "4 call")
    for seat, count in ((0, 4), (1, 4), (2, 3), (4, 3)):
        game.do(f"{seat} draw " + " ".join(game.cards(seat).split()[:count]))
    drawn = game.of(e.CardsDrawn)
    assert [(len(event.cards), event.deferred, event.shuffled) for event in drawn] == [
        (3, False, ()),
        (3, False, ()),
        (3, False, ()),
        (3, False, (16,)),
        (1, True, ()),
        (1, True, ()),
    ]
    assert game.hand.stock == 13


def test_a_card_is_thrown_away_once() -> None:
    """DR-05, DR-07: the whole list is checked before anything moves."""
    game = _drawing()
    assert game.refused("0 draw Ah Ah Jc") == "duplicate_card"
    assert game.refused("0 draw Ah Ad Jc Ts 9h") == "too_many_discards"
    assert game.refused("0 draw Kd") == "card_not_held"
    assert game.refused("0 draw 10h") == "malformed"
    game.do("0 draw Ah Jc")
    assert len(game.of(e.CardsDrawn)[0].cards) == 2
    assert _drawing({"draw.max": 5}).legal == {"draw": [0, 5]}


def test_each_live_seat_draws_once_in_order() -> None:
    """DR-09: out of turn and twice are refused; the second round begins after the last."""
    game = Driven({}, hands={0: ACES})
    game.do("0 open 1", "1 fold", "2 call", "3 call")
    assert game.refused("2 draw") == "not_your_turn"
    game.do("0 draw Ah Ad")
    assert game.refused("0 draw Jc") == "not_your_turn"
    game.do("2 draw", "3 draw " + " ".join(game.cards(3).split()[:3]))
    assert game.to_act == 0
    assert game.of(e.SecondRoundBegan)


@pytest.mark.parametrize("counts", list(product((0, 3), repeat=4)))
def test_any_mix_of_draws_reaches_the_second_round_once(counts: tuple[int, ...]) -> None:
    """DR-13: also with an all-in seat among them, which draws too."""
    game = Driven({}, [2, 100, 100, 100], hands={1: ACES})
    game.do("0 pass", "1 open 2", "2 call", "3 call", "0 call")
    for seat, count in enumerate(counts):
        game.do(f"{seat} draw " + " ".join(game.cards(seat).split()[:count]))
    assert len(game.of(e.SecondRoundBegan)) == 1
    assert all(len(player.cards) == 5 for player in game.hand.players)


@pytest.mark.parametrize("others", [(1, 2), (1,)])
def test_who_left_before_his_owed_card_was_due_does_not_get_it(others: tuple[int, ...]) -> None:
    """RULES.md B8: leaving folds, so the fourth card of a seat that left while the one before it was served
    stays in the stock, for the next seat or for nobody.
    """
    game = Driven({}, [100] * (1 + len(others)), hands={0: ACES})
    game.do("0 open 1", *(f"{seat} call" for seat in others))
    for seat in (0, *others[:-1]):
        game.do(f"{seat} draw " + " ".join(game.cards(seat).split()[:4]))
    last = others[-1]
    thrown = tuple(parse_cards(game.cards(last))[:4])
    events, hand = play(game.hand, Draw(last, thrown))
    for leaver in (None, others[0]):  # three cards for the last seat, then the fourth of seat 0 is under way
        if leaver is not None:
            _, hand = play(hand, Leave(leaver))
        answer = answer_to(hand, game._deck)
        assert isinstance(answer, SupplyDraw)
        events, hand = play(hand, answer)
    assert e.Folded(others[0]) in events
    waiting = waiting_for(hand)
    if len(others) == 1:
        assert events[-1] == e.HandEnded(e.Outcome.UNCONTESTED, 0, "JJ", False)
    else:
        assert isinstance(waiting, CardsNeeded)
        assert hand.players[waiting.slot or 0].seat == last
    assert sum(len(player.cards) for player in hand.players if player.folded) == 4


def test_every_deal_starts_from_a_full_deck_of_its_size() -> None:
    """DR-11: the deck follows the players dealt in, from hand to hand."""
    between = Between()
    for players, lowest in ((6, 5), (5, 6), (4, 7), (3, 8), (5, 6)):
        game = Driven({}, [100] * players, between=between)
        assert game.hand.lowest_rank == lowest
        assert game.hand.stock + 5 * players == len(deck_from(lowest)) == 4 * players + 16
        between = Between(button=game.hand.button)


def test_nobody_draws_more_than_is_left_where_the_rules_cap() -> None:
    """`draw.exhaust=cap`: less the cards owed to earlier seats, and the offer says so."""
    game = _drawing({"draw.exhaust": "cap"}, 9)
    offered = []
    for seat in range(9):
        offered.append(game.legal["draw"][1])
        game.do(f"{seat} draw " + " ".join(game.cards(seat).split()[: min(4, offered[-1])]))
    assert offered == [4, 3, 0, 0, 0, 0, 0, 0, 0]
    assert [event.deferred for event in game.of(e.CardsDrawn)] == [False, False, True]
    assert not any(event.shuffled for event in game.of(e.CardsDrawn))


def test_all_discards_may_be_shuffled_in() -> None:
    """`draw.exhaust=reshuffle_all_discards`: his own too, and nothing is passed over."""
    game = _drawing({"draw.exhaust": "reshuffle_all_discards"}, 9)
    for seat in range(3):
        game.do(f"{seat} draw " + " ".join(game.cards(seat).split()[:3]))
    assert game.of(e.CardsDrawn)[2].shuffled == (9,)


def test_folded_hands_may_stay_out_of_the_pool() -> None:
    """`draw.folded_in_pool`."""
    for options, size in (({}, 11), ({"draw.folded_in_pool": False}, 6)):
        game = Driven(options, [100] * 9, hands={0: ACES})
        game.do("0 open 1", "1 fold", *(f"{seat} call" for seat in range(2, 9)))
        for seat in (0, 2, 3):
            game.do(f"{seat} draw " + " ".join(game.cards(seat).split()[:3]))
        assert game.of(e.CardsDrawn)[2].shuffled == (size,)


def test_his_own_discards_are_the_last_resort() -> None:
    """B4: ten hands leave two cards; the first who draws gets them, then his own; his own never come back
    alone.
    """
    game = Driven({"players.max": 10, "players.ten": "all_play"}, [100] * 10, hands={0: ACES})
    game.do("0 open 1", *(f"{seat} call" for seat in range(1, 10)))
    game.do("0 draw Jc Ts 9h")
    drawn = game.of(e.CardsDrawn)[0]
    assert drawn.shuffled == (3,)
    assert drawn.cards[2] in parse_cards("Jc Ts 9h")


SPLIT = {0: "Jh Jd Ah Kh Qh", 1: "As Ad Kd Tc 9c"}


def test_an_opener_may_break_his_opening_in_silence() -> None:
    """`draw.opener_split=allowed`."""
    game = Driven({}, hands=SPLIT)
    game.do("0 open 1", "1 call", "2 fold", "3 fold", "0 draw Jd")
    assert not game.of(e.OpeningJudged)


def test_an_opener_may_have_to_announce_it() -> None:
    """`draw.opener_split=announce`: a public flag, and all his discards stay out of any reshuffle."""
    game = Driven({"draw.opener_split": "announce"}, [100] * 9, hands={0: "Jh Jd Ah Kh Qh"})
    game.do("0 open 1", *(f"{seat} call" for seat in range(1, 9)), "0 draw Jd Qh")
    assert game.of(e.OpeningJudged) == [e.OpeningJudged(0, True)]
    for seat in (1, 2):
        game.do(f"{seat} draw " + " ".join(game.cards(seat).split()[:3]))
    assert game.of(e.CardsDrawn)[2].shuffled == (3,)
    assert game.hand.reshuffled.isdisjoint(game.hand.players[0].discard_positions)
    kept = Driven({"draw.opener_split": "announce"}, hands=SPLIT)
    kept.do("0 open 1", "1 call", "2 fold", "3 fold", "0 draw Ah Kh Qh")
    assert kept.of(e.OpeningJudged) == [e.OpeningJudged(0, False)]


def test_an_opener_may_be_forbidden_to_break_it() -> None:
    """`draw.opener_split=forbidden`: refused, and nothing changes; what still opens may be kept."""
    game = Driven({"draw.opener_split": "forbidden"}, hands=SPLIT)
    game.do("0 open 1", "1 call", "2 fold", "3 fold")
    assert game.refused("0 draw Jd") == "openers_required"
    game.do("0 draw Ah Kh Qh", "1 draw As Ad Kd")
    assert len(game.of(e.CardsDrawn)) == 2


def test_kept_cards_may_open_otherwise_than_dealt() -> None:
    """B4: of two pair one may go, if the other still opens."""
    hands = {0: "Jh Jd Qh Qs 9c"}
    game = Driven({"draw.opener_split": "forbidden"}, hands=hands)
    game.do("0 open 1", "1 call", "2 fold", "3 fold", "0 draw Jh Jd 9c")
    assert game.of(e.OpeningJudged) == [e.OpeningJudged(0, False)]


def _waiting_for_cards() -> tuple[Driven, CardsNeeded]:
    game = _drawing()
    _, game.hand = play(game.hand, Draw(0, parse_cards("Ts 9h")))
    request = waiting_for(game.hand)
    assert isinstance(request, CardsNeeded)
    return game, request


def test_cards_that_do_not_answer_the_request_are_refused() -> None:
    """Another entry, seat or number; a card twice, one that somebody holds or threw away, one of another
    deck.
    """
    game, request = _waiting_for_cards()
    good = answer_to(game.hand, game._deck)
    assert isinstance(good, SupplyDraw)
    one, other = good.dealt.cards
    for entry, seat, cards, shuffled in (
        (request.entry + 1, 0, (one, other), ()),
        (request.entry, 1, (one, other), ()),
        (request.entry, 0, (one,), ()),
        (request.entry, 0, (one, one), ()),
        (request.entry, 0, (one, parse_cards("Ah")[0]), ()),
        (request.entry, 0, (one, parse_cards("9h")[0]), ()),
        (request.entry, 0, (one, parse_cards("6h")[0]), ()),
        (request.entry, 0, (one, Card(52)), ()),
        (request.entry, 0, (one, other), (3,)),
    ):
        dealt = DealtTo(seat, cards, tuple(range(20, 20 + len(cards))))
        with pytest.raises(Refused) as refusal:
            play(game.hand, SupplyDraw(entry, dealt, shuffled))
        assert refusal.value.reason is Reason.MALFORMED
    assert play(game.hand, good)


def test_answers_that_nobody_waits_for_are_refused() -> None:
    """The same cards twice, a deal in the middle of a hand."""
    game, _ = _waiting_for_cards()
    good = answer_to(game.hand, game._deck)
    assert good is not None
    _, hand = play(game.hand, good)
    for late in (good, SupplyDeal(())):
        with pytest.raises(Refused) as refusal:
            play(hand, late)
        assert refusal.value.reason is Reason.ACTION_NOT_AVAILABLE


def test_the_entries_of_the_dealers_record_are_counted() -> None:
    """One after the other, from 1, deferred ones too; standing pat needs none."""
    game = _drawing()
    game.do("0 draw Ah Jc Ts 9h", "1 draw", *(f"{seat} draw {game.cards(seat)[:5]}" for seat in (2, 3)))
    assert [event.entry for event in game.of(e.CardsDrawn)] == [1, 2, 3, 4]


def test_refills_are_named_only_when_the_stock_is_too_small() -> None:
    """A stock that just serves the request needs none."""
    game = _drawing({}, 9)
    for seat in (0, 1):
        game.do(f"{seat} draw " + game.cards(seat)[:5])
    _, game.hand = play(game.hand, Draw(2, parse_cards(game.cards(2)[:8])))
    request = waiting_for(game.hand)
    assert isinstance(request, CardsNeeded)
    assert (game.hand.stock, request.count, request.refills) == (3, 3, ())
