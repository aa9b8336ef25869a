"""TableService: from messages to use cases and back.

Here is no decision. Requests are read by `reading`, refusals sent by `refusing`; the streams are in
`streams`, the registration of all methods in `methods`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from servito.table.v1 import table_pb2 as pb
from servito_platform.log_context import enter
from servito_table.app.expiry import Expiry, expire
from servito_table.app.looking import check_may_look
from servito_table.app.opening import create
from servito_table.messages.config import config_from_proto
from servito_table.messages.views import table_view
from servito_table.rpc.hands import HandCalls
from servito_table.rpc.listing import ListingCalls
from servito_table.rpc.maintenance import MaintenanceCalls
from servito_table.rpc.reading import (
    act_of,
    answer_of,
    close_of,
    malformed,
    members_of,
    pause_of,
    pre_action_of,
    propose_of,
    readable,
    request_id_of,
    resume_of,
    sit_of,
    stand_of,
    table_id_of,
)
from servito_table.rpc.refusing import creator_of_call, only_for, viewer_of_call
from servito_table.rpc.running import run
from servito_table.rpc.seats import SeatCalls
from servito_table.rpc.templates import TemplateCalls

if TYPE_CHECKING:
    from servito_platform.clock import Clock
    from servito_platform.grpc_handlers import Context
    from servito_table.app.archive import Archive
    from servito_table.app.keeping import Keeper
    from servito_table.app.play import Play
    from servito_table.app.ports import Index, Monitor, Store, Templates

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)

EXPIRED_AT_ONCE: Final = 64
"""Tables whose deadlines are carried out at the same time for one claim."""
TIMERS: Final = "timers"


class TableServicer(HandCalls, ListingCalls, MaintenanceCalls, SeatCalls, TemplateCalls):
    """The calls of `table.proto` that are answered once; some are in `hands`, `listing`, `maintenance`,
    `seats` and `templates`.
    """

    def __init__(
        self,
        play: Play,
        store: Store,
        index: Index,
        clock: Clock,
        monitor: Monitor,
        keeper: Keeper,
        templates: Templates,
        archive: Archive,
    ) -> None:
        self._play = play
        self._store = store
        self._index = index
        self._clock = clock
        self._monitor = monitor
        self._keeper = keeper
        self._templates = templates
        self._archive = archive

    async def CreateTable(
        self, request: pb.CreateTableRequest | None, context: Context
    ) -> pb.CreateTableResponse:
        """See the proto."""
        asked, owner = readable(request), creator_of_call(only_operators=self.only_operators_create)
        request_id = request_id_of(asked.request_id)
        if not asked.HasField("config"):
            raise malformed("config is missing")
        table_id = await create(self._store, owner, request_id, config_from_proto(asked.config))
        return pb.CreateTableResponse(table_id=table_id, version=1)

    async def GetTable(self, request: pb.GetTableRequest | None, context: Context) -> pb.GetTableResponse:
        """See the proto."""
        asked, viewer = readable(request), viewer_of_call()
        known = await self._play.see(table_id_of(asked.table_id), asked.min_version)
        check_may_look(known.state, viewer)
        return pb.GetTableResponse(table=table_view(known, viewer, self._clock.now_ms()))

    async def Sit(self, request: pb.SitRequest | None, context: Context) -> pb.SitResponse:
        """See the proto."""
        answer = await run(self._play, request, sit_of)
        return pb.SitResponse(version=answer.version, seat=answer.seat or 0)

    async def Stand(self, request: pb.StandRequest | None, context: Context) -> pb.StandResponse:
        """See the proto."""
        answer = await run(self._play, request, stand_of)
        return pb.StandResponse(version=answer.version, cashed_out=answer.cashed_out)

    async def Act(self, request: pb.ActRequest | None, context: Context) -> pb.ActResponse:
        """See the proto."""
        answer = await run(self._play, request, act_of)
        return pb.ActResponse(version=answer.version)

    async def PauseTable(
        self, request: pb.PauseTableRequest | None, context: Context
    ) -> pb.PauseTableResponse:
        """See the proto."""
        answer = await run(self._play, request, pause_of)
        return pb.PauseTableResponse(version=answer.version)

    async def ResumeTable(
        self, request: pb.ResumeTableRequest | None, context: Context
    ) -> pb.ResumeTableResponse:
        """See the proto."""
        answer = await run(self._play, request, resume_of)
        return pb.ResumeTableResponse(version=answer.version)

    async def CloseTable(
        self, request: pb.CloseTableRequest | None, context: Context
    ) -> pb.CloseTableResponse:
        """See the proto."""
        answer = await run(self._play, request, close_of)
        return pb.CloseTableResponse(version=answer.version)

    async def SetPreAction(
        self, request: pb.SetPreActionRequest | None, context: Context
    ) -> pb.SetPreActionResponse:
        """See the proto."""
        answer = await run(self._play, request, pre_action_of)
        return pb.SetPreActionResponse(version=answer.version)

    async def ProposeRules(
        self, request: pb.ProposeRulesRequest | None, context: Context
    ) -> pb.ProposeRulesResponse:
        """See the proto."""
        answer = await run(self._play, request, propose_of)
        return pb.ProposeRulesResponse(version=answer.version, proposal_id=answer.proposal or 0)

    async def AnswerProposal(
        self, request: pb.AnswerProposalRequest | None, context: Context
    ) -> pb.AnswerProposalResponse:
        """See the proto."""
        answer = await run(self._play, request, answer_of)
        return pb.AnswerProposalResponse(version=answer.version)

    async def ExpireDeadlines(
        self, request: pb.ExpireDeadlinesRequest | None, context: Context
    ) -> pb.ExpireDeadlinesResponse:
        """See the proto."""
        only_for(TIMERS)
        members = members_of(readable(request).members)
        room = asyncio.Semaphore(EXPIRED_AT_ONCE)

        async def result(table_id: str, wait: str) -> pb.ExpireResult.ValueType:
            enter(table_id=table_id)
            async with room:
                outcome = await self._expired(table_id, wait)
            return pb.ExpireResult.Value(f"EXPIRE_RESULT_{outcome.name}")

        results = await asyncio.gather(*(result(table_id, wait) for table_id, wait in members))
        return pb.ExpireDeadlinesResponse(results=results)

    async def _expired(self, table_id: str, wait: str) -> Expiry:
        try:
            return await expire(self._play, self._store, self._monitor, table_id, wait)
        except Exception:  # noqa: BLE001 - one table at fault must not hold up the others of its claim
            _log.exception("expiry_failed")
            return Expiry.FAILED
