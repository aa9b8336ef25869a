"""The calls of TableService about recent hands: from messages and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.table.v1 import table_pb2 as pb
from servito_table.messages.deal import proofs_to_proto
from servito_table.messages.hands import hand_record, hand_summary
from servito_table.rpc.listing import place_of, token_of
from servito_table.rpc.reading import hand_id_of, malformed, readable, table_id_of
from servito_table.rpc.refusing import viewer_of_call

if TYPE_CHECKING:
    from servito_platform.clock import Clock
    from servito_platform.grpc_handlers import Context
    from servito_table.app.archive import Archive

PAGE: Final = 50
USUAL_PAGE: Final = 20


class HandCalls:
    """A part of `TableServicer`, which sets `_archive` and `_clock`."""

    _archive: Archive
    _clock: Clock

    async def GetHand(self, request: pb.GetHandRequest | None, context: Context) -> pb.GetHandResponse:
        """See the proto."""
        asked, viewer = readable(request), viewer_of_call()
        table_id, _, number = hand_id_of(asked.hand_id).rpartition("-")
        hand, config = await self._archive.hand(table_id, int(number), viewer)
        return pb.GetHandResponse(hand=hand_record(hand, config, table_id, viewer, self._clock.now_ms()))

    async def GetProofs(self, request: pb.GetProofsRequest | None, context: Context) -> pb.GetProofsResponse:
        """See the proto."""
        asked, viewer = readable(request), viewer_of_call()
        table_id, _, number = hand_id_of(asked.hand_id).rpartition("-")
        return proofs_to_proto(*await self._archive.proofs(table_id, int(number), viewer))

    async def ListHands(self, request: pb.ListHandsRequest | None, context: Context) -> pb.ListHandsResponse:
        """See the proto."""
        asked, viewer = readable(request), viewer_of_call()
        table_id = table_id_of(asked.table_id)
        if asked.page_size > PAGE:
            raise malformed(f"page_size must be 0 to {PAGE}, not {asked.page_size}")
        before, size = _before(asked.page_token, table_id), asked.page_size or USUAL_PAGE
        hands, last = await self._archive.page(table_id, before, size, viewer)
        now = self._clock.now_ms()
        return pb.ListHandsResponse(
            hands=[hand_summary(hand, table_id, now) for hand in hands],
            next_page_token=token_of(str(last) if last else "", table_id.encode()),
        )


def _before(token: str, table_id: str) -> int | None:
    """The number of the hand before which a page begins; None for the first."""
    place = place_of(token, table_id.encode())
    if place and not place.isdecimal():
        raise malformed("page_token must be a next_page_token of an answer about the same table, or empty")
    return int(place) if place else None
