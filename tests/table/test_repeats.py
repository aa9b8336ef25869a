"""Requests that come twice, tables that move meanwhile, answers that get lost."""

from __future__ import annotations

import asyncio
import random

import pytest

from servito_core.commands import Pass
from servito_table.app.commands import Act, Sit, Stand
from servito_table.app.commits import Answer, Request
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.state import Seated
from tests.table.room import CONFIG, Room


async def test_a_repeat_gets_the_first_answer_and_changes_nothing(room: Room) -> None:
    """The same request, sent again when the table has moved on, is answered as it was the first time."""
    request = Request("ann", "one", "f" * 16)
    first = await room.run(Sit("ann", 3, 50), request)
    await room.sit("bob", "cat")
    before = room.known
    assert await room.run(Sit("ann", 3, 50), request) == first == Answer(2, seat=3)
    assert await room.other().run(Sit("ann", 3, 50), request) == first
    assert room.known == before


async def test_a_repeated_action_counts_once(room: Room) -> None:
    """An act sent three times at once moves the hand by one action."""
    await room.sit("ann", "bob")
    await room.due()
    player, offer = room.offer()
    version = room.known.version
    request = Request(player, "act", "f" * 16)
    command = Act(player, room.state.turn, "pass", Pass)
    answers = await asyncio.gather(*(room.run(command, request) for _ in range(3)))
    assert set(answers) == {Answer(version + 1)}
    assert room.known.version == version + 1
    assert offer.seat != room.wait.seat


async def test_a_request_id_with_other_content_is_refused(room: Room) -> None:
    """One request id means one request, also after the first was carried out."""
    await room.run(Sit("ann", 3, 50), Request("ann", "one", "f" * 16))
    before = room.known
    for process in (room, room.other()):
        with pytest.raises(TableRefused) as caught:
            await process.run(Stand("ann"), Request("ann", "one", "e" * 16))
        assert caught.value.reason is TableReason.REQUEST_ID_REUSED
    assert room.known == before


async def test_what_was_refused_may_be_tried_again(room: Room) -> None:
    """A refusal is not an answer to remember: the same request succeeds once nothing is in its way."""
    await room.sit("ann", "bob")
    request = Request("ann", "act", "f" * 16)
    with pytest.raises(TableRefused):
        await room.run(Act("ann", room.state.turn + 1, "pass", Pass), request)
    await room.due()
    player = room.offer()[0]
    await room.run(Act(player, room.state.turn, "pass", Pass), Request(player, "act", "f" * 16))


async def test_a_lost_answer_is_asked_for_again(room: Room) -> None:
    """The store did not answer: the outcome is unknown, and the same request id tells what became of it."""
    room.store.lose_answers = 1
    request = Request("ann", "one", "f" * 16)
    with pytest.raises(TableRefused) as caught:
        await room.run(Sit("ann", None, 50), request)
    assert caught.value.reason is TableReason.OUTCOME_UNKNOWN
    assert await room.run(Sit("ann", None, 50), request) == Answer(2, seat=0)
    assert room.state.seats == (Seated(0, "ann", 50),)


async def test_a_moved_table_is_decided_on_again(room: Room) -> None:
    """Two processes at one table: who lost the race decides again on what the other made of it."""
    other = room.other()
    await room.sit("ann")
    await other.sit("bob")
    await room.sit("cat")
    assert [own.player for own in room.state.seats] == ["ann", "bob", "cat"]
    assert [count for count in room.tally.counts if count == ("conflict",)] == [("conflict",)]


async def test_a_refusal_on_old_knowledge_is_checked_first(room: Room) -> None:
    """What this process remembers may be old: before it refuses it looks, and then it does what was asked."""
    other = room.other()
    await room.sit("ann")
    await other.sit("bob")
    await other.due()
    player, offer = other.offer()
    await room.act(player, Pass(offer.seat), room.state.turn)
    assert room.wait.seat != offer.seat


async def test_a_table_that_never_stands_still(room: Room) -> None:
    """After six attempts the request is given back: CONTENDED, nothing changed by it."""
    other = room.other()
    names = iter("bcdefghijk")

    def meddle(_commit: object) -> None:
        name = next(names)
        held = room.store.tables[room.table_id]
        room.store.tables[room.table_id] = type(held)(held.state, held.version + 1)
        room.store.before_commit = meddle
        assert name != "i", "more attempts than stated"

    await other.sit("ann")
    room.store.before_commit = meddle
    with pytest.raises(TableRefused) as caught:
        await room.run(Sit("zoe", None, 50), room.request("zoe"))
    assert caught.value.reason is TableReason.CONTENDED
    assert room.state.seat_of("zoe") is None


async def test_a_cancelled_caller_does_not_stop_a_commit(room: Room) -> None:
    """The player's connection breaks in the middle: the command is carried out to its end."""
    release = asyncio.Event()
    look = room.store.look

    async def slow(*args: object) -> object:
        await release.wait()
        return await look(*args)  # type: ignore[arg-type]  # passed on as they came

    room.store.look = slow  # type: ignore[assignment,method-assign]  # slowed down
    call = asyncio.create_task(room.play.run(room.table_id, Sit("ann", None, 50), room.request("ann")))
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    release.set()
    await room.play.tasks.drain()
    assert room.state.seat_of("ann") is not None


async def test_a_warm_action_asks_the_store_once(room: Room) -> None:
    """What this process knows is not read again: a commit is all that an accepted action costs."""
    await room.sit("ann", "bob")
    await room.due()
    looks, commits = room.store.looks, len(room.store.commits)
    player, offer = room.offer()
    await room.act(player, Pass(offer.seat))
    assert (room.store.looks, len(room.store.commits)) == (looks, commits + 1)


async def test_nothing_is_lost_between_two_processes() -> None:
    """A table played by two processes in turn, at random: every chip is there, and no command is refused."""
    one = Room()
    await one.open(CONFIG)
    two, style = one.other(), random.Random(9)
    await one.sit("ann", "bob", "cat", "dan")
    for _ in range(200):
        room = style.choice((one, two))
        await (room.due() if room.wait.seat is None else room.play_on(style))
    assert one.state.chips == 400
    assert not [count for count in one.tally.counts if count[-1] == "refused"]


async def test_a_hot_table_does_not_conflict_with_itself(room: Room) -> None:
    """Many commands at once in one process take turns: each is decided and committed once."""
    await asyncio.gather(*(room.sit(player) for player in "abcdef"))
    assert len(room.state.seats) == 6
    assert ("conflict",) not in room.tally.counts
    assert len(room.store.commits) == 7
