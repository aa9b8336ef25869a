"""Recent hands, one and in pages."""

from __future__ import annotations

from servito.table.v1 import table_pb2 as pb
from servito_table.rpc.listing import token_of
from tests.contract.damage import unreadable
from tests.contract.registry import Asked, refuses, succeeds
from tests.contract.stage import Stage

NOBODY = "Basic x"


async def _without_spectators(stage: Stage) -> str:
    seats = await stage.hand(no_spectators=True)
    return seats.table_id


@succeeds("GetHand")
async def a_running_hand(stage: Stage) -> Asked:
    """One of its players asks for it."""
    seats = await stage.hand()
    return Asked(pb.GetHandRequest(hand_id=seats.view.hand.hand_id), seats.players[0])


@refuses("GetHand", "MALFORMED")
async def a_hand_without_a_number(stage: Stage) -> Asked:
    """The id of its table alone."""
    return Asked(pb.GetHandRequest(hand_id=await stage.new_table()))


@refuses("GetHand", "UNKNOWN_HAND")
async def a_hand_to_come(stage: Stage) -> Asked:
    """It was never dealt."""
    return Asked(pb.GetHandRequest(hand_id=f"{(await stage.hand()).table_id}-99"))


@refuses("GetHand", "UNKNOWN_HAND")
async def a_hand_before_the_first(stage: Stage) -> Asked:
    """The table counts its hands from 1."""
    return Asked(pb.GetHandRequest(hand_id=f"{await stage.new_table()}-0"))


@refuses("GetHand", "MALFORMED")
async def a_hand_by_another_name(stage: Stage) -> Asked:
    """A hand has one id: its number without leading zeros."""
    return Asked(pb.GetHandRequest(hand_id=f"{(await stage.hand()).table_id}-01"))


@refuses("GetHand", "UNKNOWN_HAND")
async def a_hand_that_is_no_longer_kept(stage: Stage) -> Asked:
    """The stream of its table has gone."""
    seats = await stage.hand()
    await stage.state.delete(stage.keys.events(seats.table_id))
    return Asked(pb.GetHandRequest(hand_id=seats.view.hand.hand_id))


@refuses("GetHand", "UNKNOWN_TABLE")
async def a_hand_of_no_table(stage: Stage) -> Asked:
    """The first hand of a table that was never made."""
    return Asked(pb.GetHandRequest(hand_id="nowhere-1"))


@refuses("GetHand", "NOT_PERMITTED")
async def a_hand_that_strangers_may_not_see(stage: Stage) -> Asked:
    """The table has no spectators."""
    return Asked(pb.GetHandRequest(hand_id=f"{await _without_spectators(stage)}-1"), stage.name())


@refuses("GetHand", "UNAUTHENTICATED")
async def a_hand_for_who_is_not_believed(stage: Stage) -> Asked:
    """He would wonder where his cards are."""
    return Asked(pb.GetHandRequest(hand_id=f"{(await stage.hand()).table_id}-1"), token=NOBODY)


@refuses("GetHand", "INTERNAL", alone=True)
async def a_hand_of_an_unreadable_table(stage: Stage) -> Asked:
    """What is stored of the table is damaged."""
    seats = await stage.hand()
    asked = pb.GetHandRequest(hand_id=seats.view.hand.hand_id)
    return Asked(asked, damage=unreadable(stage, seats.table_id))


@succeeds("ListHands")
async def a_list_of_one(stage: Stage) -> Asked:
    """The first hand runs."""
    return Asked(pb.ListHandsRequest(table_id=(await stage.hand()).table_id))


@refuses("ListHands", "MALFORMED")
async def too_long_a_page(stage: Stage) -> Asked:
    """More than a page may hold."""
    return Asked(pb.ListHandsRequest(table_id=await stage.new_table(), page_size=51))


@refuses("ListHands", "MALFORMED")
async def a_token_of_something_else(stage: Stage) -> Asked:
    """It was given by no page of this table."""
    return Asked(pb.ListHandsRequest(table_id=await stage.new_table(), page_token="AAAAAAAA"))


@refuses("ListHands", "MALFORMED")
async def a_token_that_names_no_hand(stage: Stage) -> Asked:
    """Sealed for this table by somebody who knows how."""
    table_id = await stage.new_table()
    return Asked(pb.ListHandsRequest(table_id=table_id, page_token=token_of("first", table_id.encode())))


@refuses("ListHands", "NOT_PERMITTED")
async def a_list_that_strangers_may_not_see(stage: Stage) -> Asked:
    """The table has no spectators."""
    return Asked(pb.ListHandsRequest(table_id=await _without_spectators(stage)), stage.name())


@refuses("ListHands", "UNAUTHENTICATED")
async def a_list_for_who_is_not_believed(stage: Stage) -> Asked:
    """As with the table itself."""
    return Asked(pb.ListHandsRequest(table_id=(await stage.hand()).table_id), token=NOBODY)
