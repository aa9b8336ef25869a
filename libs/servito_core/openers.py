"""Who may open, and with which cards (`RULES.md B2`): the plain definition, as `ranking` is for worth.

The engine does not import it; at a table the evaluator is asked. Holdings of fewer than five cards are
allowed, because what an opener keeps in the draw is judged in the same way (`draw.opener_split`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.cards import ACE, RANKS, rank_of, suit_of
from servito_core.ranking import NotAHandError, check_holding, low_run, rank
from servito_core.values import Category

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from servito_core.cards import Card
    from servito_core.rules import RankingRules, RuleSet
    from servito_core.rules.ruleset import OpenDraw, Requirement

FIVE_CARD_MADE = (Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH)


def can_open(
    cards: Sequence[Card], requirement: Requirement, rules: RuleSet, lowest: int, raised: bool
) -> bool:
    """Whether these cards open at `requirement` (none: always); `raised`: above the first level."""
    return requirement == "none" or bool(opening_cards(cards, requirement, rules, lowest, raised))


def opening_cards(
    cards: Sequence[Card], requirement: Requirement, rules: RuleSet, lowest: int, raised: bool
) -> tuple[Card, ...]:
    """The cards that qualify, in the order held; empty if none do. See `qualifying_cards`."""
    return qualifying_cards(cards, requirement, draw_in_force(rules, raised), rules, lowest)


def draw_in_force(rules: RuleSet, raised: bool) -> OpenDraw:
    """The draws that open in this deal: `open.draw`, unless it does not count in raised deals."""
    return rules.open_draw if rules.open_draw_in_raised_deals or not raised else "none"


def qualifying_cards(
    cards: Sequence[Card], requirement: Requirement, draw: OpenDraw, rules: RankingRules, lowest: int
) -> tuple[Card, ...]:
    """Which of one to five cards open at `requirement` or by `draw`, in the order held; empty if none do.

    A made holding comes before a draw. Where several fours would do (a pair in a straight draw), those of
    the higher suit. At requirement none nothing has to qualify. `NotAHandError` if they are not different
    cards of the deck.
    """
    if not 1 <= len(cards) <= 5:
        raise NotAHandError(f"a holding is one to five cards, not {len(cards)}")
    check_holding(cards, lowest)
    if requirement == "none":
        return ()
    qualify = _made(cards, requirement, rules, lowest) or next(
        _fours(cards, draw, rules, lowest), frozenset()
    )
    return tuple(card for card in cards if card in qualify)


def _made(
    cards: Sequence[Card], requirement: Requirement, rules: RankingRules, lowest: int
) -> frozenset[Card]:
    """The pair of the required rank or higher, or the combination from two pair up."""
    ranks = [rank_of(card) for card in cards]
    repeated = {held for held in ranks if ranks.count(held) >= 2}
    if not repeated:  # only five different ranks can be one of these
        made = len(cards) == 5 and rank(cards, rules, lowest).category in FIVE_CARD_MADE
        return frozenset(cards) if made else frozenset()
    required = RANKS.index(requirement[0]) + 2
    if len(repeated) >= 2 or any(ranks.count(held) >= 3 or held >= required for held in repeated):
        return frozenset(card for card in cards if rank_of(card) in repeated)
    return frozenset()


def _fours(
    cards: Sequence[Card], draw: OpenDraw, rules: RankingRules, lowest: int
) -> Iterator[frozenset[Card]]:
    """Every four of the cards that `draw` lets open."""
    by_suit = [[card for card in cards if suit_of(card) == suit] for suit in range(4)]
    match draw:
        case "straight_oe":
            best = {rank_of(card): card for card in sorted(cards)}
            yield from _open_ended(list(best.values()), rules, lowest)
        case "straightflush_oe":
            for suited in by_suit:
                yield from _open_ended(suited, rules, lowest)
        case "straightflush_any4":
            for suited in by_suit:
                for run in runs(rules, lowest):
                    yield from _exactly_four(card for card in suited if rank_of(card) in run)
        case "flush4":
            for suited in by_suit:
                yield from _exactly_four(suited)


def open_ended(rules: RankingRules, lowest: int) -> tuple[frozenset[int], ...]:
    """The fours of ranks x..x+3 that complete at both ends: a card lies below (perhaps an ace) and above."""
    first = lowest if rules.has_low_runs(lowest) else lowest + 1
    return tuple(frozenset(range(x, x + 4)) for x in range(first, ACE - 3))


def runs(rules: RankingRules, lowest: int) -> tuple[frozenset[int], ...]:
    """Every five ranks that form a run in the deck from rank `lowest`."""
    high = tuple(frozenset(range(x, x + 5)) for x in range(lowest, ACE - 3))
    low = low_run(rules, lowest)
    return (low, *high) if low else high


def _open_ended(cards: Sequence[Card], rules: RankingRules, lowest: int) -> Iterator[frozenset[Card]]:
    """The fours of these cards, all of different ranks, that `open_ended` lists."""
    for ranks in open_ended(rules, lowest):
        yield from _exactly_four(card for card in cards if rank_of(card) in ranks)


def _exactly_four(cards: Iterable[Card]) -> Iterator[frozenset[Card]]:
    four = frozenset(cards)
    if len(four) == 4:
        yield four
