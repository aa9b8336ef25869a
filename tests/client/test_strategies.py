"""Bots choose only what is offered: any kinds, any ranges, any preset."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servito_client.actions import AMOUNTS
from servito_client.bots.strategies import STYLES, Strategy, aggressive, cautious, uniform
from servito_client.messages import Action, ActionKind, LegalAction, Offer

CARDS = st.lists(st.integers(0, 51), min_size=5, max_size=5, unique=True)
RANGE = st.tuples(st.integers(0, 1000), st.integers(0, 1000)).map(sorted)
KINDS = [kind for kind in ActionKind.values() if kind not in (0, ActionKind.ACTION_KIND_DRAW)]


@st.composite
def offers(draw: st.DrawFn) -> Offer:
    """Any set of kinds with any ranges, or a draw."""
    if draw(st.booleans()):
        least = draw(st.integers(0, 5))
        drawing = LegalAction(
            kind=ActionKind.ACTION_KIND_DRAW, least=least, greatest=draw(st.integers(least, 5))
        )
        return Offer(turn_id=1, actions=[drawing])
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, unique=True))
    actions = [
        LegalAction(kind=kind, least=low, greatest=high) for kind in kinds for low, high in [draw(RANGE)]
    ]
    return Offer(turn_id=1, actions=actions)


def within(action: Action, offer: Offer, cards: list[int]) -> bool:
    """Whether the offer contains the action."""
    legal = next((legal for legal in offer.actions if legal.kind == action.kind), None)
    if legal is None:
        return False
    if action.kind == ActionKind.ACTION_KIND_DRAW:
        discards = list(action.discards)
        fits = legal.least <= len(discards) <= legal.greatest
        return fits and len(set(discards)) == len(discards) and set(discards) <= set(cards)
    if action.kind in AMOUNTS:
        return legal.least <= action.to <= legal.greatest
    return not action.HasField("to")


@pytest.mark.parametrize("strategy", STYLES.values(), ids=STYLES)
@given(cards=CARDS, offer=offers(), seed=st.integers(0, 1000))
def test_every_style_stays_within_the_offer(
    strategy: Strategy, cards: list[int], offer: Offer, seed: int
) -> None:
    """Kind, amount and discards are always among those offered, whatever the rules made of the offer."""
    assert within(strategy(cards, offer, Random(seed)), offer, cards)


@pytest.mark.parametrize("strategy", STYLES.values(), ids=STYLES)
def test_the_same_generator_makes_the_same_choice(strategy: Strategy) -> None:
    """Nothing but cards, offer and generator decides."""
    offer = Offer(actions=[LegalAction(kind=ActionKind.ACTION_KIND_BET, least=1, greatest=50)])
    assert strategy([1, 2, 3, 4, 5], offer, Random(3)) == strategy([1, 2, 3, 4, 5], offer, Random(3))


def test_uniform_reaches_every_kind_and_both_ends_of_a_range() -> None:
    """Nothing that is offered is out of its reach."""
    offer = Offer(
        actions=[
            LegalAction(kind=ActionKind.ACTION_KIND_FOLD),
            LegalAction(kind=ActionKind.ACTION_KIND_RAISE, least=4, greatest=6),
        ]
    )
    rng = Random(5)
    chosen = Counter((action.kind, action.to) for action in (uniform([], offer, rng) for _ in range(200)))
    kinds = Counter(kind for kind, _ in chosen.elements())
    assert min(kinds.values()) > 60
    assert {to for kind, to in chosen if kind == ActionKind.ACTION_KIND_RAISE} == {4, 5, 6}


def test_styles_differ_in_what_they_risk() -> None:
    """Facing a bet without a pair, the cautious mostly give up and the aggressive hardly ever."""
    offer = Offer(
        actions=[
            LegalAction(kind=ActionKind.ACTION_KIND_FOLD),
            LegalAction(kind=ActionKind.ACTION_KIND_CALL, least=5, greatest=5),
            LegalAction(kind=ActionKind.ACTION_KIND_RAISE, least=10, greatest=30),
        ]
    )
    nothing = [48, 41, 34, 27, 20]
    folds = {
        strategy: sum(
            strategy(nothing, offer, Random(seed)).kind == ActionKind.ACTION_KIND_FOLD for seed in range(300)
        )
        for strategy in (cautious, aggressive)
    }
    assert folds[cautious] > 120
    assert folds[aggressive] < 30


def test_pairs_are_kept_in_the_draw() -> None:
    """A bot that looks at its cards throws those that stand alone, lowest first, as many as it may."""
    kings_and_rest = [44, 45, 0, 9, 18]
    offer = Offer(actions=[LegalAction(kind=ActionKind.ACTION_KIND_DRAW, least=0, greatest=2)])
    assert list(cautious(kings_and_rest, offer, Random(1)).discards) == [0, 9]
