"""Seats that are taken: sitting out and in, more chips; and the list of those who wait for one."""

from __future__ import annotations

from typing import Any

from servito.table.v1 import table_pb2 as pb
from tests.contract.registry import Asked, refuses, succeeds
from tests.contract.stage import Seats, Stage
from tests.table.caller import fresh


def sit_out(table_id: str, player: str) -> Asked:
    """Not to be dealt in."""
    return Asked(pb.SitOutRequest(table_id=table_id, request_id=fresh()), player)


def sit_in(table_id: str, player: str) -> Asked:
    """To be dealt in again."""
    return Asked(pb.SitInRequest(table_id=table_id, request_id=fresh()), player)


def top_up(table_id: str, player: str, amount: int = 50) -> Asked:
    """More chips."""
    return Asked(pb.TopUpRequest(table_id=table_id, request_id=fresh(), amount=amount), player)


def join(table_id: str, player: str) -> Asked:
    """To wait for a seat."""
    return Asked(pb.JoinWaitingListRequest(table_id=table_id, request_id=fresh()), player)


def leave(table_id: str, player: str) -> Asked:
    """To wait no longer."""
    return Asked(pb.LeaveWaitingListRequest(table_id=table_id, request_id=fresh()), player)


async def tell(stage: Stage, asked: Asked) -> None:
    """Ask something that must succeed; its request id is one that the player has used."""
    request: Any = asked.request
    call: Any = getattr(stage.table.stub, type(request).__name__.removesuffix("Request"))
    await call(request, metadata=asked.metadata, timeout=5)
    stage.sat[request.table_id, asked.player or ""] = request.request_id


async def _full(stage: Stage) -> Seats:
    """A table whose two seats are taken, in the middle of a hand."""
    return await stage.hand(seats=2)


async def _waited_for(stage: Stage, players: int = 1) -> tuple[Seats, list[str]]:
    """The same, and players who wait."""
    seats, waiting = await _full(stage), [stage.name() for _ in range(players)]
    for player in waiting:
        await tell(stage, join(seats.table_id, player))
    return seats, waiting


async def _offered(stage: Stage) -> tuple[str, str, int]:
    """A table of two seats with a free one, who it is held for, and which it is."""
    table_id = await stage.new_table(seats=2, pause_ms=60_000)
    leaver, _ = await stage.sit(table_id), await stage.sit(table_id)
    waiting = stage.name()
    await tell(stage, join(table_id, waiting))
    await stage.table.as_player(leaver).stand(table_id)
    return table_id, waiting, 0


async def _closing(stage: Stage) -> Seats:
    """A table that closes with the hand that runs."""
    seats = await _full(stage)
    await stage.table.close(seats.table_id)
    return seats


# ---- SitOut, SitIn -------------------------------------------------------------------------------------


@succeeds("SitOut")
async def a_player_sits_out(stage: Stage) -> Asked:
    """In the middle of a hand."""
    seats = await stage.hand()
    return sit_out(seats.table_id, seats.players[0])


@succeeds("SitIn")
async def a_player_sits_in(stage: Stage) -> Asked:
    """After sitting out."""
    seats = await stage.hand()
    await tell(stage, sit_out(seats.table_id, seats.players[0]))
    return sit_in(seats.table_id, seats.players[0])


@refuses("SitOut", "NOT_SEATED")
async def a_stranger_sits_out(stage: Stage) -> Asked:
    """He has no seat."""
    return sit_out(await stage.new_table(), stage.name())


@refuses("SitIn", "NOT_SEATED")
async def a_stranger_sits_in(stage: Stage) -> Asked:
    """He has no seat."""
    return sit_in(await stage.new_table(), stage.name())


@refuses("SitOut", "NOTHING_TO_CHANGE")
async def sitting_out_twice(stage: Stage) -> Asked:
    """With another request id."""
    seats = await stage.seated()
    await tell(stage, sit_out(seats.table_id, seats.players[0]))
    return sit_out(seats.table_id, seats.players[0])


@refuses("SitIn", "NOTHING_TO_CHANGE")
async def sitting_in_without_being_out(stage: Stage) -> Asked:
    """He is dealt in anyway."""
    seats = await stage.seated()
    return sit_in(seats.table_id, seats.players[0])


# ---- TopUp ---------------------------------------------------------------------------------------------


@succeeds("TopUp")
async def more_chips(stage: Stage) -> Asked:
    """In the middle of a hand: they are noted."""
    seats = await stage.hand()
    return top_up(seats.table_id, seats.players[0])


@refuses("TopUp", "NOT_SEATED")
async def chips_for_no_seat(stage: Stage) -> Asked:
    """He has none."""
    return top_up(await stage.new_table(), stage.name())


@refuses("TopUp", "BUY_IN_OUT_OF_LIMITS")
async def more_chips_than_the_limit(stage: Stage) -> Asked:
    """A stack of a hundred, and two hundred at the most."""
    seats = await stage.seated()
    return top_up(seats.table_id, seats.players[0], 101)


@refuses("TopUp", "BUY_IN_OUT_OF_LIMITS")
async def no_chips_at_all(stage: Stage) -> Asked:
    """One is the least."""
    seats = await stage.seated()
    return top_up(seats.table_id, seats.players[0], 0)


@refuses("TopUp", "TABLE_CLOSED")
async def chips_where_the_table_closes(stage: Stage) -> Asked:
    """They would never be played with."""
    seats = await _closing(stage)
    return top_up(seats.table_id, seats.players[0])


# ---- JoinWaitingList, LeaveWaitingList, Sit ------------------------------------------------------------


@succeeds("JoinWaitingList")
async def somebody_waits(stage: Stage) -> Asked:
    """The table is full; he waited before, and had enough of it."""
    seats, waiting = await _waited_for(stage)
    await tell(stage, leave(seats.table_id, waiting[0]))
    return join(seats.table_id, waiting[0])


@succeeds("LeaveWaitingList")
async def somebody_waits_no_longer(stage: Stage) -> Asked:
    """The second of two."""
    seats, waiting = await _waited_for(stage, 2)
    return leave(seats.table_id, waiting[1])


@refuses("JoinWaitingList", "ALREADY_SEATED")
async def a_player_waits_for_a_second_seat(stage: Stage) -> Asked:
    """He has one."""
    seats = await _full(stage)
    return join(seats.table_id, seats.players[0])


@refuses("JoinWaitingList", "ALREADY_WAITING")
async def waiting_twice(stage: Stage) -> Asked:
    """With another request id."""
    seats, waiting = await _waited_for(stage)
    return join(seats.table_id, waiting[0])


@refuses("JoinWaitingList", "SEAT_FREE")
async def waiting_beside_a_free_seat(stage: Stage) -> Asked:
    """There are five of them."""
    return join((await stage.seated()).table_id, stage.name())


@refuses("JoinWaitingList", "TABLE_FULL")
async def one_more_than_the_list_holds(stage: Stage) -> Asked:
    """Thirty wait."""
    seats, _ = await _waited_for(stage, 30)
    return join(seats.table_id, stage.name())


@refuses("JoinWaitingList", "TABLE_CLOSED")
async def waiting_where_the_table_closes(stage: Stage) -> Asked:
    """Nobody will sit there any more."""
    return join((await _closing(stage)).table_id, stage.name())


@refuses("LeaveWaitingList", "NOT_WAITING")
async def leaving_a_list_that_one_is_not_in(stage: Stage) -> Asked:
    """He sits there."""
    seats = await stage.seated()
    return leave(seats.table_id, seats.players[0])


@refuses("Sit", "SEAT_RESERVED")
async def a_seat_that_is_held_for_another(stage: Stage) -> Asked:
    """Who waits for it has half a minute."""
    table_id, _, seat = await _offered(stage)
    request = pb.SitRequest(table_id=table_id, request_id=fresh(), seat=seat, buy_in=100)
    return Asked(request, stage.name())


@refuses("Sit", "TABLE_FULL")
async def no_seat_but_one_that_is_held(stage: Stage) -> Asked:
    """Any seat is asked for."""
    table_id, _, _ = await _offered(stage)
    return Asked(pb.SitRequest(table_id=table_id, request_id=fresh(), buy_in=100), stage.name())
