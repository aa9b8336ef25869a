"""An independent oracle for chips: PokerKit plays the same cards and actions and pays the same, hand by hand.

The American game, in which nothing opens, with the whole and with a stripped deck; the Italian one at its own
tables, from 24 to 52 cards, with pot limit, suits, an opening and a carried pot; the same without suits in
PokerKit, to show what suits decide; and straight flushes that meet. `duel` compares every step and names what
differs.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import groupby

import pokerkit as pk
import pytest

from servito_core import events as e
from servito_core.cards import Card, deck_from, format_card, make_card, rank_of, suit_of
from servito_core.openers import runs
from servito_core.rules import RuleSet
from servito_core.values import SfKind
from tests.oracle.duel import COVERED, PASSED_OUT, THREE_KINDS, Duel, Game
from tests.oracle.pokerkit_hands import CARDS, Stripped, Suited, hand_type, lookup_of

pytestmark = pytest.mark.filterwarnings("ignore:.*:UserWarning:pokerkit")  # cards that come from a refill

FREE = {
    "preset": "americana",
    "ante": 2,
    "bet.limit": "none",
    "raise.min": "last_increment",
    "bet.reopen": "full_raise_only",
    "open.requirement": "none",
    "round2.first": "left_of_dealer",
}
AMERICANA = Game(RuleSet.from_options(FREE), pk.BettingStructure.NO_LIMIT, pk.StandardHighHand, 2)
STRIPPED = Game(
    RuleSet.from_options(
        FREE | {"players.max": 6, "deck": "fixed", "deck.lowest": "7", "flush_vs_full": "flush"}
    ),
    pk.BettingStructure.NO_LIMIT,
    hand_type(lookup_of(Stripped, 7)),
    7,
)
"""The American game with the Italian deck, in which equal hands are common."""

SALA = RuleSet.from_options({"preset": "sala", "ante": 2, "round2.first": "left_of_dealer"})
"""Who speaks first after the draw is the one rule of this preset that PokerKit has no word for."""

STACKS = (1, 2, 7, 30, 31, 100, 250)


@cache
def italian(players: int, base: type[Stripped] = Suited) -> Game:
    """The Italian game at a table of so many."""
    lowest = SALA.lowest_rank(players)
    return Game(SALA, pk.BettingStructure.POT_LIMIT, hand_type(lookup_of(base, lowest)), lowest)


def stacks_for(rng: random.Random, players: int) -> list[int]:
    """Many of them too short for what comes."""
    return [rng.choice(STACKS) for _ in range(players)]


def test_their_cards_are_ours() -> None:
    """Both know the same 52 cards by the same names."""
    assert [repr(card) for card in CARDS] == [format_card(card) for card in deck_from(2)]
    assert set(CARDS) == set(pk.Deck.STANDARD)


def _twins(rng: random.Random, lowest: int, count: int) -> list[tuple[Card, ...]]:
    """Hands of five ranks, at most a pair among them, that differ by a turn of the suits alone."""
    ranks = rng.sample(range(lowest, 15), 5)
    if rng.random() < 0.4 and count == 2:
        ranks[0] = ranks[1]
    first = [make_card(rank, suit) for suit, rank in zip((0, 2, rng.randrange(4), 1, 3), ranks, strict=True)]
    turns = (0, 1, 2, 3) if len(set(ranks)) == 5 else (0, 1)
    return [
        tuple(make_card(rank_of(card), (suit_of(card) + turn) % 4) for card in first)
        for turn in turns[:count]
    ]


@pytest.mark.parametrize("batch", range(5))
def test_the_american_game_is_paid_the_same(batch: int) -> None:
    """Nothing opens, no suits, no limit: short stacks, side pots, folds, draws."""
    differences: Counter[str] = Counter()
    side_pots = 0
    for seed in range(600):
        rng = random.Random(1000 * batch + seed)
        duel = Duel(AMERICANA, rng, stacks_for(rng, rng.randint(2, 6)))
        duel.play()
        assert duel.stacks == list(duel.theirs.stacks)
        differences += duel.differences
        side_pots += len(duel.of(e.PotAwarded)) > 1
    assert set(differences) == {COVERED}
    assert side_pots > 100


def test_equal_hands_share_but_for_several_odd_chips() -> None:
    """The same with 32 cards and equal hands of up to four players: shares and single odd chips are the same.

    Several odd chips go one each with us (B7), all to the first winner in PokerKit, which also joins pots
    that the same players win. With that taken into account every stack is equal.
    """
    seen: Counter[str] = Counter()
    for seed in range(400):
        rng = random.Random(seed)
        players = rng.randint(2, 6)
        hands = _twins(rng, 7, rng.randint(2, min(4, players)))
        duel = Duel(STRIPPED, rng, stacks_for(rng, players), hands=hands)
        duel.play()
        pots: list[e.PotAwarded] = duel.of(e.PotAwarded)
        expected = list(duel.stacks)
        for pot in pots:
            for seat, share in pot.shares.items():
                expected[seat] -= share
        for winners, amount in _joined(pots):
            for place, seat in enumerate(winners):
                expected[seat] += amount // len(winners) + (amount % len(winners) if place == 0 else 0)
        assert expected == list(duel.theirs.stacks)
        seen["shared"] += any(len(pot.winners) > 1 for pot in pots)
        seen["odd chips"] += any(pot.amount % len(pot.winners) for pot in pots)
        seen["otherwise"] += duel.stacks != expected
    assert seen["shared"] > seen["odd chips"] > seen["otherwise"] > 5


def _joined(pots: list[e.PotAwarded]) -> list[tuple[tuple[int, ...], int]]:
    """Winners in speaking order and amount, pots in a row with the same winners taken together."""
    by_winners = groupby(pots, key=lambda pot: tuple(sorted(pot.winners)))
    return [(winners, sum(pot.amount for pot in same)) for winners, same in by_winners]


@pytest.mark.parametrize("batch", range(5))
def test_the_italian_game_is_paid_the_same(batch: int) -> None:
    """Two to nine players with their decks: opening, pot limit, carried pot, suits, late cards, refills."""
    differences: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    for seed in range(400):
        rng = random.Random(1000 * batch + seed)
        players = 2 + seed % 8
        stacks = stacks_for(rng, players)
        carried_each = rng.choice((0, 3, 10)) if min(stacks) >= SALA.ante else 0
        duel = Duel(italian(players), rng, stacks, carried_each)
        duel.play()
        differences += duel.differences
        if not duel.differences[PASSED_OUT]:
            assert duel.stacks == list(duel.theirs.stacks)
            seen["carried"] += carried_each > 0
            seen["side pots"] += len(duel.of(e.PotAwarded)) > 1
            seen["refills"] += any(event.shuffled for event in duel.of(e.CardsDrawn))
            seen["deferred"] += any(event.deferred for event in duel.of(e.CardsDrawn))
    assert set(differences) == {COVERED, PASSED_OUT}
    assert min(seen[what] for what in ("carried", "side pots", "refills", "deferred")) > 10


def test_suits_decide_what_pokerkit_would_share() -> None:
    """Told nothing of suits, PokerKit pays otherwise just when equal cards meet for two chips or more."""
    seen: Counter[bool] = Counter()
    for seed in range(400):
        rng = random.Random(seed)
        players = rng.randint(2, 4)
        game = italian(players, Stripped)
        duel = Duel(game, rng, stacks_for(rng, players), hands=_twins(rng, game.lowest, 2))
        duel.play()
        if duel.differences[PASSED_OUT]:
            continue
        places = {
            event.seat: game.hands.lookup.get_entry([CARDS[card] for card in event.cards]).index
            for event in duel.of(e.HandShown)
        }
        tied = [pot for pot in duel.of(e.PotAwarded) if pot.amount > 1 and _best_are_equal(pot, places)]
        assert (duel.stacks != list(duel.theirs.stacks)) is bool(tied)
        assert all(len(pot.winners) == 1 for pot in tied)
        seen[bool(tied)] += 1
    assert min(seen[True], seen[False]) > 20


def _best_are_equal(pot: e.PotAwarded, places: dict[int, int]) -> bool:
    """Whether a pot is contested, and PokerKit ranks its two best hands alike."""
    contested = sorted(places[seat] for seat in pot.eligible if seat in places)
    return len(contested) > 1 and contested[-1] == contested[-2]


def _straight_flushes(rng: random.Random, lowest: int, count: int) -> list[tuple[Card, ...]]:
    """So many of one deck, no card twice, low and high runs preferred."""
    every = runs(SALA, lowest)
    found: list[tuple[Card, ...]] = []
    while len(found) < count:
        run = rng.choice((every[0], every[-1], rng.choice(every)))
        hand = tuple(make_card(rank, suit) for suit in (rng.randrange(4),) for rank in run)
        if not any(set(hand) & set(other) for other in found):
            found.append(hand)
    return found


def test_straight_flushes_that_meet_go_round() -> None:
    """Any two kinds have an order that PokerKit can be told; minima takes from massima, which is above it.

    Among all three there is none: we pay thirds where PokerKit has one winner. Nothing else differs.
    """
    seen: Counter[str] = Counter()
    for seed in range(400):
        rng = random.Random(seed)
        players = rng.randint(2, 5)
        game = italian(players)
        hands = _straight_flushes(rng, game.lowest, rng.randint(2, min(3, players)))
        stacks = [rng.choice((7, 31, 100, 250)) for _ in range(players)]
        duel = Duel(game, rng, stacks, hands=hands)
        duel.play()
        kinds = {event.seat: event.value.kind for event in duel.of(e.HandShown)}
        for pot in duel.of(e.PotAwarded):
            meeting = {kinds.get(seat) for seat in pot.eligible} - {None}
            if meeting == {SfKind.MINIMA, SfKind.MASSIMA}:
                assert [kinds[seat] for seat in pot.winners] == [SfKind.MINIMA]
                seen["minima beats massima"] += 1
            elif len(meeting) == 3:
                assert sorted(kinds[seat] or 0 for seat in pot.winners) == list(SfKind)
                seen["standoff"] += 1
        if duel.differences[THREE_KINDS]:
            seen["no order"] += 1
        elif not duel.differences[PASSED_OUT]:
            assert duel.stacks == list(duel.theirs.stacks)
            seen["same pay"] += 1
    assert min(seen[what] for what in ("minima beats massima", "standoff", "no order", "same pay")) > 10
