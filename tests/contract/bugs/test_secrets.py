"""Faults by which hidden cards got out elsewhere (`IL` and `RN` of poker_bugs.json), against the running
services: everything that a caller can read, and every error, is searched for cards that are not his.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

from google.protobuf import message_factory
from grpc import aio

from servito.dealer.v1 import dealer_pb2
from servito.table.v1 import table_pb2 as pb
from servito_dealer.adapters.entropy import OperatingSystemEntropy
from servito_dealer.settings import DealerSettings
from tests.contract.bugs.seeing import events_of, told
from tests.contract.promises import TABLE, Rpc, fields_named, promises
from tests.contract.registry import Asked
from tests.table.caller import fresh
from tests.table.playing import own_cards
from tests.table.shown import cards_in

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from tests.contract.stage import Seats, Stage

FREE = {"open.requirement": "none"}
DRAW = pb.ACTION_KIND_DRAW
PASSIVE = (DRAW, pb.ACTION_KIND_CHECK, pb.ACTION_KIND_CALL, pb.ACTION_KIND_PASS)


def readers() -> list[Rpc]:
    """Every rpc that shows something of a table, or of a hand, and changes nothing."""
    return [
        rpc
        for rpc in promises().values()
        if rpc.service == TABLE
        and not rpc.method.client_streaming
        and not fields_named(rpc.method.input_type, "request_id")
        and {"table_id", "hand_id"} & set(rpc.method.input_type.fields_by_name)
    ]


async def answers(stage: Stage, seats: Seats, player: str | None) -> list[Message | str]:
    """What every reading call answers him about the table and its hand, texts of errors included."""
    found: list[Message | str] = []
    for rpc in readers():
        request = message_factory.GetMessageClass(rpc.method.input_type)()
        values = {"table_id": seats.table_id, "hand_id": seats.view.hand.hand_id}
        for name in values.keys() & request.DESCRIPTOR.fields_by_name.keys():
            setattr(request, name, values[name])
        try:
            found.append(await stage.ask(rpc, Asked(request, player)))
        except aio.AioRpcError as error:
            found.append(f"{error.details()} {error.trailing_metadata()}")
    return found


async def all_that_is_told(stage: Stage, seats: Seats, player: str | None) -> list[Message | str]:
    """What every reading call answers him about the table and its hand, the events from the first version on,
    and the texts of errors.
    """
    found = await answers(stage, seats, player)
    caller = stage.table.as_player(player or "nobody")
    found += await told(caller, seats.table_id, 1)
    for card in range(52):
        action = pb.Action(kind=DRAW, discards=[card])
        try:
            await caller.act(seats.table_id, seats.turn, action)
        except aio.AioRpcError as error:
            found.append(f"{error.details()} {error.trailing_metadata()}")
    return found


async def three_handed(stage: Stage, **changes: Any) -> Seats:
    """The first turn of a hand of three: the third player is dealt in from the second hand on."""
    seats = await stage.hand(3, **changes)
    while len(seats.view.hand.seats) < 3:
        seats = await stage.act_first(seats, pb.ACTION_KIND_FOLD, *PASSIVE)
    return seats


async def test_nothing_that_can_be_read_holds_a_secret(stage: Stage) -> None:
    """IL-02: in the middle of a hand every reading call, the replay from the first version and every error
    name no card but one's own, and no seed, for the players as for a stranger.
    """
    seats = await stage.hand_with(DRAW, options=FREE)
    own = {player: set(own_cards(await stage.view(seats.table_id, player))) for player in seats.players}
    assert len(readers()) >= 2
    for player in (seats.other, None):
        mine = own.get(player or "", set())
        for said in await all_that_is_told(stage, seats, player):
            assert "seed" not in str(said).replace("seed_hash: ", "")
            if not isinstance(said, str):
                assert set(cards_in(said)) <= mine, said
    refused = {said for said in await all_that_is_told(stage, seats, seats.other) if isinstance(said, str)}
    assert len(refused) == 1, "an error tells whether a card is held"


async def test_a_hand_that_ends_by_folds_shows_nothing(stage: Stage) -> None:
    """IL-04: two of three fold to a bet in the second round: no event up to the end of the hand names a card
    to a stranger, and to the players none but their own.
    """
    seats = await three_handed(stage, options=FREE)
    seats = await stage.act_first(seats, pb.ACTION_KIND_BET)
    while seats.view.hand.phase != pb.PHASE_SECOND_ROUND:
        seats = await stage.act_first(seats, *PASSIVE)
    begin, number = seats.view.version, seats.view.hand.number
    own = {player: set(own_cards(await stage.view(seats.table_id, player))) for player in seats.players}
    seats = await stage.act_first(seats, pb.ACTION_KIND_BET)
    while seats.view.hand.number == number:
        seats = await stage.act_first(seats, pb.ACTION_KIND_FOLD)
    for player in (None, *seats.players):
        updates = await told(stage.table.as_player(player or "nobody"), seats.table_id, begin)
        assert events_of(updates, "hand_ended")[0].outcome == pb.OUTCOME_UNCONTESTED
        assert not events_of(updates, "hand_shown")
        until = next(n for n, update in enumerate(updates) if events_of([update], "hand_ended"))
        for update in updates[: until + 1]:
            assert set(cards_in(update)) <= own.get(player or "", set())


async def test_a_draw_is_a_number_to_others(stage: Stage) -> None:
    """IL-05: of a draw of three the others and strangers learn that it was three; the player himself is told
    which he threw away and which he got.
    """
    seats = await stage.hand_with(DRAW, options=FREE)
    begin, drawer = seats.view.version, seats.actor
    thrown = own_cards(seats.view)[:3]
    await stage.act(seats, pb.Action(kind=DRAW, discards=thrown))
    await stage.turn(seats.table_id)
    for player in (drawer, seats.other, None):
        updates = await told(stage.table.as_player(player or "nobody"), seats.table_id, begin)
        acted, drawn = events_of(updates, "seat_acted")[0], events_of(updates, "cards_drawn")[0]
        assert (acted.discarded, drawn.count) == (3, 3)
        if player == drawer:
            assert list(acted.discards) == thrown
            assert len(drawn.cards) == 3
        else:
            assert not acted.discards
            assert not drawn.cards


async def test_what_is_chosen_beforehand_stays_inside(stage: Stage) -> None:
    """IL-07: what a player wants to do when his turn comes is seen by him alone: to the others and to a
    stranger every reading call says the same as before, and the commit tells of nothing.
    """
    seats = await stage.hand(options=FREE)
    chooser = stage.table.as_player(seats.other)
    before = {who: [plain(said) for said in await answers(stage, seats, who)] for who in (seats.actor, None)}
    wish = pb.PreAction(kind=pb.PRE_ACTION_KIND_CHECK_OR_FOLD)
    asked = pb.SetPreActionRequest(
        table_id=seats.table_id, request_id=fresh(), turn_id=seats.turn, pre_action=wish
    )
    asked.hand_id = seats.view.hand.hand_id
    set_at = await chooser.stub.SetPreAction(asked, metadata=chooser.metadata)
    assert (await stage.view(seats.table_id, seats.other)).hand.own.pre_action == wish
    for who, said_before in before.items():
        assert [plain(said) for said in await answers(stage, seats, who)] == said_before
        caller = stage.table.as_player(who or "nobody")
        [update] = await told(caller, seats.table_id, set_at.version - 1, set_at.version)
        assert not update.events


def plain(said: Message | str) -> str:
    """What somebody was told, without versions, their lineages and times."""
    return re.sub(r"(version|lineage|remaining_ms|\w*_ms): \d+\s*", "", str(said))


async def test_no_seed_of_a_program_moves_the_deck(stage: Stage) -> None:
    """RN-05: a generator that is seeded alike before each hand changes no deck; seeds are 256 bits of the
    operating system; no setting of the dealer gives one, in any mode.
    """
    source = OperatingSystemEntropy()
    seeds = set()
    for _ in range(8):
        random.seed(1)
        seeds.add(source.seed())
    assert len(seeds) == 8
    assert {len(seed) * 8 for seed in seeds} == {256}
    assert not [name for name in DealerSettings.model_fields if "seed" in name or "random" in name]
    decks = set()
    for number in range(1, 9):
        hand = f"{stage.name()}-{number}"
        opening = dealer_pb2.OpenHandRequest(hand_id=hand, lowest_rank=2, slots=10, draw_max=4)
        await stage.ask(promises()["OpenHand"], Asked(opening, "service:table"))
        deal = Asked(dealer_pb2.DealRequest(hand_id=hand), "service:table")
        answer: Any = await stage.ask(promises()["Deal"], deal)
        decks.add(tuple(card.card for slot in answer.slots for card in slot.cards))
    assert len(decks) == 8
