"""The client: tables as a player or an operator uses them.

    async with Servito("127.0.0.1:50051", player="anna") as servito:
        table_id = await servito.create_table(TableConfig(name="Sala 1", preset="italiana", seats=4, ...))
        await servito.sit(table_id, buy_in=200)
        async with servito.play(table_id) as seat:
            async for told in seat:
                if told.offer:
                    await seat.act(told.offer, choose(told.offer))

Here: one method for each RPC that a player may call, but for those about a seat that he has (seat_calls.py),
about recent hands (hand_calls.py) and those of whoever runs tables (operator_calls.py).
Not here: the streams themselves (seat.py, watching.py) and the arithmetic of retries (retries.py)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self, Unpack

from grpc import ChannelCredentials, aio

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.table_pb2_grpc import TableServiceStub
from servito_client.connection import Connection
from servito_client.hand_calls import HandCalls
from servito_client.listing import Filter
from servito_client.messages import (
    Action,
    Offer,
    PreAction,
    TableSummary,
    TableView,
)
from servito_client.operator_calls import OperatorCalls
from servito_client.retries import Effort, RetryPolicy
from servito_client.seat import Seat
from servito_client.seat_calls import SeatCalls
from servito_client.updates import Told
from servito_client.watching import watch
from servito_platform.grpc_channel import open_channel

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Token = str | Callable[[], str]
"""A signed token, or what gives the one to be shown now."""


class Seated(NamedTuple):
    """A seat taken, and the version of the table in which that happened."""

    seat: int
    version: int


class Servito(SeatCalls, HandCalls, OperatorCalls):
    """The table service at `address` (HOST:PORT or dns:///NAME:PORT), spoken to as one caller.

    `player` is who calls (1 to 64 letters, digits, `_`, `.`, `-`); without one, only what needs no player
    works. `token`: the player's signed token, or a function that gives the one to be shown now; it is asked
    with every call and every new stream, so let it give a renewed one before the last has expired. Without a
    token the player is a development identity. `credentials`: of a channel with TLS.

    Use it as an async context manager. Every method raises `Refusal` when the table says no and `Unanswered`
    when no answer could be had within `policy`. What changes something is repeated with its request id only,
    so it never happens twice. `effort` counts; `channel` lets several callers share one connection.
    `tracer` (of OpenTelemetry): every call and act is a span of the program that calls (spans.py)."""

    def __init__(
        self,
        address: str,
        player: str | None = None,
        *,
        policy: RetryPolicy | None = None,
        effort: Effort | None = None,
        channel: aio.Channel | None = None,
        token: Token | None = None,
        credentials: ChannelCredentials | None = None,
        tracer: Tracer | None = None,
    ) -> None:
        self._address = address
        self._player = player
        self._policy = policy or RetryPolicy()
        self._shares = channel is not None
        self._channel = channel or open_channel(address, timeout=None, credentials=credentials)
        self._connection = Connection(
            stub=TableServiceStub(self._channel),
            token=_shown(player, token),
            policy=self._policy,
            effort=effort or Effort(),
            tracer=tracer,
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the channel, unless it is another's."""
        if not self._shares:
            await self._channel.close()

    def acting_as(self, player: str | None, token: Token | None = None) -> Servito:
        """Another caller over the same channel, counting into the same `effort`; this one must stay open."""
        return Servito(
            self._address,
            player,
            policy=self._policy,
            effort=self.effort,
            channel=self._channel,
            token=token,
            tracer=self._connection.tracer,
        )

    @property
    def player(self) -> str | None:
        """Who calls."""
        return self._player

    @property
    def effort(self) -> Effort:
        """What the network cost so far."""
        return self._connection.effort

    async def list_tables(
        self, page_size: int = 100, **wanted: Unpack[Filter]
    ) -> AsyncIterator[TableSummary]:
        """Every table that is `wanted` in the order of the ids, asked for in pages of 1..200 as the iteration
        goes on: `list_tables(preset="italiana", with_free_seat=True)`.
        """
        token = ""
        while True:
            request = pb.ListTablesRequest(page_size=page_size, page_token=token, **wanted)
            page = await self._connection.ask(self._connection.stub.ListTables, request)
            for table in page.tables:
                yield table
            if not (token := page.next_page_token):
                return

    async def table(self, table_id: str, min_version: int = 0) -> TableView:
        """The table as this caller may see it, not older than `min_version`.

        Never another seat's hidden cards.
        """
        request = pb.GetTableRequest(table_id=table_id, min_version=min_version)
        return (await self._connection.ask(self._connection.stub.GetTable, request)).table

    async def sit(self, table_id: str, *, buy_in: int, seat: int | None = None) -> Seated:
        """Takes `seat`, or any free one, with `buy_in` chips.

        The player is dealt in from the next hand on.
        """
        request = pb.SitRequest(
            table_id=table_id, request_id=self._connection.new_id(), seat=seat, buy_in=buy_in
        )
        answer = await self._connection.ask(self._connection.stub.Sit, request)
        return Seated(answer.seat, answer.version)

    async def stand(self, table_id: str) -> int | None:
        """The chips cashed out; None while the seat is still in a hand: they follow when it is over."""
        request = pb.StandRequest(table_id=table_id, request_id=self._connection.new_id())
        answer = await self._connection.ask(self._connection.stub.Stand, request)
        return answer.cashed_out if answer.HasField("cashed_out") else None

    async def propose_rules(self, table_id: str, changes: Mapping[str, str]) -> int:
        """Proposes house rules, `{"bet.limit": "none"}`: the id of the proposal.

        Everybody who sits there has to agree; then the change comes with the next hand that begins without a
        carried pot. `INVALID_CONFIG` names every defect of the rules that would be played."""
        request = pb.ProposeRulesRequest(
            table_id=table_id, request_id=self._connection.new_id(), changes=changes
        )
        return (await self._connection.ask(self._connection.stub.ProposeRules, request)).proposal_id

    async def answer_proposal(self, table_id: str, proposal_id: int, *, agree: bool) -> int:
        """Agrees to the open proposal, or refuses it; the version in which that was noted."""
        request = pb.AnswerProposalRequest(
            table_id=table_id, request_id=self._connection.new_id(), proposal_id=proposal_id, agree=agree
        )
        return (await self._connection.ask(self._connection.stub.AnswerProposal, request)).version

    async def act(self, table_id: str, offer: Offer, action: Action) -> int:
        """The version in which `action` was applied, in hand and turn of `offer`. `Seat.act` is cheaper."""
        request = pb.ActRequest(
            table_id=table_id,
            request_id=self._connection.new_id(),
            hand_id=offer.hand_id,
            turn_id=offer.turn_id,
            lineage=offer.lineage,
            action=action,
        )
        return (await self._connection.ask(self._connection.stub.Act, request)).version

    async def set_pre_action(self, table: TableView, wanted: PreAction | None) -> int:
        """Says what the caller's seat does when its turn comes; the version in which that was noted.

        `table` is the view that he decides on: hand and turn are those of now, or it is `STALE_TURN`. None
        takes back what was said before."""
        request = pb.SetPreActionRequest(
            table_id=table.table_id,
            request_id=self._connection.new_id(),
            hand_id=table.hand.hand_id,
            turn_id=table.hand.turn_id,
            pre_action=wanted,
        )
        return (await self._connection.ask(self._connection.stub.SetPreAction, request)).version

    def play(self, table_id: str, after_version: int | None = None, after_lineage: int = 0) -> Seat:
        """The caller's stream at a table: enter it, iterate it, act through it. See `Seat`."""
        return Seat(self._connection, table_id, after_version, after_lineage)

    def watch(
        self, table_id: str, after_version: int | None = None, after_lineage: int = 0
    ) -> AsyncIterator[Told]:
        """What happens at a table from `after_version` on (a snapshot first where that is not set or gone);
        with the lineage of that version it is noticed if the table has lost it.

        Reconnects by itself; nothing is told twice and nothing left out but what a snapshot supersedes.
        """
        return watch(self._connection, table_id, after_version, after_lineage)


def _shown(player: str | None, token: Token | None) -> Callable[[], str]:
    if callable(token):
        return token
    text = token if token is not None else f"dev:{player}" if player else ""
    return lambda: text
