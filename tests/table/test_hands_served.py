"""GetHand and ListHands of a running table service, and what the streams behind them cost."""

from __future__ import annotations

import pytest
import redis.asyncio

from servito.table.v1 import table_pb2 as pb
from servito_platform.keys import Keys
from tests.modes.programs import chosen
from tests.table.caller import CONFIG, Caller, refusal_from
from tests.table.playing import play_by_calls

IDLE_BYTES = 25_000 if chosen().name != "redis-server" else 28_000
"""What a table may cost in the state server while nobody is there; streams take more room in Redis."""


async def table_of(ann: Caller, players: str, buy_in: int = 200, **config: int) -> tuple[str, list[Caller]]:
    """A table with these players."""
    wanted = pb.TableConfig()
    wanted.CopyFrom(CONFIG)
    wanted.seats, wanted.max_buy_in = len(players), buy_in
    for name, value in config.items():
        setattr(wanted, name, value)
    table_id = await ann.create(wanted)
    seated = [ann.as_player(f"{name}-{table_id[:8]}") for name in players]
    for player in seated:
        await player.sit(table_id, buy_in=buy_in)
    return table_id, seated


async def hand_of(caller: Caller, hand_id: str) -> pb.HandRecord:
    """A hand as the caller gets it."""
    request = pb.GetHandRequest(hand_id=hand_id)
    return (await caller.stub.GetHand(request, metadata=caller.metadata, timeout=30)).hand


async def page_of(caller: Caller, table_id: str, size: int = 0, token: str = "") -> pb.ListHandsResponse:
    """A page of the hands of a table."""
    request = pb.ListHandsRequest(table_id=table_id, page_size=size, page_token=token)
    return await caller.stub.ListHands(request, metadata=caller.metadata, timeout=30)


async def test_hands_are_listed_and_told(ann: Caller) -> None:
    """In pages, the newest first; each whole, to its players with their cards and to others without."""
    table_id, players = await table_of(ann, "abc")
    await play_by_calls(table_id, players, 4)
    listed: list[pb.HandSummary] = []
    token = "more"
    while token:
        page = await page_of(ann, table_id, 2, "" if token == "more" else token)
        listed += page.hands
        token = page.next_page_token
    assert [hand.number for hand in listed] == list(range(listed[0].number, 0, -1))
    second = next(hand for hand in listed if hand.number == 2)
    assert (second.finished, second.complete, len(second.players)) == (True, True, 3)
    own = [await hand_of(player, second.hand_id) for player in players]
    for record, seat in zip(own, (0, 1, 2), strict=True):
        assert record.own_seat == seat
        assert record.outcome == second.outcome
        [dealt] = [h.event.cards_dealt for h in record.events if h.event.HasField("cards_dealt")]
        assert len(dealt.cards) == 5
    stranger = await hand_of(ann, second.hand_id)
    assert not any(h.event.cards_dealt.cards for h in stranger.events)
    assert len(stranger.events) == len(own[0].events)


async def test_a_token_is_for_its_table(ann: Caller) -> None:
    """The token of one table's page is refused for another one."""
    tables = [await table_of(ann, "ab") for _ in range(2)]
    for table_id, players in tables:
        await play_by_calls(table_id, players, 2)
    token = (await page_of(ann, tables[0][0], 1)).next_page_token
    assert token
    assert (await refusal_from(page_of(ann, tables[1][0], 1, token))).reason == "MALFORMED"


@pytest.mark.one_server
async def test_what_is_kept_of_an_idle_table_is_bounded(ann: Caller, services: dict[str, str]) -> None:
    """After many hands of six players with long names: state and stream stay below the bound, the latest
    hands are whole, and of what is gone the refusal says so.
    """
    table_id, players = await table_of(ann, "abcdef", 5_000)
    await play_by_calls(table_id, players, 14)
    page = await page_of(ann, table_id)
    assert sum(hand.complete and hand.finished for hand in page.hands) >= 3
    refused = await refusal_from(hand_of(ann, f"{table_id}-1"))
    assert refused.reason == "UNKNOWN_HAND"
    assert "latest hands" in refused.message
    keys = Keys(64)
    async with redis.asyncio.Redis.from_url(services["SERVITO_STATE_URL"]) as client:
        state = await client.memory_usage(keys.table(table_id), samples=0)
        stream = await client.memory_usage(keys.events(table_id), samples=0)
    assert 0 < (state or 0) + (stream or 0) < IDLE_BYTES
