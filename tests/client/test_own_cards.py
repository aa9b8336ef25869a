"""What a seat knows of its cards: from events, and from a snapshot in the middle of a hand."""

from __future__ import annotations

from servito.table.v1 import table_pb2 as pb
from servito_client.bots.own_cards import OwnCards, OwnCardsReader
from servito_client.messages import ActionKind, CardsDealt, CardsDrawn, HandStarted, SeatActed

DRAW = ActionKind.ACTION_KIND_DRAW


def test_cards_held_follow_deal_discards_and_draws() -> None:
    """Others' draws change nothing; cards owed beyond three come as an entry of their own."""
    reader = OwnCardsReader()
    for event in (
        HandStarted(hand_id="t1-1"),
        CardsDealt(cards=[1, 2, 3, 4, 5]),
        SeatActed(seat=0, kind=DRAW, discarded=1),
        CardsDrawn(seat=0, count=1),
        SeatActed(seat=2, kind=DRAW, discarded=4, discards=[2, 3, 4, 5]),
        CardsDrawn(seat=2, count=3, cards=[10, 11, 12]),
        CardsDrawn(seat=2, count=1, cards=[13], deferred=True),
    ):
        reader.event(event, 2)
    assert reader.hand == OwnCards(
        hand_id="t1-1",
        held=[1, 10, 11, 12, 13],
        dealt=(1, 2, 3, 4, 5),
        discards=(2, 3, 4, 5),
        drawn=[(10, 11, 12), (13,)],
    )


def test_a_snapshot_gives_the_cards_held_now() -> None:
    """After a reconnection nothing is known of how they came, but what is held is right."""
    view = pb.TableView(
        hand=pb.HandView(
            hand_id="t1-7",
            seats=[pb.HandSeatView(seat=1, card_count=5), pb.HandSeatView(seat=2, cards=[9, 8, 7, 6, 5])],
        )
    )
    reader = OwnCardsReader()
    reader.snapshot(view, 2)
    assert reader.hand == OwnCards(hand_id="t1-7", held=[9, 8, 7, 6, 5])


def test_a_new_hand_forgets_the_last_one() -> None:
    """The record of a finished hand is not changed by the next."""
    reader = OwnCardsReader()
    reader.event(HandStarted(hand_id="t1-1"), 0)
    reader.event(CardsDealt(cards=[1, 2, 3, 4, 5]), 0)
    old = reader.hand
    reader.event(HandStarted(hand_id="t1-2"), 0)
    assert old.held == [1, 2, 3, 4, 5]
    assert reader.hand == OwnCards(hand_id="t1-2")
