"""Three ways to choose among the actions that are offered: pure functions of own cards, offer and generator.

A strategy sees its five cards and the offer (kinds and ranges) and nothing else, so it plays any preset and
never knows more than a player at the table. The generator is the caller's, hence a seeded bot always plays
alike. Cards are 0..51, `4 * (rank - 2) + suit`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random

from servito_client.actions import AMOUNTS, BET, BLIND, CALL, CHECK, DECLINE, DRAW, FOLD, OPEN, PASS, RAISE
from servito_client.messages import Action, ActionKind, LegalAction, Offer

Strategy = Callable[[Sequence[int], Offer, Random], Action]
"""From own cards, an offer with at least one action, and a generator, to one of the offered actions."""


def uniform(cards: Sequence[int], offer: Offer, rng: Random) -> Action:
    """Every kind, every amount of its range and every number of discards is equally likely."""
    legal = rng.choice(offer.actions)
    if legal.kind == DRAW:
        return _discard(rng.sample(list(cards), rng.randint(legal.least, legal.greatest)))
    return _action(legal, rng.randint(legal.least, legal.greatest))


def cautious(cards: Sequence[int], offer: Offer, rng: Random) -> Action:
    """Pays little: opens and bets the least, seldom raises, gives up when the price is high for its pairs."""
    kinds = _by_kind(offer)
    if DRAW in kinds:
        return _keep_groups(cards, kinds[DRAW])
    strong = _grouped(cards) >= 3
    if (starting := kinds.get(OPEN) or kinds.get(BET)) and (strong or rng.random() < 0.5):
        return _action(starting, starting.least)
    if strong and RAISE in kinds and rng.random() < 0.25:
        return _action(kinds[RAISE], kinds[RAISE].least)
    if CALL in kinds and (strong or rng.random() < 0.4):
        return _action(kinds[CALL], 0)
    return _first(kinds, (CHECK, PASS, DECLINE, FOLD), offer)


def aggressive(cards: Sequence[int], offer: Offer, rng: Random) -> Action:
    """Bets and raises high as often as it may; hardly ever gives up."""
    kinds = _by_kind(offer)
    if DRAW in kinds:
        return _keep_groups(cards, kinds[DRAW])
    pushing = kinds.get(RAISE) or kinds.get(BET) or kinds.get(OPEN) or kinds.get(BLIND)
    if pushing and rng.random() < 0.6:
        # The better of two throws: high amounts are likelier, and the greatest (often all-in) is never rare.
        return _action(pushing, max(rng.randint(pushing.least, pushing.greatest) for _ in range(2)))
    if CALL in kinds and rng.random() < 0.9:
        return _action(kinds[CALL], 0)
    return _first(kinds, (CHECK, PASS, DECLINE, FOLD), offer)


STYLES: dict[str, Strategy] = {"uniform": uniform, "cautious": cautious, "aggressive": aggressive}
"""Every strategy by its name."""


def _by_kind(offer: Offer) -> dict[ActionKind.ValueType, LegalAction]:
    return {legal.kind: legal for legal in offer.actions}


def _first(
    kinds: dict[ActionKind.ValueType, LegalAction], wanted: Iterable[ActionKind.ValueType], offer: Offer
) -> Action:
    """The first kind of `wanted` that is offered; whatever comes first in the offer where none is."""
    legal = next((kinds[kind] for kind in wanted if kind in kinds), offer.actions[0])
    return _action(legal, legal.least)


def _action(legal: LegalAction, amount: int) -> Action:
    to = amount if legal.kind in AMOUNTS else None
    return Action(kind=legal.kind, to=to, blind=legal.blind)


def _discard(cards: Iterable[int]) -> Action:
    return Action(kind=DRAW, discards=sorted(cards))


def _grouped(cards: Sequence[int]) -> int:
    """How many of the cards share their rank with another."""
    counts = Counter(card // 4 for card in cards)
    return sum(count for count in counts.values() if count > 1)


def _keep_groups(cards: Sequence[int], legal: LegalAction) -> Action:
    """Throw the lowest cards that stand alone, as many as may go; at least as many as must."""
    counts = Counter(card // 4 for card in cards)
    alone_first = sorted(cards, key=lambda card: (counts[card // 4] > 1, card))
    alone = sum(counts[card // 4] == 1 for card in cards)
    return _discard(alone_first[: max(legal.least, min(alone, legal.greatest))])
