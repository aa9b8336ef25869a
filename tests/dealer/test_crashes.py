"""No card changes when the dealer is killed, whenever that is."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from servito_dealer.app.requests import Dealt, DrawEntry
from servito_platform.errors import RpcError
from tests.dealer.player import TableSide
from tests.dealer.process import DealerClient, DealerProcess

if TYPE_CHECKING:
    from pathlib import Path

    import redis.asyncio

    from servito_dealer.settings import DealerSettings


async def test_killed_between_any_two_requests(
    settings: DealerSettings, client: redis.asyncio.Redis, tmp_path: Path
) -> None:
    """Kill -9 after opening, dealing and each draw: what was answered is answered again, and the hand goes
    on.
    """
    async with DealerProcess(settings, tmp_path / "log") as process, DealerClient(process.grpc) as dealer:

        async def crash() -> None:
            await process.kill()
            await process.start()

        opened = await dealer.open("t1-1", slots=9)
        await crash()
        assert await dealer.open("t1-1", slots=9) == opened
        dealt = await dealer.deal("t1-1")
        await crash()
        assert await dealer.deal("t1-1") == dealt
        table = TableSide()
        table.take_deal(dealt)
        answers = []
        for slot in range(4):
            table.discard(slot, 3)
            order = table.order(slot, 3)
            drawn = await dealer.draw("t1-1", order)
            table.take_draw(order, drawn)
            answers.append((order, drawn))
            await crash()
            assert [await dealer.draw("t1-1", order) for order, _ in answers] == [
                drawn for _, drawn in answers
            ]
        away = [card.card for card in table.away()]
        assert len(set(away)) == len(away) == 52 - answers[-1][1].stock_left
        assert any(drawn.shuffled for _, drawn in answers)


async def test_killed_with_requests_in_flight(
    settings: DealerSettings, client: redis.asyncio.Redis, tmp_path: Path
) -> None:
    """Kill -9 amid many requests: those that were answered keep their answers, the others get one when
    asked again. Every other hand is opened and dealt at once.
    """
    hands = [f"t{number}-1" for number in range(150)]
    draw = DrawEntry(number=1, slot=3, draw=1, count=4)
    async with DealerProcess(settings, tmp_path / "log") as process, DealerClient(process.grpc) as dealer:
        answered: dict[str, Dealt] = {}
        enough = asyncio.Event()

        async def begin(hand: str) -> None:
            if hand in hands[::2]:
                answered[hand] = await dealer.open_and_deal(hand)
            else:
                await dealer.open(hand)
                answered[hand] = await dealer.deal(hand)
            if len(answered) >= 40:
                enough.set()

        running = asyncio.gather(*map(begin, hands), return_exceptions=True)
        await asyncio.wait_for(enough.wait(), 30)
        await process.kill()
        assert len(answered) < len(hands)
        await process.start()
        outcomes = await running
        assert all(outcome is None or isinstance(outcome, RpcError) for outcome in outcomes)
        before = dict(answered)
        await asyncio.gather(*map(begin, hands))
        assert {hand: answered[hand] for hand in before} == before
        drawn = await asyncio.gather(*(dealer.draw(hand, draw) for hand in hands))
        seen = [
            {card for cards in answered[hand].hands for card in cards} | set(more.cards)
            for hand, more in zip(hands, drawn, strict=True)
        ]
        assert all(len({card.card for card in cards}) == 49 for cards in seen)


async def test_replicas_share_the_truth(
    settings: DealerSettings, client: redis.asyncio.Redis, tmp_path: Path
) -> None:
    """Two dealers on one state server, asked in turn and at once, give one and the same deal, opened before
    or with it.
    """
    async with (
        DealerProcess(settings, tmp_path / "log1") as first,
        DealerProcess(settings, tmp_path / "log2") as second,
        DealerClient(first.grpc) as one,
        DealerClient(second.grpc) as other,
    ):
        for number in range(30):
            hand = f"t1-{number}"
            if number % 2:
                opened = await asyncio.gather(
                    one.open(hand), other.open(hand), one.open(hand), other.open(hand)
                )
                assert all(answer == opened[0] for answer in opened)
            ask = one.deal if number % 2 else one.open_and_deal
            dealt = await asyncio.gather(other.open_and_deal(hand), ask(hand), other.open_and_deal(hand))
            assert all(answer == dealt[0] for answer in dealt)
            draw = DrawEntry(number=1, slot=number % 9, draw=1, count=3)
            drawn = await asyncio.gather(one.draw(hand, draw), other.draw(hand, draw))
            assert drawn[0] == drawn[1]
