"""The calls of TableService about seats that are taken and about the waiting list: from messages and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito.table.v1 import table_pb2 as pb
from servito_table.rpc.reading import (
    join_of,
    leave_of,
    readable,
    sit_in_of,
    sit_out_of,
    table_id_of,
    top_up_of,
)
from servito_table.rpc.refusing import player_of_call

if TYPE_CHECKING:
    from servito_platform.grpc_handlers import Context
    from servito_table.app.play import Play


class SeatCalls:
    """A part of `TableServicer`, which sets `_play`."""

    _play: Play

    async def SitOut(self, request: pb.SitOutRequest | None, context: Context) -> pb.SitOutResponse:
        """See the proto."""
        asked, player = readable(request), player_of_call()
        answer = await self._play.run(table_id_of(asked.table_id), *sit_out_of(asked, player))
        return pb.SitOutResponse(version=answer.version)

    async def SitIn(self, request: pb.SitInRequest | None, context: Context) -> pb.SitInResponse:
        """See the proto."""
        asked, player = readable(request), player_of_call()
        answer = await self._play.run(table_id_of(asked.table_id), *sit_in_of(asked, player))
        return pb.SitInResponse(version=answer.version)

    async def TopUp(self, request: pb.TopUpRequest | None, context: Context) -> pb.TopUpResponse:
        """See the proto."""
        asked, player = readable(request), player_of_call()
        answer = await self._play.run(table_id_of(asked.table_id), *top_up_of(asked, player))
        return pb.TopUpResponse(version=answer.version, added=answer.added)

    async def JoinWaitingList(
        self, request: pb.JoinWaitingListRequest | None, context: Context
    ) -> pb.JoinWaitingListResponse:
        """See the proto."""
        asked, player = readable(request), player_of_call()
        answer = await self._play.run(table_id_of(asked.table_id), *join_of(asked, player))
        return pb.JoinWaitingListResponse(version=answer.version, place=answer.place or 0)

    async def LeaveWaitingList(
        self, request: pb.LeaveWaitingListRequest | None, context: Context
    ) -> pb.LeaveWaitingListResponse:
        """See the proto."""
        asked, player = readable(request), player_of_call()
        answer = await self._play.run(table_id_of(asked.table_id), *leave_of(asked, player))
        return pb.LeaveWaitingListResponse(version=answer.version)
