"""The calls about recent hands: a part of `client.Servito`."""

from __future__ import annotations

from collections.abc import AsyncIterator

from servito.table.v1 import table_pb2 as pb
from servito_client.connection import Connection
from servito_client.messages import HandProofs, HandRecord, HandSummary


class HandCalls:
    """See `client.Servito`, which sets `_connection`; what each call is refused for is in table.proto."""

    _connection: Connection

    async def hand(self, hand_id: str) -> HandRecord:
        """A recent hand as this caller may see it: with his own cards where he was dealt in.

        `hand_id` is that of `HandView`. A table keeps its latest hands only: `UNKNOWN_HAND` for others."""
        request = pb.GetHandRequest(hand_id=hand_id)
        return (await self._connection.ask(self._connection.stub.GetHand, request)).hand

    async def proofs(self, hand_id: str) -> HandProofs:
        """What opens the cards of a recent hand that this caller received, and when it is over those that
        were shown. `servito_client.hand_file` puts both into a file that can be checked.
        """
        request = pb.GetProofsRequest(hand_id=hand_id)
        return await self._connection.ask(self._connection.stub.GetProofs, request)

    async def list_hands(self, table_id: str, page_size: int = 20) -> AsyncIterator[HandSummary]:
        """The hands of a table that `hand` still has, the newest first, asked for in pages of 1..50 as the
        iteration goes on.
        """
        token = ""
        while True:
            request = pb.ListHandsRequest(table_id=table_id, page_size=page_size, page_token=token)
            page = await self._connection.ask(self._connection.stub.ListHands, request)
            for hand in page.hands:
                yield hand
            if not (token := page.next_page_token):
                return
