"""What players contribute to the order of the cards: standing bytes of theirs, from the next hand on.

Pure. Nobody waits for it. A hand is dealt with what its seats contributed when it began: what is set
meanwhile is kept beside it, so that the question to the dealer stays the same however often it is asked.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from servito_table.app.deal_events import EntropySet, Holder
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.seating import standing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_core.state import HandState
    from servito_table.app.commands import SetEntropy
    from servito_table.app.state import Seated, TableState


def set_entropy(state: TableState, wish: SetEntropy) -> tuple[EntropySet, ...]:
    """The seat of the player contributes something else. Refused: NOT_SEATED, NOTHING_TO_CHANGE."""
    own = standing(state, wish.player)
    if wish.entropy == to_come(own):
        raise TableRefused(TableReason.NOTHING_TO_CHANGE, "your seat contributes that already")
    return (EntropySet(own.seat, wish.entropy),)


def to_come(own: Seated) -> bytes:
    """What the seat contributes from the next hand on."""
    return own.entropy if own.next_entropy is None else own.next_entropy


def contributing(own: Seated, event: EntropySet) -> Seated:
    """The seat after an event of its own."""
    return replace(own, next_entropy=None if event.entropy == own.entropy else event.entropy)


def renewed(seats: tuple[Seated, ...], dealt: Sequence[int]) -> tuple[Seated, ...]:
    """The seats of a table when a hand begins to which `dealt` are dealt in: the very same where nothing is
    to come.
    """
    if all(own.next_entropy is None for own in seats):
        return seats
    return tuple(
        replace(own, entropy=to_come(own), next_entropy=None) if own.seat in dealt else own for own in seats
    )


def holders(state: TableState, hand: HandState) -> tuple[Holder, ...]:
    """Who was dealt into a running hand, in the order of its players."""
    seated = {own.seat: own for own in state.seats}
    return tuple(Holder(seated[dealt.seat].player, seated[dealt.seat].entropy) for dealt in hand.players)
