"""Who wins a pot: a set of winners, found without ever sorting hands.

Minima beats massima, massima beats media, media beats minima (`RULES.md B7`), so among straight flushes
"better" is not transitive: the winner depends on which kinds are present, and only hands that contest the
pot may be given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.ranking.rank import NotAHandError, rank
from servito_core.ranking.strength import strength
from servito_core.values import SfKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from servito_core.cards import Card
    from servito_core.rules import RankingRules
    from servito_core.values import HandValue

BEATEN_BY = {SfKind.MASSIMA: SfKind.MINIMA, SfKind.MEDIA: SfKind.MASSIMA, SfKind.MINIMA: SfKind.MEDIA}


def winners(hands: Mapping[int, Sequence[Card]], rules: RankingRules, lowest: int) -> frozenset[int]:
    """The seats that win a pot contested by `hands` (seat to five cards); they share it if more than one.

    `NotAHandError` if a hand is not five cards of the deck, a card is in two hands, or there is no hand.
    """
    return frozenset().union(*winner_groups(hands, rules, lowest))


def winner_groups(
    hands: Mapping[int, Sequence[Card]], rules: RankingRules, lowest: int
) -> tuple[frozenset[int], ...]:
    """The equal parts into which a pot is divided, each shared equally by the seats of its group.

    One group, unless all three kinds of straight flush meet and the best of each takes a third
    (`sf_standoff`).
    """
    _check_one_deal(hands)
    return groups_by_value({seat: rank(cards, rules, lowest) for seat, cards in hands.items()}, rules, lowest)


def groups_by_value(
    values: Mapping[int, HandValue], rules: RankingRules, lowest: int
) -> tuple[frozenset[int], ...]:
    """`winner_groups` of hands that are judged already, under these rules and from one deal."""
    strengths = {seat: strength(value, rules, lowest) for seat, value in values.items()}
    present = {value.kind for value in values.values() if value.kind is not None}
    if not rules.sf_cycle or not present:
        return (_best(strengths),)
    by_kind = {
        kind: {seat: strengths[seat] for seat, value in values.items() if value.kind is kind}
        for kind in SfKind
    }
    if len(present) == 3:
        if rules.sf_standoff == "all_holders":
            return (frozenset().union(*by_kind.values()),)
        return tuple(_best(by_kind[kind]) for kind in SfKind)
    unbeaten = next(kind for kind in present if BEATEN_BY[kind] not in present)
    return (_best(by_kind[unbeaten]),)


def beats(one: HandValue, other: HandValue, rules: RankingRules, lowest: int) -> bool:
    """Whether the first value wins against the second when only these two meet; not transitive."""
    if rules.sf_cycle and one.kind is not None and other.kind is not None and one.kind is not other.kind:
        return BEATEN_BY[other.kind] is one.kind
    return strength(one, rules, lowest) > strength(other, rules, lowest)


def _best(strengths: Mapping[int, int]) -> frozenset[int]:
    """The seats with the greatest strength."""
    top = max(strengths.values())
    return frozenset(seat for seat, number in strengths.items() if number == top)


def _check_one_deal(hands: Mapping[int, Sequence[Card]]) -> None:
    """Hands that meet come from one deal."""
    if not hands:
        raise NotAHandError("nobody contests the pot: a winner needs at least one hand")
    held = [card for cards in hands.values() for card in cards]
    if len(set(held)) != len(held):
        raise NotAHandError("a card is held twice")
