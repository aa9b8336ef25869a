"""Two table processes on one state server: it does not matter which one is asked, and both tell the same
story.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import pytest

from servito.table.v1 import table_pb2 as pb
from tests.table.caller import Caller, calling
from tests.table.playing import StreamPlayer, mild_action, own_cards, turn_at
from tests.table.processes import Running, service


@pytest.fixture(scope="module")
def other_service(services: dict[str, str]) -> Iterator[Running]:
    """A second table service on the same state."""
    with service("table", services) as running:
        yield running


@pytest.fixture
async def there(other_service: Running) -> AsyncIterator[Caller]:
    """A player at the second one."""
    async with calling(other_service.grpc) as there:
        yield there


async def seated(ann: Caller, names: str) -> tuple[str, list[str]]:
    """A new table with these players; their names."""
    table_id = await ann.create()
    players = [f"{name}-{table_id[:8]}" for name in names]
    for player in players:
        await ann.as_player(player).sit(table_id)
    return table_id, players


async def test_players_of_two_processes_share_a_table(ann: Caller, there: Caller) -> None:
    """Streams at both processes, acts at both: every player sees every version once, in order, and the
    same hands.
    """
    table_id, names = await seated(ann, "abcd")
    callers = [(ann, there)[place % 2].as_player(name) for place, name in enumerate(names)]
    streams = [StreamPlayer(caller, table_id) for caller in callers]
    async with asyncio.timeout(40):
        await asyncio.gather(*(stream.run(4) for stream in streams))
    endings = [[event for event in stream.events if event.HasField("hand_ended")] for stream in streams]
    assert all(len(ended) == 4 and ended == endings[0] for ended in endings)
    for stream in streams:
        assert stream.versions == list(range(stream.versions[0], stream.versions[-1] + 1))
        assert all(answer.HasField("accepted") for answer in stream.acted.values())


async def test_a_repeat_at_the_other_process(ann: Caller, there: Caller) -> None:
    """The process that answered is gone from the client's view: the other one gives the same answer."""
    table_id, names = await seated(ann, "ab")
    view = await turn_at(ann, table_id)
    player = names[view.hand.to_act]
    own = await ann.as_player(player).table(table_id)
    action = mild_action(own.hand.offer, own_cards(own))
    first = await ann.as_player(player).act(table_id, view.hand.turn_id, action, "once")
    assert await there.as_player(player).act(table_id, view.hand.turn_id, action, "once") == first


async def test_what_one_process_remembers_does_not_mislead(ann: Caller, there: Caller) -> None:
    """A process whose knowledge is old acts on the table as it is."""
    table_id, names = await seated(ann, "ab")
    for turn in range(12):
        view = await turn_at(ann, table_id)
        caller = (ann, there)[turn % 2].as_player(names[view.hand.to_act])
        own = await caller.table(table_id, view.version)
        if own.hand.HasField("offer"):
            await caller.act(table_id, own.hand.offer.turn_id, mild_action(own.hand.offer, own_cards(own)))


async def test_a_watcher_goes_on_at_the_other_process(ann: Caller, there: Caller) -> None:
    """Resuming from a version elsewhere continues without gap and without a snapshot."""
    table_id, _ = await seated(ann, "ab")
    view = await turn_at(ann, table_id)
    stream = there.stub.Watch(pb.WatchRequest(table_id=table_id, after_version=1))
    versions: list[int] = []
    while not versions or versions[-1] < view.version:
        message = await asyncio.wait_for(stream.read(), 5)
        assert isinstance(message, pb.WatchResponse)
        assert not message.HasField("snapshot"), message
        versions += [update.version for update in message.updates]
    stream.cancel()
    assert versions == list(range(2, view.version + 1))


async def test_a_wake_up_is_quick(ann: Caller, there: Caller) -> None:
    """A commit of one process reaches those who watch at the other one at once, not only when it looks
    around.
    """
    table_id, _ = await seated(ann, "a")
    stream = there.stub.Watch(pb.WatchRequest(table_id=table_id))
    await stream.read()
    loop, slowest = asyncio.get_running_loop(), 0.0
    for player in "bcd":
        before = loop.time()
        await ann.as_player(f"{player}-{table_id[:8]}").sit(table_id)
        await asyncio.wait_for(stream.read(), 5)
        slowest = max(slowest, loop.time() - before)
    stream.cancel()
    assert slowest < 0.9
