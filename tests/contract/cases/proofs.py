"""What opens the cards of a hand, and what players contribute to their order."""

from __future__ import annotations

from dataclasses import replace

from servito.table.v1 import table_pb2 as pb
from tests.contract.damage import unreadable
from tests.contract.registry import Asked, refuses, succeeds
from tests.contract.stage import Seats, Stage
from tests.table.caller import fresh


def proofs(seats: Seats, number: int = 1) -> Asked:
    """Of one of the players."""
    request = pb.GetProofsRequest(hand_id=f"{seats.table_id}-{number}")
    return Asked(request, seats.players[0])


def contribute(table_id: str, player: str, entropy: bytes = b"dice: 3 1 6 6 2") -> Asked:
    """Bytes of the player's own."""
    return Asked(pb.SetEntropyRequest(table_id=table_id, request_id=fresh(), entropy=entropy), player)


@succeeds("GetProofs")
async def a_running_hand(stage: Stage) -> Asked:
    """A player asks for what opens his own cards."""
    return proofs(await stage.hand())


@refuses("GetProofs", "MALFORMED")
async def proofs_of_a_table(stage: Stage) -> Asked:
    """The id of no hand."""
    return Asked(pb.GetProofsRequest(hand_id=await stage.new_table()))


@refuses("GetProofs", "UNKNOWN_TABLE")
async def proofs_of_no_table(stage: Stage) -> Asked:
    """A table that was never made."""
    return Asked(pb.GetProofsRequest(hand_id="nowhere-1"))


@refuses("GetProofs", "UNKNOWN_HAND")
async def proofs_of_a_hand_to_come(stage: Stage) -> Asked:
    """It was never dealt."""
    return proofs(await stage.hand(), 99)


@refuses("GetProofs", "UNKNOWN_HAND")
async def proofs_that_the_table_lost(stage: Stage) -> Asked:
    """What was told of the hand has gone."""
    seats = await stage.hand()
    await stage.state.delete(stage.keys.events(seats.table_id))
    return proofs(seats)


@refuses("GetProofs", "UNKNOWN_HAND")
async def proofs_that_the_dealer_lost(stage: Stage) -> Asked:
    """The dealer's record of the hand has gone."""
    seats = await stage.hand()
    await stage.state.delete(stage.keys.hand(f"{seats.table_id}-1"))
    return proofs(seats)


@refuses("GetProofs", "NOT_PERMITTED")
async def proofs_that_strangers_may_not_see(stage: Stage) -> Asked:
    """The table has no spectators."""
    return replace(proofs(await stage.hand(no_spectators=True)), player=stage.name())


@refuses("GetProofs", "UNAUTHENTICATED")
async def proofs_for_who_is_not_believed(stage: Stage) -> Asked:
    """He would wonder where the proofs of his cards are."""
    return replace(proofs(await stage.hand()), token="Basic x")


@refuses("GetProofs", "INTERNAL", alone=True)
async def proofs_of_an_unreadable_table(stage: Stage) -> Asked:
    """What is stored of the table is damaged."""
    seats = await stage.hand()
    return replace(proofs(seats), damage=unreadable(stage, seats.table_id))


@succeeds("SetEntropy")
async def something_of_ones_own(stage: Stage) -> Asked:
    """A player who sits alone."""
    seats = await stage.seated()
    return contribute(seats.table_id, seats.players[0])


@refuses("SetEntropy", "MALFORMED")
async def too_much_of_it(stage: Stage) -> Asked:
    """More than 32 bytes."""
    seats = await stage.seated()
    return contribute(seats.table_id, seats.players[0], bytes(33))


@refuses("SetEntropy", "NOT_SEATED")
async def from_outside(stage: Stage) -> Asked:
    """Who is dealt no cards has no say in their order."""
    return contribute(await stage.new_table(), stage.name())


@refuses("SetEntropy", "NOTHING_TO_CHANGE")
async def nothing_instead_of_nothing(stage: Stage) -> Asked:
    """The seat contributes nothing as it is."""
    seats = await stage.seated()
    return contribute(seats.table_id, seats.players[0], b"")
