"""Odds for people and programs: asks an evaluator, which counts every possibility.

    async with EvaluatorOdds("127.0.0.1:50052") as odds:
        counts = await odds.after_draw(DrawsRequest(...))

The evaluator is a service behind the tables; whoever runs one may ask it. Here: the two questions, and what
may come instead of an answer. Their own form is in `servito_wire.odds`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Final, Self, TypeVar

from grpc import StatusCode, aio

from servito.evaluator.v1.evaluator_pb2_grpc import EvaluatorServiceStub
from servito_client.errors import Unanswered, error_of
from servito_client.retries import Effort, RetryPolicy, repeated
from servito_core.values import Category, SfKind
from servito_platform.grpc_channel import open_channel
from servito_wire import odds as wire

Answer = TypeVar("Answer")

COUNTING: Final = RetryPolicy(call_timeout=60.0, give_up_after=120.0)
"""Counts take their time, and one request at a time is worked on."""

CONNECT_SECONDS: Final = 5.0
"""For the connection alone: with such patience a wrong address would be noticed late."""


class EvaluatorOdds:
    """An evaluator at `address` (HOST:PORT); use it as an async context manager.

    Every question only reads, so it is repeated while that may help; `Refusal` when the evaluator says no,
    `Unanswered` when no answer could be had, also on entering.
    """

    def __init__(self, address: str, policy: RetryPolicy = COUNTING) -> None:
        self._address = address
        self._policy = policy
        self._channel = open_channel(address, timeout=policy.call_timeout)
        self._stub = EvaluatorServiceStub(self._channel)

    async def __aenter__(self) -> Self:
        try:
            await asyncio.wait_for(self._channel.channel_ready(), CONNECT_SECONDS)
        except TimeoutError:
            await self._channel.close()
            raise Unanswered(StatusCode.UNAVAILABLE, f"nobody serves at {self._address}") from None
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._channel.close()

    async def after_draw(self, asked: wire.DrawsRequest) -> dict[tuple[Category, SfKind | None], int]:
        """How many of all possible draws lead to each outcome."""
        request = wire.draws_request(asked)
        return wire.read_draws_response(await self._answer(lambda: self._stub.CountDraws(request)))

    async def some_opens(self, asked: wire.OpenersOddsRequest) -> list[tuple[int, int]]:
        """Favourable and all deals for one opponent, for two and so on; the last ones may be missing."""
        request = wire.openers_odds_request(asked)
        return wire.read_openers_odds_response(await self._answer(lambda: self._stub.CountOpeners(request)))

    async def _answer(self, call: Callable[[], Awaitable[Answer]]) -> Answer:
        async def once() -> Answer:
            try:
                return await call()
            except aio.AioRpcError as failed:
                raise error_of(failed) from failed

        return await repeated(once, self._policy, Effort())
