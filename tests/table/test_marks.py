"""Maintenance in the state server: what a change writes, in every way of running it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest
from prometheus_client import CollectorRegistry

from servito_platform.clients import blocking_client
from servito_platform.firm import new_firm_lane
from servito_platform.keys import Keys
from servito_platform.place import read_place
from servito_platform.replicas import Replicas
from servito_platform.state import new_lane
from servito_table.adapters.maintenance import RedisMarks
from servito_table.adapters.schema import FIRST, NEWEST, NotYet
from servito_table.app.maintenance import NEVER
from servito_table.app.refusals import Unsafe

if TYPE_CHECKING:
    from servito_platform.lane import Lane

KEYS = Keys(64)


@pytest.fixture
async def lane(state_url: str) -> AsyncIterator[Lane]:
    """A connection to an empty state server."""
    lane = new_lane(read_place(state_url), 2.0)
    yield lane
    await lane.close()


@pytest.fixture
def marks(lane: Lane) -> RedisMarks:
    """Those of one process."""
    return RedisMarks(lane, None, KEYS, NEWEST)


async def test_there_was_never_any(marks: RedisMarks) -> None:
    """Off, by nobody; and turning off what is off is no change."""
    assert await marks.latest() == NEVER
    mark, now = await marks.put(on=False, by="olga", why="")
    assert mark == NEVER
    assert now > 1_600_000_000_000
    assert (await marks.changes(5))[0] == []


async def test_the_last_change_holds(marks: RedisMarks) -> None:
    """Who, why and when; asked for again it is the first one's. The newest comes first."""
    on, now = await marks.put(on=True, by="olga", why="kernel")
    assert (on.on, on.by, on.why) == (True, "olga", "kernel")
    assert 0 <= now - on.at < 5_000
    assert (await marks.put(on=True, by="ugo", why="disk"))[0] == on
    off, _ = await marks.put(on=False, by="ugo", why="")
    assert await marks.latest() == off
    assert (await marks.changes(5))[0] == [off, on]
    assert (await marks.changes(1))[0] == [off]


async def test_one_of_all_is_told_to_do_it(marks: RedisMarks) -> None:
    """By what is to be done, until its time is over."""
    assert await marks.mine("change", 60_000)
    assert not await marks.mine("change", 60_000)
    assert await marks.mine("routine", 1)


async def test_what_cannot_be_read_counts_as_on(marks: RedisMarks, state_url: str) -> None:
    """A hand that is not dealt harms nobody."""
    with blocking_client(read_place(state_url), 2.0) as client:
        client.xadd(KEYS.maintenance_changes(), {"state": "?"})
    mark = await marks.latest()
    assert (mark.on, mark.by) == (True, "")


async def test_it_is_not_begun_in_a_form_without_room(lane: Lane) -> None:
    """An older process would drop the hold and deal; what is on may be ended all the same."""
    marks = RedisMarks(lane, None, KEYS, FIRST)
    with pytest.raises(NotYet):
        await marks.put(on=True, by="olga", why="")
    assert await marks.latest() == NEVER
    await RedisMarks(lane, None, KEYS, NEWEST).put(on=True, by="olga", why="")
    assert not (await marks.put(on=False, by="olga", why=""))[0].on


@pytest.mark.one_server
async def test_a_change_that_no_replica_has_is_not_answered(lane: Lane, state_url: str) -> None:
    """Where one has to: it is made, and may be lost with the server. Asked for again it is not answered
    either, though nothing is left to change.
    """
    firm = new_firm_lane(read_place(state_url), 2.0, Replicas(1, 0.05, strict=True), CollectorRegistry())
    assert firm is not None
    marks = RedisMarks(lane, firm, KEYS, NEWEST)
    for _ in range(2):
        with pytest.raises(Unsafe):
            await marks.put(on=True, by="olga", why="")
    assert (await marks.latest()).on
    await firm.close()
