"""Stands on the players' channels: writes down what they ask and are answered, and sends copies.

Here: gRPC interceptors. A rude one sends each request one to five times with the same id, at once and again
up to three seconds later, which is what retries of SDKs, proxies and impatient people amount to. All answers
go into the ledger, all cards into the memory of cards. Not here: judging any of it (checks.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from random import Random
from typing import Any, Final

from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito_client.errors import Refusal, error_of, refusal_in
from servito_client.messages import event_of
from tests.chaos.cards import Cards, Place
from tests.chaos.clocks import now_ms
from tests.chaos.ledger import Asked, Ledger

MOST_COPIES: Final = 5
LATEST_SECONDS: Final = 3.0


class Witness:
    """What the interceptors share. `rng`: where given, requests are sent several times."""

    def __init__(self, ledger: Ledger, cards: Cards, rng: Random | None = None) -> None:
        self.ledger = ledger
        self.cards = cards
        self._rng = rng
        self._late: set[asyncio.Task[None]] = set()
        self.places: dict[tuple[str, str], Place] = {}
        """Where each player's stream of each table stands; a stream that is opened again goes on there."""

    def interceptors(self) -> list[aio.ClientInterceptor]:
        """For a channel."""
        return [_Calls(self), _Watching(self), _Playing(self)]

    def delays(self) -> list[float]:
        """After how many seconds each copy beyond the first is sent."""
        if self._rng is None:
            return []
        rng = self._rng
        return [rng.choice((0.0, rng.uniform(0, LATEST_SECONDS))) for _ in range(rng.randrange(MOST_COPIES))]

    def later(self, delay: float, send: Callable[[], Any]) -> None:
        """Send a copy in the background."""

        async def sent() -> None:
            await asyncio.sleep(delay)
            with suppress(aio.AioRpcError, asyncio.CancelledError):  # written down where it was sent
                await send()

        task = asyncio.create_task(sent())
        self._late.add(task)
        task.add_done_callback(self._late.discard)

    async def all_sent(self) -> None:
        """Wait for the copies that are under way."""
        while self._late:
            await asyncio.wait(set(self._late))

    def failed(self, error: aio.AioRpcError, asked: Asked | None = None) -> None:
        """A call or a stream ended by an error."""
        told = error_of(error)
        if isinstance(told, Refusal):
            self.ledger.refuse(asked, told.reason)
        else:
            self.ledger.unanswered[error.code().name] += 1


class _Calls(aio.UnaryUnaryClientInterceptor):
    def __init__(self, witness: Witness) -> None:
        self._witness = witness

    async def intercept_unary_unary(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        witness, player = self._witness, _player(client_call_details)
        method = str(_text(client_call_details.method)).rpartition("/")[2]
        request_id = getattr(request, "request_id", "")

        async def once() -> Any:
            asked = None
            if request_id:
                table_id = getattr(request, "table_id", "")
                asked = witness.ledger.send(player, table_id, method, request, request_id)
            try:
                call = await continuation(client_call_details, request)
                answer = await call
            except aio.AioRpcError as error:
                witness.failed(error, asked)
                raise
            if asked is not None:
                witness.ledger.accept(asked, answer, now_ms())
            if isinstance(answer, pb.GetTableResponse):
                witness.cards.view(answer.table)
            elif isinstance(answer, pb.GetHandResponse):
                witness.cards.record(answer.hand)
            return call

        for delay in witness.delays() if request_id else []:
            witness.later(delay, once)
        return await once()


class _Stream:
    """One Watch or Play stream as it is read: an iterator of its messages."""

    def __init__(self, witness: Witness, player: str) -> None:
        self._witness = witness
        self._player = player
        self._messages: AsyncIterator[Any] | None = None
        self.outgoing: _Outgoing | None = None
        self.table_id = ""
        self.asked: dict[str, Asked] = {}

    def over(self, call: Any) -> _Stream:
        """Reads this call."""
        self._messages = aiter(call)
        return self

    def __aiter__(self) -> _Stream:
        return self

    async def __anext__(self) -> Any:
        assert self._messages is not None
        try:
            response = await anext(self._messages)
        except BaseException as error:
            if isinstance(error, aio.AioRpcError):
                self._witness.failed(error)
            if self.outgoing is not None:
                self.outgoing.close()
            raise
        self._take(response)
        return response

    def _take(self, response: Any) -> None:
        cards, key = self._witness.cards, (self._player, self.table_id)
        if response.HasField("snapshot"):
            self._witness.places[key] = cards.view(response.snapshot)
            self._witness.ledger.rewinds[self.table_id] += response.rewound
        place = self._witness.places.setdefault(key, Place())
        for update in response.updates:
            for envelope in update.events:
                if (event := event_of(envelope)) is not None:
                    cards.event(place, event)
        for answer in getattr(response, "answers", ()):
            self._answered(answer)

    def _answered(self, answer: pb.ActAnswer) -> None:
        asked = self.asked.get(answer.request_id)
        if asked is None:
            self._witness.ledger.problems.append(f"an answer to nothing that {self._player} asked")
        elif answer.HasField("refused"):
            self._witness.ledger.refuse(asked, refusal_in(answer.refused).reason)
        else:
            self._witness.ledger.accept(asked, answer.accepted, now_ms())


class _Watching(aio.UnaryStreamClientInterceptor):
    def __init__(self, witness: Witness) -> None:
        self._witness = witness

    async def intercept_unary_stream(self, continuation: Any, client_call_details: Any, request: Any) -> Any:
        stream = _Stream(self._witness, _player(client_call_details))
        stream.table_id = request.table_id
        return stream.over(await continuation(client_call_details, request))


class _Playing(aio.StreamStreamClientInterceptor):
    def __init__(self, witness: Witness) -> None:
        self._witness = witness

    async def intercept_stream_stream(
        self, continuation: Any, client_call_details: Any, request_iterator: Any
    ) -> Any:
        player = _player(client_call_details)
        stream = _Stream(self._witness, player)
        outgoing = stream.outgoing = _Outgoing(self._witness, request_iterator, stream, player)
        return stream.over(await continuation(client_call_details, outgoing))


class _Outgoing:
    """What a player sends on a stream, and copies of it: an iterator of messages."""

    def __init__(self, witness: Witness, requests: Any, stream: _Stream, player: str) -> None:
        self._witness, self._stream, self._player = witness, stream, player
        self._ready: asyncio.Queue[pb.PlayRequest | None] = asyncio.Queue()
        self._copied: set[str] = set()
        self._gathering = asyncio.create_task(self._gather(requests))

    def __aiter__(self) -> _Outgoing:
        return self

    async def __anext__(self) -> pb.PlayRequest:
        request = await self._ready.get()
        if request is None:
            raise StopAsyncIteration
        if request.HasField("act"):
            self._note(request)
        return request

    def close(self) -> None:
        """The call is over."""
        self._gathering.cancel()
        self._ready.put_nowait(None)

    async def _gather(self, requests: Any) -> None:
        async for request in requests:
            if request.HasField("join"):
                self._stream.table_id = request.join.table_id
            self._ready.put_nowait(request)

    def _note(self, request: pb.PlayRequest) -> None:
        act, stream = request.act, self._stream
        stream.asked[act.request_id] = self._witness.ledger.send(
            self._player, stream.table_id, "Act", act, act.request_id
        )
        if act.request_id in self._copied:
            return
        self._copied.add(act.request_id)

        async def again() -> None:
            self._ready.put_nowait(request)

        for delay in self._witness.delays():
            self._witness.later(delay, again)


def _player(details: Any) -> str:
    found = dict(details.metadata or ()).get("authorization", "")
    return str(_text(found)).removeprefix("Bearer dev:")


def _text(value: Any) -> Any:
    return value.decode() if isinstance(value, bytes) else value
