"""Tables: made, listed, looked at, sat down at and left; and what the timers ask."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from servito.table.v1 import table_pb2 as pb
from tests.contract.damage import unreadable
from tests.contract.registry import Asked, refuses, succeeds
from tests.contract.stage import Stage
from tests.table.caller import CONFIG, fresh

NOBODY = "Basic x"


def sit(table_id: str, player: str, seat: int | None = None, buy_in: int = 100) -> Asked:
    """A player wants a seat."""
    request = pb.SitRequest(table_id=table_id, request_id=fresh(), seat=seat, buy_in=buy_in)
    return Asked(request, player)


# ---- CreateTable, ListTables -------------------------------------------------------------------------


@succeeds("CreateTable")
async def a_table(stage: Stage) -> Asked:
    """The usual configuration."""
    return Asked(pb.CreateTableRequest(request_id=fresh(), config=CONFIG), stage.name())


@refuses("CreateTable", "INVALID_CONFIG")
async def rules_that_do_not_exist(stage: Stage) -> Asked:
    """A preset that nobody knows."""
    config = pb.TableConfig(preset="texas", seats=1)
    return Asked(pb.CreateTableRequest(request_id=fresh(), config=config))


@refuses("CreateTable", "INTERNAL", alone=True)
async def a_table_that_became_unreadable(stage: Stage) -> Asked:
    """The table was made by this very request, forgotten by now, and what is stored of it is damaged."""
    asked = await a_table(stage)
    assert isinstance(asked.request, pb.CreateTableRequest)
    owner = stage.table.as_player(asked.player or "")
    table_id = await owner.create(CONFIG, asked.request.request_id)
    assert await stage.state.delete(stage.keys.requests(table_id, asked.player or "")) == 1
    return replace(asked, damage=unreadable(stage, table_id))


@succeeds("ListTables")
async def the_first_page(stage: Stage) -> Asked:
    """There is a table at least."""
    await stage.new_table()
    return Asked(pb.ListTablesRequest())


@refuses("ListTables", "INTERNAL", alone=True)
async def a_page_of_a_damaged_index(stage: Stage) -> Asked:
    """Whatever the ids of tables are kept in, it is no index; a table that is damaged itself is left out."""
    return Asked(pb.ListTablesRequest(page_size=1), damage=_no_index(stage))


@asynccontextmanager
async def _no_index(stage: Stage) -> AsyncIterator[None]:
    """The index of one partition is a text."""
    table_id = await stage.new_table()
    index = stage.keys.tables(stage.keys.partition(table_id))
    kept = f"{index}:kept"
    await stage.state.rename(index, kept)
    await stage.state.set(index, "no index")
    try:
        yield
    finally:
        await stage.state.rename(kept, index)


# ---- GetTable, Watch, Play ---------------------------------------------------------------------------


@succeeds("GetTable")
async def a_look(stage: Stage) -> Asked:
    """A spectator looks."""
    return Asked(pb.GetTableRequest(table_id=await stage.new_table()), None)


@refuses("GetTable", "UNAUTHENTICATED")
async def a_look_of_nobody_known(stage: Stage) -> Asked:
    """Whoever says who he is has to be believed."""
    return Asked(pb.GetTableRequest(table_id=await stage.new_table()), token=NOBODY)


@refuses("GetTable", "UNAVAILABLE")
async def a_version_to_come(stage: Stage) -> Asked:
    """The answer must not be older than a version that the table does not have."""
    return Asked(pb.GetTableRequest(table_id=await stage.new_table(), min_version=99))


@succeeds("Watch")
async def a_stream(stage: Stage) -> Asked:
    """A spectator watches."""
    return Asked(pb.WatchRequest(table_id=await stage.new_table()), None)


@refuses("Watch", "UNAUTHENTICATED")
async def a_stream_of_nobody_known(stage: Stage) -> Asked:
    """As in GetTable."""
    return Asked(pb.WatchRequest(table_id=await stage.new_table()), token=NOBODY)


@succeeds("Play")
async def a_stream_of_a_player(stage: Stage) -> Asked:
    """Joining is what needs no seat."""
    return Asked(pb.PlayRequest(join=pb.WatchRequest(table_id=await stage.new_table())), stage.name())


# ---- Sit, Stand --------------------------------------------------------------------------------------


@succeeds("Sit")
async def any_seat(stage: Stage) -> Asked:
    """At an empty table."""
    return sit(await stage.new_table(), stage.name())


@refuses("Sit", "SEAT_TAKEN")
async def somebody_sits_there(stage: Stage) -> Asked:
    """The first seat is taken."""
    return sit((await stage.seated(1)).table_id, stage.name(), 0)


@refuses("Sit", "NO_SUCH_SEAT")
async def a_seat_too_many(stage: Stage) -> Asked:
    """The table has six."""
    return sit(await stage.new_table(), stage.name(), 6)


@refuses("Sit", "BUY_IN_OUT_OF_LIMITS")
async def too_few_chips(stage: Stage) -> Asked:
    """One less than the least."""
    return sit(await stage.new_table(), stage.name(), buy_in=CONFIG.min_buy_in - 1)


@refuses("Sit", "ALREADY_SEATED")
async def a_second_seat(stage: Stage) -> Asked:
    """One seat for each player."""
    seats = await stage.seated(1)
    return sit(seats.table_id, seats.players[0], 3)


@refuses("Sit", "TABLE_FULL")
async def no_seat_left(stage: Stage) -> Asked:
    """Both seats are taken."""
    return sit((await stage.hand(2, seats=2)).table_id, stage.name())


@succeeds("Stand")
async def leaving(stage: Stage) -> Asked:
    """Alone at a table."""
    seats = await stage.seated(1)
    return Asked(pb.StandRequest(table_id=seats.table_id, request_id=fresh()), seats.players[0])


@refuses("Stand", "NOT_SEATED")
async def leaving_what_was_not_taken(stage: Stage) -> Asked:
    """Somebody without a seat."""
    return Asked(pb.StandRequest(table_id=await stage.new_table(), request_id=fresh()), stage.name())


# ---- ExpireDeadlines ---------------------------------------------------------------------------------


@succeeds("ExpireDeadlines")
async def nothing_due(stage: Stage) -> Asked:
    """A turn that is not over."""
    seats = await stage.hand()
    return Asked(pb.ExpireDeadlinesRequest(members=[f"{seats.table_id}:{seats.turn}"]), "service:timers")


@refuses("ExpireDeadlines", "MALFORMED")
async def members_that_are_none(stage: Stage) -> Asked:
    """No wait is called so."""
    return Asked(pb.ExpireDeadlinesRequest(members=["garbage"]), "service:timers")


@refuses("ExpireDeadlines", "MALFORMED")
async def bytes_of_the_timers(stage: Stage) -> Asked:
    """No message at all."""
    return Asked(pb.ExpireDeadlinesRequest(), "service:timers", raw=b"\xff\xff\xff")


@refuses("ExpireDeadlines", "UNAUTHENTICATED")
async def timers_that_nobody_knows(stage: Stage) -> Asked:
    """No token."""
    return Asked(pb.ExpireDeadlinesRequest(), None)


@refuses("ExpireDeadlines", "NOT_PERMITTED")
async def a_player_as_timers(stage: Stage) -> Asked:
    """Players do not end each other's turns."""
    return Asked(pb.ExpireDeadlinesRequest(), stage.name())
