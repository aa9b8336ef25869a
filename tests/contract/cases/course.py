"""Tables paused, resumed and closed by who created them."""

from __future__ import annotations

from servito.table.v1 import table_pb2 as pb
from tests.contract.registry import Asked, refuses, succeeds
from tests.contract.stage import Stage
from tests.table.caller import fresh


def pause(table_id: str, player: str) -> Asked:
    """No new hand is to begin."""
    return Asked(pb.PauseTableRequest(table_id=table_id, request_id=fresh()), player)


def resume(table_id: str, player: str) -> Asked:
    """Hands are to begin again."""
    return Asked(pb.ResumeTableRequest(table_id=table_id, request_id=fresh()), player)


def close(table_id: str, player: str) -> Asked:
    """The table is to end."""
    return Asked(pb.CloseTableRequest(table_id=table_id, request_id=fresh()), player)


async def _paused(stage: Stage) -> str:
    table_id = await stage.new_table()
    await stage.table.pause(table_id)
    return table_id


async def _closed(stage: Stage) -> str:
    table_id = await stage.new_table()
    await stage.table.close(table_id)
    return table_id


async def _closing(stage: Stage) -> str:
    seats = await stage.hand()
    await stage.table.close(seats.table_id)
    return seats.table_id


@succeeds("PauseTable")
async def a_running_table(stage: Stage) -> Asked:
    """In the middle of a hand."""
    return pause((await stage.hand()).table_id, stage.table.name)


@succeeds("ResumeTable")
async def a_paused_table(stage: Stage) -> Asked:
    """Nobody sits there."""
    return resume(await _paused(stage), stage.table.name)


@succeeds("CloseTable")
async def a_table_in_the_middle_of_a_hand(stage: Stage) -> Asked:
    """It closes when the hand is over."""
    return close((await stage.hand()).table_id, stage.table.name)


@refuses("PauseTable", "NOT_PERMITTED")
async def a_player_pauses(stage: Stage) -> Asked:
    """The table is another's."""
    seats = await stage.hand()
    return pause(seats.table_id, seats.players[0])


@refuses("ResumeTable", "NOT_PERMITTED")
async def a_stranger_resumes(stage: Stage) -> Asked:
    """The table is another's."""
    return resume(await _paused(stage), stage.name())


@refuses("CloseTable", "NOT_PERMITTED")
async def a_player_closes(stage: Stage) -> Asked:
    """The table is another's."""
    seats = await stage.hand()
    return close(seats.table_id, seats.players[0])


@refuses("PauseTable", "NOTHING_TO_CHANGE")
async def paused_already(stage: Stage) -> Asked:
    """Twice, by two requests."""
    return pause(await _paused(stage), stage.table.name)


@refuses("ResumeTable", "NOTHING_TO_CHANGE")
async def not_paused(stage: Stage) -> Asked:
    """It is open."""
    return resume(await stage.new_table(), stage.table.name)


@refuses("CloseTable", "NOTHING_TO_CHANGE")
async def closing_already(stage: Stage) -> Asked:
    """Twice, by two requests, while the hand runs."""
    return close(await _closing(stage), stage.table.name)


@refuses("CloseTable", "NOTHING_TO_CHANGE")
async def closed_already(stage: Stage) -> Asked:
    """For good."""
    return close(await _closed(stage), stage.table.name)


@refuses("PauseTable", "TABLE_CLOSED")
async def pausing_what_closes(stage: Stage) -> Asked:
    """The last hand runs."""
    return pause(await _closing(stage), stage.table.name)


@refuses("ResumeTable", "TABLE_CLOSED")
async def resuming_what_is_closed(stage: Stage) -> Asked:
    """Nothing opens it again."""
    return resume(await _closed(stage), stage.table.name)


@refuses("GetTable", "NOT_PERMITTED")
async def a_look_of_a_spectator(stage: Stage) -> Asked:
    """There are to be none."""
    return Asked(pb.GetTableRequest(table_id=await stage.new_table(no_spectators=True)), stage.name())


@refuses("Watch", "NOT_PERMITTED")
async def a_stream_of_a_spectator(stage: Stage) -> Asked:
    """There are to be none."""
    return Asked(pb.WatchRequest(table_id=await stage.new_table(no_spectators=True)), None)


@refuses("Play", "NOT_PERMITTED")
async def a_stream_of_somebody_without_a_seat(stage: Stage) -> Asked:
    """He has to sit down before he joins."""
    join = pb.WatchRequest(table_id=await stage.new_table(no_spectators=True))
    return Asked(pb.PlayRequest(join=join), stage.name())


@refuses("Sit", "TABLE_CLOSED")
async def sitting_at_a_closed_table(stage: Stage) -> Asked:
    """Every seat is free, and none can be had."""
    return Asked(pb.SitRequest(table_id=await _closed(stage), request_id=fresh(), buy_in=100), stage.name())


@refuses("ProposeRules", "TABLE_CLOSED")
async def rules_for_no_hand(stage: Stage) -> Asked:
    """There will be no next one."""
    seats = await stage.hand()
    await stage.table.close(seats.table_id)
    request = pb.ProposeRulesRequest(table_id=seats.table_id, request_id=fresh(), changes={"ante": "2"})
    return Asked(request, seats.players[0])


# The requests have nothing but ids, so that only another kind of request has other content.


async def _used(stage: Stage) -> tuple[str, str, str]:
    """A table, and the ids with which it was paused and resumed."""
    table_id, paused, resumed = await stage.new_table(), fresh(), fresh()
    await stage.table.pause(table_id, paused)
    await stage.table.resume(table_id, resumed)
    return table_id, paused, resumed


@refuses("PauseTable", "REQUEST_ID_REUSED", alone=True)
async def pausing_by_the_id_of_resuming(stage: Stage) -> Asked:
    """The id was used to resume."""
    table_id, _, used = await _used(stage)
    return Asked(pb.PauseTableRequest(table_id=table_id, request_id=used), stage.table.name)


@refuses("ResumeTable", "REQUEST_ID_REUSED", alone=True)
async def resuming_by_the_id_of_pausing(stage: Stage) -> Asked:
    """The id was used to pause."""
    table_id, used, _ = await _used(stage)
    return Asked(pb.ResumeTableRequest(table_id=table_id, request_id=used), stage.table.name)


@refuses("CloseTable", "REQUEST_ID_REUSED", alone=True)
async def closing_by_the_id_of_pausing(stage: Stage) -> Asked:
    """The id was used to pause."""
    table_id, used, _ = await _used(stage)
    return Asked(pb.CloseTableRequest(table_id=table_id, request_id=used), stage.table.name)
