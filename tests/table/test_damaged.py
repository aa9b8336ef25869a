"""What is no message of ours in the state server is refused, counted and told as a broken seal is."""

from __future__ import annotations

import pytest
import structlog

from servito_table.adapters.feed import RedisFeed
from servito_table.adapters.hands import RedisHands
from servito_table.adapters.index import RedisIndex
from servito_table.adapters.sealing import SealedState
from servito_table.app.commits import Answer, Commit, Committed
from servito_table.app.listing import Wanted
from servito_table.app.refusals import TableReason
from tests.table.real import RealStore
from tests.table.room import Room


async def put(real: RealStore) -> None:
    """Stored as version 1 of its table."""
    room = Room()
    await room.open()
    await room.sit("ann", "bob")
    state = room.state.copied()
    state.id = "t1"
    assert isinstance(await real.store.commit(Commit(None, state, (), (), 0, Answer(1))), Committed)


def broken(real: RealStore, why: str) -> float:
    """How often that alarm was raised."""
    [counted] = real.meters._seals.labels(why).collect()
    return float(counted.samples[0].value)


NO_MESSAGE = {"empty": b"", "cut off": b"\x0a\xff", "a text": b"no message", "without its form": b"\x12\x01a"}


@pytest.mark.parametrize("damaged", NO_MESSAGE)
async def test_what_is_no_message_raises_the_same_alarm(real: RealStore, damaged: str) -> None:
    """Counted as unreadable and told with the table; refused INTERNAL, in lists left out, nothing written."""
    await put(real)
    await real.client.hset(real.keys.table("t1"), "s", NO_MESSAGE[damaged])
    held = await real.fields("t1")
    with structlog.testing.capture_logs() as lines:
        with pytest.raises(SealedState) as caught:
            await real.store.look("t1", None, None)
        index = RedisIndex(real.store._lane, real.keys, real.store._codec)
        assert await index.page("", 10, Wanted()) == ([], "")
    assert caught.value.reason is TableReason.INTERNAL
    assert "table t1" in caught.value.message
    assert (broken(real, "unreadable"), broken(real, "broken")) == (2, 0)
    assert [(line["event"], line["table"], line["log_level"]) for line in lines] == [
        ("stored_unreadable", "t1", "error")
    ] * 2
    assert await real.fields("t1") == held


async def test_a_commit_that_is_no_message_counts_as_trimmed(real: RealStore) -> None:
    """Who watches is shown the table instead; a hand of the past is refused; both raise the alarm."""
    fields: dict[str, bytes | int] = {"c": b"no message", "n": 1, "t": 0, "d": 0, "l": 9}
    await real.client.xadd(real.keys.events("t1"), fields, id="1-0")
    lane, codec = real.store._lane, real.store._codec
    feed = RedisFeed(lane, object(), real.keys, codec)  # type: ignore[arg-type]  # no wake-ups are asked for
    assert await feed.after("t1", 0) == []
    with pytest.raises(SealedState):
        await RedisHands(lane, real.keys, codec).of_hand("t1", 1)
    assert broken(real, "unreadable") == 2
