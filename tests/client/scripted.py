"""A real gRPC server whose answers a test writes: for faults that no healthy table service shows on demand.

`PlayScript` and `WatchScript` are one stream each, in the order in which they are opened; `unary` answers
every other call.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import grpc
from prometheus_client import CollectorRegistry

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.table_pb2_grpc import TableServiceServicer, add_TableServiceServicer_to_server
from servito_client.client import Servito, Token
from servito_client.retries import RetryPolicy
from servito_platform.caller import Verifier, caller, development_tokens
from servito_platform.errors import RpcError
from servito_platform.grpc_server import listen, new_server
from servito_wire.refusals import refusal, refusal_to_proto

PATIENT = RetryPolicy(first_wait=0.01, longest_wait=0.05, give_up_after=60, call_timeout=20)
GIVES_UP = replace(PATIENT, give_up_after=2)
CALLS_AGAIN = replace(PATIENT, call_timeout=2)
"""Both for tests in which somebody is given up, and in no others: who is slow is not gone."""

Requests = AsyncIterator[pb.PlayRequest]
PlayScript = Callable[[Requests], AsyncIterator[pb.PlayResponse]]
WatchScript = Callable[[pb.WatchRequest], AsyncIterator[pb.WatchResponse]]

Why = Enum(
    "Why",
    [
        "NOT_YOUR_TURN",
        "CONTENDED",
        "OUTCOME_UNKNOWN",
        "UNAVAILABLE",
        "UNKNOWN_TABLE",
        "INVALID_CONFIG",
        "SEAT_TAKEN",
        "STALE_PROPOSAL",
    ],
)


def failure(why: Why, text: str = "because") -> RpcError:
    """What a handler raises to refuse a call."""
    row = refusal(why, text)
    return RpcError(row.code, row.reason, row.message, metadata=row.metadata, retry_after=row.retry_after)


def broken() -> RpcError:
    """What a client sees of a server that is gone: a status without a reason of ours."""
    return RpcError(grpc.StatusCode.UNAVAILABLE, "", "")


@dataclass
class ScriptedTable(TableServiceServicer):
    """Serves the scripts; `asked` holds every unary request, `callers` who made each call."""

    plays: list[PlayScript] = field(default_factory=list)
    watches: list[WatchScript] = field(default_factory=list)
    unary: Callable[[Any], Any] = lambda _request: pb.GetTableResponse()
    asked: list[Any] = field(default_factory=list)
    callers: list[str | None] = field(default_factory=list)

    async def Play(self, requests: Any, _context: Any) -> AsyncIterator[pb.PlayResponse]:  # noqa: N802 - gRPC's
        self.callers.append(caller())
        async for response in self.plays.pop(0)(requests):
            yield response

    async def Watch(self, request: Any, _context: Any) -> AsyncIterator[pb.WatchResponse]:  # noqa: N802 - gRPC's
        async for response in self.watches.pop(0)(request):
            yield response

    async def _answer(self, request: Any, _context: Any) -> Any:
        self.asked.append(request)
        self.callers.append(caller())
        return self.unary(request)

    CreateTable = ListTables = GetTable = Sit = Stand = Act = ExpireDeadlines = _answer  # type: ignore[assignment]  # one for all
    ProposeRules = AnswerProposal = _answer  # type: ignore[assignment]  # the same
    SitOut = SitIn = TopUp = JoinWaitingList = LeaveWaitingList = _answer  # type: ignore[assignment]  # the same
    PauseTable = ResumeTable = CloseTable = SetPreAction = _answer  # type: ignore[assignment]  # the same
    GetHand = ListHands = GetProofs = SetEntropy = _answer  # type: ignore[assignment]  # the same
    SetMaintenance = GetMaintenance = _answer  # type: ignore[assignment]  # the same
    PutTemplate = DeleteTemplate = ListTemplates = _answer  # type: ignore[assignment]  # the same


Serve = Callable[[ScriptedTable], Awaitable[Servito]]


class Served:
    """A scripted table and a client of it, as a context."""

    def __init__(
        self,
        table: ScriptedTable,
        player: str | None = "anna",
        token: Token | None = None,
        verify: Verifier = development_tokens,
        policy: RetryPolicy = PATIENT,
    ) -> None:
        self._table, self._player, self._token, self._verify = table, player, token, verify
        self._policy = policy

    async def __aenter__(self) -> Servito:
        self._server = new_server(CollectorRegistry(), self._verify)
        add_TableServiceServicer_to_server(self._table, self._server)
        address = listen(self._server, "127.0.0.1:0")
        await self._server.start()
        self._client = Servito(address, player=self._player, policy=self._policy, token=self._token)
        return self._client

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()
        await self._server.stop(None)


def snapshot(version: int) -> pb.PlayResponse:
    """The whole table, of which only the version matters."""
    return pb.PlayResponse(snapshot=pb.TableView(table_id="t1", version=version))


def update(version: int, turn_id: int = 0) -> pb.PlayResponse:
    """A commit; with `turn_id` it offers that turn to the listener."""
    offer = pb.Offer(turn_id=turn_id, hand_id="t1-2") if turn_id else None
    return pb.PlayResponse(updates=[pb.TableUpdate(version=version, offer=offer)])


def accepted(act: pb.ActRequest, version: int) -> pb.PlayResponse:
    """The answer to an act that was applied."""
    return pb.PlayResponse(
        answers=[pb.ActAnswer(request_id=act.request_id, accepted=pb.ActResponse(version=version))]
    )


def refused(act: pb.ActRequest, why: Why) -> pb.PlayResponse:
    """The answer to an act that was not."""
    return pb.PlayResponse(
        answers=[pb.ActAnswer(request_id=act.request_id, refused=refusal_to_proto(refusal(why, "because")))]
    )
