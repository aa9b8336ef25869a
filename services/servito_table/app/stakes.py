"""Whose the chips of a carried pot are: noted when a hand ends, needed when the table closes.

Pure. A carried pot is played for by the rules, whoever paid it (`RULES.md B2`, `B5`); only where it cannot be
played for any more does each chip go back to who put it in, as with a void hand (`RULES.md B8`). Players are
named, not seats: who leaves a carried pot behind has no part in the hands for it, but his chips are his if
there are no such hands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.events import Outcome

if TYPE_CHECKING:
    from collections.abc import Mapping

    from servito_core.state import HandState

Stakes = tuple[tuple[str, int], ...]
"""(player, chips), each player once, all above 0."""


def stakes_after(hand: HandState, names: Mapping[int, str], before: Stakes) -> Stakes:
    """What is whose in the pot that the ended `hand` carries on; the amounts add up to it.

    Thrown in or carried over, it is all that was paid. Of a pot that was awarded only odd chips are left,
    which belong to those who played to the end. `names` are the players by their seats.
    """
    if hand.outcome is Outcome.VOID:
        return before
    if not hand.pot:
        return ()
    whole = hand.outcome in (Outcome.PASSED_OUT, Outcome.CARRIED_OVER)
    paid = dict(before) if whole else {}
    for player in hand.players:
        if player.seat in names and player.paid and (whole or not player.folded):
            name = names[player.seat]
            paid[name] = paid.get(name, 0) + player.paid
    return apportioned(hand.pot, tuple(paid.items()))


def apportioned(chips: int, weights: Stakes) -> Stakes:
    """`chips` divided by weight; odd chips go one each to the first."""
    total = sum(weight for _, weight in weights)
    if not total:
        return ()
    parts = [chips * weight // total for _, weight in weights]
    odd = chips - sum(parts)
    shares = (
        (name, part + (place < odd))
        for place, ((name, _), part) in enumerate(zip(weights, parts, strict=True))
    )
    return tuple((name, share) for name, share in shares if share)
