"""What the cases stand on: the running services, the state server behind them, and players with seats.

Here: getting ready (tables, seats, running hands), sending what a case asks, and looking at or damaging what
is stored. The timers do not run, so nothing ends by itself but what the table service does at once.
"""

from __future__ import annotations

import asyncio
import itertools
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from google.protobuf import message_factory

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.table_pb2_grpc import TableServiceStub
from servito_platform.keys import Keys
from tests.contract.promises import TABLE, Rpc, promises
from tests.contract.registry import Asked
from tests.table.caller import CONFIG, Caller, fresh
from tests.table.playing import mild_action, own_cards, turn_at

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from google.protobuf.message import Message
    from grpc import aio

SECONDS: Final = 10.0
OTHER, HASTY = "other table", "hasty table"
"""Other table processes: one as good as the first, one that waits only a little for the state server."""
_names = itertools.count(1)


@dataclass
class Seats:
    """A table and its players; while a hand waits for one of them, who he is and what he was offered."""

    table_id: str
    players: list[str]
    view: pb.TableView = field(default_factory=pb.TableView)

    @property
    def actor(self) -> str:
        """Who is to act."""
        return self.at(self.view.hand.to_act)

    @property
    def other(self) -> str:
        """Somebody who is not."""
        return next(player for player in self.players if player != self.actor)

    @property
    def turn(self) -> int:
        """The turn that is waited for."""
        return self.view.hand.turn_id

    def at(self, seat: int) -> str:
        """Who sits there."""
        return next(own.player for own in self.view.seats if own.seat == seat)


class Stage:
    """See the module. `channels` are the connections, by service and by `OTHER` and `HASTY`."""

    def __init__(self, channels: Mapping[str, aio.Channel], state: Any, server: int) -> None:
        self._channels = channels
        self.table = Caller(TableServiceStub(channels[TABLE]), "owner")
        """Somebody who owns the tables and has no seat."""
        self.elsewhere = Caller(TableServiceStub(channels[OTHER]), "owner")
        """The same at another process."""
        self.state = state
        self.keys = Keys(64)
        self.server_pid = server
        self.sat: dict[tuple[str, str], str] = {}
        """Request ids with which players sat down, by table and player."""

    def channel(self, service: str) -> aio.Channel:
        """The connection to a service, or to OTHER or HASTY."""
        return self._channels[service]

    # ---- getting ready -------------------------------------------------------------------------------------

    def name(self) -> str:
        """A player whom nobody knows yet."""
        return f"player{next(_names)}"

    async def new_table(self, **changes: Any) -> str:
        """A table of `tests.table.caller.CONFIG` with these fields changed; its id."""
        config = pb.TableConfig()
        config.CopyFrom(CONFIG)
        options = changes.pop("options", {})
        for name, value in changes.items():
            setattr(config, name, value)
        config.options.update(options)
        return await self.table.create(config)

    async def sit(self, table_id: str, player: str | None = None, buy_in: int = 100) -> str:
        """Seat a player, by default a new one; his name."""
        player, request_id = player or self.name(), fresh()
        await self.table.as_player(player).sit(table_id, buy_in=buy_in, request_id=request_id)
        self.sat[table_id, player] = request_id
        return player

    async def seated(self, players: int = 1, **changes: Any) -> Seats:
        """A new table with so many players, who bring `buy_in` chips, by default 100. One alone waits; when
        the second one sits the service begins a hand, so that a third one is dealt in from the next on.
        """
        buy_in = changes.pop("buy_in", 100)
        table_id = await self.new_table(**changes)
        names = [await self.sit(table_id, buy_in=buy_in) for _ in range(players)]
        return Seats(table_id, names, await self.view(table_id))

    async def hand(self, players: int = 2, **changes: Any) -> Seats:
        """The same, once the hand waits for somebody to act."""
        seats = await self.seated(players, **changes)
        return Seats(seats.table_id, seats.players, await self.turn(seats.table_id))

    async def turn(self, table_id: str) -> pb.TableView:
        """The table once somebody is to act."""
        return await turn_at(self.table, table_id)

    async def view(self, table_id: str, player: str | None = None) -> pb.TableView:
        """The table as its owner sees it, or as that player does."""
        who = self.table if player is None else self.table.as_player(player)
        return await who.table(table_id)

    async def hand_with(self, kind: pb.ActionKind.ValueType, players: int = 2, **changes: Any) -> Seats:
        """A hand that waits for somebody who is offered this kind of action: it is played until then."""
        seats = await self.hand(players, **changes)
        for _ in range(300):
            own = await self.view(seats.table_id, seats.actor)
            if any(action.kind == kind for action in own.hand.offer.actions):
                return Seats(seats.table_id, seats.players, own)
            await self.act(seats, mild_action(own.hand.offer, own_cards(own)))
            seats = Seats(seats.table_id, seats.players, await self.turn(seats.table_id))
        raise AssertionError(f"nobody was offered {pb.ActionKind.Name(kind)}")

    async def act(self, seats: Seats, action: pb.Action) -> None:
        """Act for whom the hand waits."""
        await self.table.as_player(seats.actor).act(seats.table_id, seats.turn, action)

    async def act_first(self, seats: Seats, *kinds: pb.ActionKind.ValueType) -> Seats:
        """Whoever is to act does the first of these that he is offered; the table then."""
        offer = (await self.view(seats.table_id, seats.actor)).hand.offer
        legal = {action.kind: action for action in offer.actions}
        kind = next(kind for kind in kinds if kind in legal)
        to = legal[kind].least if kind in (pb.ACTION_KIND_OPEN, pb.ACTION_KIND_BET) else None
        await self.act(seats, pb.Action(kind=kind, to=to))
        return replace(seats, view=await self.turn(seats.table_id))

    # ---- asking --------------------------------------------------------------------------------------------

    async def ask(self, rpc: Rpc, asked: Asked) -> Message:
        """The answer; of a stream its first message. Raises AioRpcError."""
        read = message_factory.GetMessageClass(rpc.method.output_type).FromString
        channel, metadata = self._channel_for(rpc, asked), asked.metadata
        async with asked.damage or nullcontext():
            if rpc.method.client_streaming:
                open_stream: Any = channel.stream_stream(rpc.path, None, read)
                over = asyncio.Event()
                call = open_stream(_one(asked.content, over), metadata=metadata, timeout=SECONDS)
                try:
                    return await _first(call)
                finally:
                    over.set()
            if rpc.method.server_streaming:
                open_stream = channel.unary_stream(rpc.path, None, read)
                return await _first(open_stream(asked.content, metadata=metadata, timeout=SECONDS))
            ask: Any = channel.unary_unary(rpc.path, None, read)
            answer: Message = await ask(asked.content, metadata=metadata, timeout=SECONDS)
            return answer

    async def play(self, asked: Asked) -> pb.ActAnswer:
        """Join the table of an ActRequest by Play, and send it there."""
        assert isinstance(asked.request, pb.ActRequest)
        rpc = promises()["Play"]
        open_stream: Any = self._channel_for(rpc, asked).stream_stream(
            rpc.path, None, pb.PlayResponse.FromString
        )
        call = open_stream(metadata=asked.metadata, timeout=SECONDS)
        join = pb.PlayRequest(join=pb.WatchRequest(table_id=asked.request.table_id))
        await call.write(join.SerializeToString())
        assert (await call.read()).HasField("snapshot")
        async with asked.damage or nullcontext():
            act = pb.PlayRequest(act=asked.request).SerializeToString()
            await call.write(act if asked.raw is None else asked.raw)
            while not (message := await call.read()).answers:
                pass
        call.cancel()
        answer: pb.ActAnswer = message.answers[0]
        return answer

    def _channel_for(self, rpc: Rpc, asked: Asked) -> aio.Channel:
        return self.channel(HASTY if asked.hasty else rpc.service)

    # ---- what is stored ------------------------------------------------------------------------------------

    async def stored(self, table_id: str) -> dict[bytes, bytes]:
        """The hash of a table, once it stands still."""
        before: dict[bytes, bytes] = {}
        async with asyncio.timeout(SECONDS):
            while True:
                held: dict[bytes, bytes] = await self.state.hgetall(self.keys.table(table_id))
                if held and held == before:
                    return held
                before = held
                await asyncio.sleep(0.02)


async def _first(call: Any) -> Message:
    async for message in call:
        call.cancel()
        answer: Message = message
        return answer
    raise AssertionError("the stream ended well and said nothing")


async def _one(content: bytes, over: asyncio.Event) -> AsyncIterator[bytes]:
    yield content
    await over.wait()
