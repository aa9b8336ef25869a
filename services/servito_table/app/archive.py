"""Recent hands for who asks: may he look, what is left of them, by which rules were they played.

A table is looked at before its stream is read, so that the stream has all that the table tells of. What of a
hand he is shown is for `messages.hands`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_table.app.deal_events import DeckCommitted
from servito_table.app.hands import config_of_hand, hand_in, hands_in
from servito_table.app.looking import check_may_look
from servito_table.app.ports import NeverDealt
from servito_table.app.proving import provable
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.state import hand_id

if TYPE_CHECKING:
    from servito_core.cards import Card
    from servito_table.app.commits import Known
    from servito_table.app.deal_events import Proofs
    from servito_table.app.hands import PastHand
    from servito_table.app.play import Play
    from servito_table.app.ports import Dealer, Hands
    from servito_table.app.state import TableConfig


class Archive:
    """See the module."""

    def __init__(self, play: Play, hands: Hands, dealer: Dealer) -> None:
        self._play = play
        self._hands = hands
        self._dealer = dealer

    async def hand(self, table_id: str, number: int, player: str | None) -> tuple[PastHand, TableConfig]:
        """A hand, and the configuration that it was played by. Refused: UNKNOWN_TABLE, NOT_PERMITTED,
        UNKNOWN_HAND, UNAVAILABLE.
        """
        known = await self._play.see(table_id)
        check_may_look(known.state, player)
        kept = await self._hands.of_hand(table_id, number)
        hand = hand_in(kept, number, _running(known))
        if hand is None:
            raise TableRefused(
                TableReason.UNKNOWN_HAND,
                f"table {table_id} has no hand {number}, or not any more: a table keeps its latest hands "
                "only, which ListHands names",
                known.version,
            )
        return hand, config_of_hand(known, kept, number)

    async def proofs(
        self, table_id: str, number: int, player: str | None
    ) -> tuple[Proofs, dict[int, tuple[int, Card]]]:
        """What opens the cards of a hand that may be opened to `player`, and seat and card of each position.
        Refused: UNKNOWN_TABLE, NOT_PERMITTED, UNKNOWN_HAND, UNAVAILABLE.
        """
        hand, _ = await self.hand(table_id, number, player)
        bound = any(isinstance(happened.event, DeckCommitted) for happened in hand.happened)
        if hand.started is None or not bound:
            raise TableRefused(
                TableReason.UNKNOWN_HAND,
                "there are no proofs of this hand: its beginning is no longer kept, its cards have not come "
                "yet, or a release without proofs dealt it",
            )
        allowed = provable(hand, hand.seat_of(player))
        try:
            proofs = await self._dealer.proofs(hand_id(table_id, number), allowed)
        except NeverDealt as never:
            raise TableRefused(
                TableReason.UNKNOWN_HAND, f"the dealer has no proofs of this hand any more: {never}"
            ) from None
        for opening in proofs.openings:
            if allowed.get(opening.position, (None, None))[1] != opening.card:
                raise ValueError(
                    f"the dealer opens position {opening.position}, or as another card than dealt"
                )
        return proofs, allowed

    async def page(
        self, table_id: str, before: int | None, size: int, player: str | None
    ) -> tuple[list[PastHand], int | None]:
        """At most `size` hands without their events, the newest first, of those before the number `before`;
        and the number to go on before, None after the last. Refused: UNKNOWN_TABLE, NOT_PERMITTED,
        UNAVAILABLE.
        """
        known = await self._play.see(table_id)
        check_may_look(known.state, player)
        hands = hands_in(await self._hands.outlines(table_id), _running(known))
        left = [hand for hand in hands if before is None or hand.number < before]
        return left[:size], left[size - 1].number if len(left) > size else None


def _running(known: Known) -> int | None:
    """The number of the hand that is being played."""
    hand = known.state.running
    return None if hand is None else hand.number
