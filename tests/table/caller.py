"""A player who speaks the protocol itself: the generated stub, the token, and the parts of an error."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import grpc
import pytest
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.table_pb2_grpc import TableServiceStub
from servito_wire.refusals import WireRefusal, refusal_of

if TYPE_CHECKING:
    from servito.table.v1.table_pb2_grpc import TableServiceAsyncStub

T = TypeVar("T")
_ids = itertools.count(1)

CONFIG = pb.TableConfig(
    name="Tavolo", preset="italiana", seats=6, min_buy_in=10, max_buy_in=200, turn_ms=15_000, pause_ms=0
)


@dataclass
class Caller:
    """One player at one server."""

    stub: TableServiceAsyncStub
    name: str
    metadata: tuple[tuple[str, str], ...] = field(init=False)

    def __post_init__(self) -> None:
        self.metadata = (("authorization", f"Bearer dev:{self.name}"),)

    def as_player(self, name: str) -> Caller:
        """Another player over the same connection."""
        return Caller(self.stub, name)

    async def create(self, config: pb.TableConfig = CONFIG, request_id: str = "") -> str:
        """Create a table; its id."""
        request = pb.CreateTableRequest(request_id=request_id or fresh(), config=config)
        return (await self.stub.CreateTable(request, metadata=self.metadata, timeout=30)).table_id

    async def sit(
        self, table_id: str, seat: int | None = None, buy_in: int = 100, request_id: str = ""
    ) -> pb.SitResponse:
        """Take a seat."""
        request = pb.SitRequest(table_id=table_id, request_id=request_id or fresh(), buy_in=buy_in, seat=seat)
        return await self.stub.Sit(request, metadata=self.metadata, timeout=30)

    async def stand(self, table_id: str, request_id: str = "") -> pb.StandResponse:
        """Leave."""
        request = pb.StandRequest(table_id=table_id, request_id=request_id or fresh())
        return await self.stub.Stand(request, metadata=self.metadata, timeout=30)

    async def propose(self, table_id: str, request_id: str = "", **changes: str) -> pb.ProposeRulesResponse:
        """Propose other rules; in names `_` stands for the dot."""
        named = {key.replace("_", "."): value for key, value in changes.items()}
        request = pb.ProposeRulesRequest(table_id=table_id, request_id=request_id or fresh(), changes=named)
        return await self.stub.ProposeRules(request, metadata=self.metadata, timeout=30)

    async def answer(
        self, table_id: str, proposal_id: int, request_id: str = "", *, agree: bool = True
    ) -> pb.AnswerProposalResponse:
        """Agree to a proposal, or refuse it."""
        request = pb.AnswerProposalRequest(
            table_id=table_id, request_id=request_id or fresh(), proposal_id=proposal_id, agree=agree
        )
        return await self.stub.AnswerProposal(request, metadata=self.metadata, timeout=30)

    async def pause(self, table_id: str, request_id: str = "") -> pb.PauseTableResponse:
        """Let no new hand begin."""
        request = pb.PauseTableRequest(table_id=table_id, request_id=request_id or fresh())
        return await self.stub.PauseTable(request, metadata=self.metadata, timeout=30)

    async def resume(self, table_id: str, request_id: str = "") -> pb.ResumeTableResponse:
        """Let hands begin again."""
        request = pb.ResumeTableRequest(table_id=table_id, request_id=request_id or fresh())
        return await self.stub.ResumeTable(request, metadata=self.metadata, timeout=30)

    async def close(self, table_id: str, request_id: str = "") -> pb.CloseTableResponse:
        """End the table."""
        request = pb.CloseTableRequest(table_id=table_id, request_id=request_id or fresh())
        return await self.stub.CloseTable(request, metadata=self.metadata, timeout=30)

    async def table(self, table_id: str, min_version: int = 0) -> pb.TableView:
        """The table as this player sees it."""
        request = pb.GetTableRequest(table_id=table_id, min_version=min_version)
        return (await self.stub.GetTable(request, metadata=self.metadata, timeout=30)).table

    async def act(
        self, table_id: str, turn_id: int, action: pb.Action, request_id: str = "", hand_id: str = ""
    ) -> pb.ActResponse:
        """Act."""
        request = pb.ActRequest(
            table_id=table_id,
            request_id=request_id or fresh(),
            turn_id=turn_id,
            action=action,
            hand_id=hand_id,
        )
        return await self.stub.Act(request, metadata=self.metadata, timeout=30)

    async def want(
        self, view: pb.TableView, pre_action: pb.PreAction | None, request_id: str = ""
    ) -> pb.SetPreActionResponse:
        """Say beforehand what to do, or take it back."""
        request = pb.SetPreActionRequest(
            table_id=view.table_id,
            request_id=request_id or fresh(),
            hand_id=view.hand.hand_id,
            turn_id=view.hand.turn_id,
            pre_action=pre_action,
        )
        return await self.stub.SetPreAction(request, metadata=self.metadata, timeout=30)

    async def expire(self, *members: str) -> list[int]:
        """What the timers ask for."""
        request = pb.ExpireDeadlinesRequest(members=members)
        return list((await self.stub.ExpireDeadlines(request, metadata=self.metadata, timeout=30)).results)


def fresh() -> str:
    """A request id that no other call has."""
    return f"q{next(_ids)}"


async def refusal_from(call: Awaitable[object]) -> WireRefusal:
    """Await a call that must be refused."""
    with pytest.raises(aio.AioRpcError) as caught:
        await call
    refused = refusal_of(caught.value)
    assert refused is not None, caught.value
    return refused


async def listed(ann: Caller, **asked: Any) -> tuple[list[pb.TableSummary], int]:
    """All tables of all pages, and how many pages there were."""
    found: list[pb.TableSummary] = []
    token, count = "", 0
    while True:
        page = await ann.stub.ListTables(pb.ListTablesRequest(**asked, page_token=token))
        found += page.tables
        token, count = page.next_page_token, count + 1
        if not token:
            return found, count


@asynccontextmanager
async def calling(address: str, name: str = "ann") -> AsyncIterator[Caller]:
    """A player with a connection of its own."""
    async with grpc.aio.insecure_channel(address) as channel:
        yield Caller(TableServiceStub(channel), name)
