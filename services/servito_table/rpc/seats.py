"""The calls of TableService about seats that are taken and about the waiting list: from messages and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito.table.v1 import table_pb2 as pb
from servito_table.rpc.reading import (
    entropy_of,
    join_of,
    leave_of,
    sit_in_of,
    sit_out_of,
    top_up_of,
)
from servito_table.rpc.running import run

if TYPE_CHECKING:
    from servito_platform.grpc_handlers import Context
    from servito_table.app.play import Play


class SeatCalls:
    """A part of `TableServicer`, which sets `_play`."""

    _play: Play

    async def SitOut(self, request: pb.SitOutRequest | None, context: Context) -> pb.SitOutResponse:
        """See the proto."""
        answer = await run(self._play, request, sit_out_of)
        return pb.SitOutResponse(version=answer.version)

    async def SitIn(self, request: pb.SitInRequest | None, context: Context) -> pb.SitInResponse:
        """See the proto."""
        answer = await run(self._play, request, sit_in_of)
        return pb.SitInResponse(version=answer.version)

    async def TopUp(self, request: pb.TopUpRequest | None, context: Context) -> pb.TopUpResponse:
        """See the proto."""
        answer = await run(self._play, request, top_up_of)
        return pb.TopUpResponse(version=answer.version, added=answer.added)

    async def SetEntropy(
        self, request: pb.SetEntropyRequest | None, context: Context
    ) -> pb.SetEntropyResponse:
        """See the proto."""
        answer = await run(self._play, request, entropy_of)
        return pb.SetEntropyResponse(version=answer.version)

    async def JoinWaitingList(
        self, request: pb.JoinWaitingListRequest | None, context: Context
    ) -> pb.JoinWaitingListResponse:
        """See the proto."""
        answer = await run(self._play, request, join_of)
        return pb.JoinWaitingListResponse(version=answer.version, place=answer.place or 0)

    async def LeaveWaitingList(
        self, request: pb.LeaveWaitingListRequest | None, context: Context
    ) -> pb.LeaveWaitingListResponse:
        """See the proto."""
        answer = await run(self._play, request, leave_of)
        return pb.LeaveWaitingListResponse(version=answer.version)
