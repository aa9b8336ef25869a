"""Who wins a pot, from strengths alone: the greatest, but for the circle of the straight flushes.

The first four bits of a strength are the category, the next four of a straight flush its kind (see
`servito_core.ranking.strength`). The circle is not transitive: nothing here sorts or keeps a running maximum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.ranking import BEATEN_BY, NotAHandError
from servito_core.values import Category, SfKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from servito_core.rules import RankingRules


def winner_set(strengths: Mapping[int, int], rules: RankingRules) -> frozenset[int]:
    """The slots that win a pot contested by `strengths` (by slot); `NotAHandError` if nobody contests it."""
    if not strengths:
        raise NotAHandError("nobody contests the pot: a winner needs at least one hand")
    top = max(strengths.values())
    if not rules.sf_cycle or top >> 24 != Category.STRAIGHT_FLUSH:
        return _holders(strengths, top)
    best = _best_by_kind(strengths)
    if len(best) < len(SfKind):
        unbeaten = next(kind for kind in best if BEATEN_BY[kind] not in best)
        return _holders(strengths, best[unbeaten])
    if rules.sf_standoff == "all_holders":
        return frozenset(slot for slot, strength in strengths.items() if _kind(strength))
    return frozenset().union(*(_holders(strengths, strength) for strength in best.values()))


def _best_by_kind(strengths: Mapping[int, int]) -> dict[SfKind, int]:
    """The greatest strength of each kind of straight flush that is present."""
    kinds = {kind for strength in strengths.values() if (kind := _kind(strength))}
    return {kind: max(s for s in strengths.values() if _kind(s) is kind) for kind in kinds}


def _kind(strength: int) -> SfKind | None:
    return SfKind(strength >> 20 & 15) if strength >> 24 == Category.STRAIGHT_FLUSH else None


def _holders(strengths: Mapping[int, int], strength: int) -> frozenset[int]:
    return frozenset(slot for slot, held in strengths.items() if held == strength)
