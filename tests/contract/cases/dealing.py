"""The dealer: a deck of six players, five of them or all, and every way in which its record says no."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from servito.dealer.v1 import dealer_pb2 as pb
from tests.contract.promises import promises
from tests.contract.registry import Asked, cannot, refuses, succeeds
from tests.contract.stage import Stage

TABLE_SERVICE = "service:table"
SLOTS = 5
SEALED = "all that it keeps is sealed, and a broken seal is UNAVAILABLE and an alarm"

for _rpc in ("OpenHand", "Deal", "Draw", "Prove"):
    cannot(_rpc, "INTERNAL", SEALED)


def opening(hand: str, slots: int = SLOTS) -> Asked:
    """36 cards: of five slots eleven stay in the stock."""
    request = pb.OpenHandRequest(hand_id=hand, lowest_rank=6, slots=slots, draw_max=4)
    return Asked(request, TABLE_SERVICE)


def deal(hand: str) -> Asked:
    """The first five cards of each slot."""
    return Asked(pb.DealRequest(hand_id=hand), TABLE_SERVICE)


def draw(hand: str, entry: int = 1, slot: int = 0, count: int = 3) -> Asked:
    """Some cards for one slot."""
    request = pb.DrawRequest(hand_id=hand, entry=entry, slot=slot, draw=1, count=count)
    return Asked(request, TABLE_SERVICE)


def prove(hand: str, *positions: int) -> Asked:
    """What opens these positions."""
    return Asked(pb.ProveRequest(hand_id=hand, positions=positions), TABLE_SERVICE)


async def _opened(stage: Stage) -> str:
    hand = f"{stage.name()}-1"
    await stage.ask(promises()["OpenHand"], opening(hand))
    return hand


async def _dealt(stage: Stage, draws: int = 0) -> str:
    """A hand that is dealt, and of which so many slots have drawn three."""
    hand = await _opened(stage)
    await stage.ask(promises()["Deal"], deal(hand))
    for slot in range(draws):
        await stage.ask(promises()["Draw"], draw(hand, slot + 1, slot))
    return hand


@asynccontextmanager
async def _unsealed(stage: Stage, hand: str) -> AsyncIterator[None]:
    """The last that is stored of the hand was not sealed by this dealer."""
    key = stage.keys.hand(hand)
    held = await stage.state.lindex(key, -1)
    await stage.state.lset(key, -1, b"\xff" * 64)
    try:
        yield
    finally:
        await stage.state.lset(key, -1, held)


@succeeds("OpenHand")
async def a_hand(stage: Stage) -> Asked:
    """One that nobody opened."""
    return opening(f"{stage.name()}-1")


@refuses("OpenHand", "HAND_DIFFERS")
async def a_hand_of_others(stage: Stage) -> Asked:
    """It was opened with another number of slots."""
    return opening(await _opened(stage), SLOTS - 1)


@refuses("OpenHand", "HAND_DIFFERS")
async def a_hand_of_other_holders(stage: Stage) -> Asked:
    """It was opened for those who have seen its cards since."""
    hand = await _opened(stage)
    asked = opening(hand)
    assert isinstance(asked.request, pb.OpenHandRequest)
    asked.request.holders = b"h" * 32
    return asked


@refuses("OpenHand", "ENTRY_DIFFERS")
async def a_hand_that_was_dealt_with_contributions(stage: Stage) -> Asked:
    """Nobody contributes now, and it is to be dealt at once."""
    hand = await _opened(stage)
    contributed = pb.DealRequest(hand_id=hand, contributions=[b"c" * 32] * SLOTS)
    await stage.ask(promises()["Deal"], Asked(contributed, TABLE_SERVICE))
    asked = opening(hand)
    assert isinstance(asked.request, pb.OpenHandRequest)
    asked.request.deal_at_once = True
    return asked


@refuses("OpenHand", "UNAVAILABLE")
async def an_opening_that_is_damaged(stage: Stage) -> Asked:
    """The seal is broken."""
    hand = await _opened(stage)
    return replace(opening(hand), damage=_unsealed(stage, hand))


@succeeds("Deal")
async def the_deal(stage: Stage) -> Asked:
    """Of a hand that was opened."""
    return deal(await _opened(stage))


@refuses("Deal", "UNKNOWN_HAND")
async def a_deal_of_nothing(stage: Stage) -> Asked:
    """Nobody opened it."""
    return deal(f"{stage.name()}-1")


@refuses("Deal", "ENTRY_DIFFERS")
async def a_deal_with_other_contributions(stage: Stage) -> Asked:
    """It was dealt without any."""
    hand = await _dealt(stage)
    return Asked(pb.DealRequest(hand_id=hand, contributions=[b"c" * 32] * SLOTS), TABLE_SERVICE)


@refuses("Deal", "MALFORMED")
async def a_deal_with_a_contribution_too_few(stage: Stage) -> Asked:
    """Each slot has one, or none has."""
    hand = await _opened(stage)
    return Asked(pb.DealRequest(hand_id=hand, contributions=[b"c" * 32] * (SLOTS - 1)), TABLE_SERVICE)


@refuses("Deal", "UNAVAILABLE")
async def a_deal_that_is_damaged(stage: Stage) -> Asked:
    """The seal is broken."""
    hand = await _opened(stage)
    return replace(deal(hand), damage=_unsealed(stage, hand))


@succeeds("Draw")
async def a_draw(stage: Stage) -> Asked:
    """The first one of a hand."""
    return draw(await _dealt(stage))


@refuses("Draw", "UNKNOWN_HAND")
async def a_draw_of_nothing(stage: Stage) -> Asked:
    """Nobody opened it."""
    return draw(f"{stage.name()}-1")


@refuses("Draw", "ENTRY_DIFFERS")
async def another_draw_under_its_number(stage: Stage) -> Asked:
    """Entry 1 was asked for another slot."""
    return draw(await _dealt(stage, draws=1), slot=1)


@refuses("Draw", "ENTRY_OUT_OF_ORDER")
async def a_draw_before_the_deal(stage: Stage) -> Asked:
    """The deal is entry 0."""
    return draw(await _opened(stage))


@refuses("Draw", "NOT_DUE")
async def more_than_a_slot_may_get(stage: Stage) -> Asked:
    """The slot has had three of the four cards of this draw."""
    return draw(await _dealt(stage, draws=1), entry=2, count=2)


@refuses("Draw", "POSITION_NOT_DEAD")
async def a_position_that_was_not_dealt(stage: Stage) -> Asked:
    """The last card of the deck."""
    asked = draw(await _dealt(stage))
    assert isinstance(asked.request, pb.DrawRequest)
    asked.request.excluded_positions.append(35)
    return asked


@refuses("Draw", "STOCK_EXHAUSTED")
async def more_than_there_is(stage: Stage) -> Asked:
    """Two cards are left and nothing is named to be shuffled."""
    return draw(await _dealt(stage, draws=3), entry=4, slot=3)


@refuses("Draw", "UNAVAILABLE")
async def a_draw_that_is_damaged(stage: Stage) -> Asked:
    """The seal is broken."""
    hand = await _dealt(stage)
    return replace(draw(hand), damage=_unsealed(stage, hand))


@succeeds("Prove")
async def proofs_of_the_deal(stage: Stage) -> Asked:
    """The first and the last card that was dealt."""
    return prove(await _dealt(stage), 0, 5 * SLOTS - 1)


@refuses("Prove", "UNKNOWN_HAND")
async def proofs_of_nothing(stage: Stage) -> Asked:
    """Nobody opened it."""
    return prove(f"{stage.name()}-1")


@refuses("Prove", "NOT_DUE")
async def a_card_of_the_stock(stage: Stage) -> Asked:
    """The next one to be drawn."""
    return prove(await _dealt(stage), 0, 5 * SLOTS)


@refuses("Prove", "NOT_DUE")
async def a_card_before_the_deal(stage: Stage) -> Asked:
    """No player has contributed yet, so there is no order."""
    return prove(await _opened(stage), 0)


@refuses("Prove", "MALFORMED")
async def a_position_named_twice(stage: Stage) -> Asked:
    """It is opened once."""
    return prove(await _dealt(stage), 3, 3)


@refuses("Prove", "UNAVAILABLE")
async def proofs_that_are_damaged(stage: Stage) -> Asked:
    """The seal is broken."""
    hand = await _dealt(stage)
    return replace(prove(hand, 0), damage=_unsealed(stage, hand))
