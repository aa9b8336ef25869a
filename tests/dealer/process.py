"""The dealer as a real process, and a client that speaks to it as the table does."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Self

import grpc

from servito.dealer.v1.dealer_pb2 import (
    DealRequest,
    DealResponse,
    DrawResponse,
    OpenHandRequest,
    OpenHandResponse,
)
from servito.dealer.v1.dealer_pb2_grpc import DealerServiceStub
from servito_core.cards import Card
from servito_dealer.app.requests import Committed, Dealt, DealtCard, DrawEntry, Drawn
from servito_platform.errors import RpcError
from servito_platform.grpc_channel import open_channel
from servito_wire.dealer import draw_request, open_request, read_hands
from tests.dealer.player import TableSide

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from pathlib import Path
    from types import TracebackType

    from servito_dealer.settings import DealerSettings


TABLE_TOKEN = "dev:service:table"


@dataclass
class DealerProcess:
    """`python -m servito_dealer` on a port that it keeps over restarts; its output goes to `log`."""

    settings: DealerSettings
    log: Path
    environment: dict[str, str] = field(default_factory=dict)
    grpc: str = "127.0.0.1:0"
    metrics: str = ""

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process.returncode is None:
            await self.kill()

    async def start(self) -> None:
        """Start it and wait until it serves."""
        environment = {
            **os.environ,
            "SERVITO_STATE_URL": self.settings.state_url.get_secret_value(),
            "SERVITO_STATE_TIMEOUT": str(self.settings.state_timeout),
            "SERVITO_DEALER_SEAL_KEYS": self.settings.dealer_seal_keys.get_secret_value(),
            "SERVITO_GRPC_BIND": self.grpc,
            "SERVITO_LOG_LEVEL": "debug",
            **self.environment,
        }
        with self.log.open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "servito_dealer",
                env=environment,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
            )
        assert self._process.stdout is not None
        line = await asyncio.wait_for(self._process.stdout.readline(), 30)
        if not line:
            raise AssertionError(f"the dealer did not start: {self.log.read_text()}")
        ready = json.loads(line)
        self.grpc, self.metrics = ready["grpc"], ready["metrics"]

    async def kill(self) -> None:
        """kill -9."""
        self._process.kill()
        await self._process.wait()

    async def terminate(self) -> int:
        """SIGTERM; the exit code."""
        self._process.send_signal(signal.SIGTERM)
        return await asyncio.wait_for(self._process.wait(), 20)


class DealerClient:
    """Asks as the table does; answers in the dealer's own types, refusals as `RpcError`. Keeps every error
    text.
    """

    def __init__(self, target: str, token: str | None = TABLE_TOKEN) -> None:
        self._channel = open_channel(target, timeout=20)
        self._stub = DealerServiceStub(self._channel)
        self._metadata = () if token is None else (("authorization", f"Bearer {token}"),)
        self.errors: list[str] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._channel.close()

    async def open(
        self, hand: str, lowest_rank: int = 2, slots: int = 9, draw_max: int = 4
    ) -> OpenHandResponse:
        """OpenHand."""
        request = OpenHandRequest(hand_id=hand, lowest_rank=lowest_rank, slots=slots, draw_max=draw_max)
        answer: OpenHandResponse = await self._ask(self._stub.OpenHand(request, metadata=self._metadata))
        return answer

    async def open_and_deal(self, hand: str) -> Dealt:
        """OpenHand of nine players to which nobody contributes."""
        request = open_request(hand, 2, 9, 4, deal_at_once=True)
        answer: OpenHandResponse = await self._ask(self._stub.OpenHand(request, metadata=self._metadata))
        assert answer.HasField("dealt")
        return self._read(answer.dealt)

    async def deal(self, hand: str) -> Dealt:
        """Deal."""
        answer: DealResponse = await self._ask(
            self._stub.Deal(DealRequest(hand_id=hand), metadata=self._metadata)
        )
        return self._read(answer)

    @staticmethod
    def _read(answer: DealResponse) -> Dealt:
        dealt = read_hands(answer)
        hands = tuple(tuple(DealtCard(*card) for card in cards) for cards in dealt.hands)
        size = sum(map(len, hands)) + answer.stock_left
        return Dealt(hands, answer.stock_left, dealt.entropy_digest, Committed(0, size, dealt.root))

    async def draw(self, hand: str, order: DrawEntry) -> Drawn:
        """Draw."""
        fields = (order.number, order.slot, order.draw, order.count, order.excluded, order.refills)
        answer: DrawResponse = await self._ask(
            self._stub.Draw(draw_request(hand, fields), metadata=self._metadata)
        )
        cards = tuple(DealtCard(Card(card.card), card.position) for card in answer.cards)
        shuffled = tuple(Committed(each.first_position, each.size, each.root) for each in answer.shuffled)
        return Drawn(cards, answer.stock_left, shuffled)

    async def _ask(self, call: Awaitable[object]) -> Any:
        try:
            return await call
        except grpc.aio.AioRpcError as error:
            refusal = RpcError.from_call(error)
            self.errors.append(f"{refusal.reason} {refusal.text} {refusal.metadata}")
            raise refusal from error


async def play(dealer: DealerClient, hand: str, slots: int = 9) -> tuple[TableSide, int]:
    """A whole hand in which everybody draws three and one; what the table knows, what the stock holds."""
    await dealer.open(hand, slots=slots)
    table = TableSide()
    dealt = await dealer.deal(hand)
    table.take_deal(dealt)
    left = dealt.stock_left
    for slot, count in [(slot, count) for count in (3, 1) for slot in range(slots)]:
        if count == 3:
            table.discard(slot, 4)
        order = table.order(slot, count)
        drawn = await dealer.draw(hand, order)
        table.take_draw(order, drawn)
        left = drawn.stock_left
    return table, left
