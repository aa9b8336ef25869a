"""The calls about a seat that one has, and about waiting for one: a part of `client.Servito`."""

from __future__ import annotations

from servito.table.v1 import table_pb2 as pb
from servito_client.connection import Connection


class SeatCalls:
    """See `client.Servito`, which sets `_connection`; what each call is refused for is in table.proto."""

    _connection: Connection

    async def sit_out(self, table_id: str) -> int:
        """Not dealt in from the next hand on; the version in which that was noted.

        A seat that sits out for `TableConfig.sit_out_ms` stands by itself.
        """
        request = pb.SitOutRequest(table_id=table_id, request_id=self._connection.new_id())
        return (await self._connection.ask(self._connection.stub.SitOut, request)).version

    async def sit_in(self, table_id: str) -> int:
        """Dealt in again from the next hand on, also after being away; the version in which it was noted."""
        request = pb.SitInRequest(table_id=table_id, request_id=self._connection.new_id())
        return (await self._connection.ask(self._connection.stub.SitIn, request)).version

    async def top_up(self, table_id: str, amount: int) -> int | None:
        """The chips put in; None while the seat is in a hand: they follow when it is over, as far as the
        limit of the table allows then.
        """
        request = pb.TopUpRequest(table_id=table_id, request_id=self._connection.new_id(), amount=amount)
        answer = await self._connection.ask(self._connection.stub.TopUp, request)
        return answer.added if answer.HasField("added") else None

    async def set_entropy(self, table_id: str, entropy: bytes) -> int:
        """Contribute up to 32 bytes of one's own to the order of the cards, from the next hand on; the
        version in which that was noted.
        """
        request = pb.SetEntropyRequest(
            table_id=table_id, request_id=self._connection.new_id(), entropy=entropy
        )
        return (await self._connection.ask(self._connection.stub.SetEntropy, request)).version

    async def join_waiting_list(self, table_id: str) -> int:
        """The caller's place, from 1, in the list of those who wait for a seat of a full table.

        `SeatOffered` tells that a seat is held for him, which `sit` takes. A table without spectators tells
        him nothing before: there he asks `sit` now and then, which is `TABLE_FULL` until one is held.
        """
        request = pb.JoinWaitingListRequest(table_id=table_id, request_id=self._connection.new_id())
        return (await self._connection.ask(self._connection.stub.JoinWaitingList, request)).place

    async def leave_waiting_list(self, table_id: str) -> int:
        """Waits no longer; the version in which that was noted."""
        request = pb.LeaveWaitingListRequest(table_id=table_id, request_id=self._connection.new_id())
        return (await self._connection.ask(self._connection.stub.LeaveWaitingList, request)).version
