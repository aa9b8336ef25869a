"""The dealer's messages as plain values, both ways, and the table of its refusals."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servito.dealer.v1.dealer_pb2 import (
    DealerRefusal,
    DealResponse,
    DealtCard,
    DrawRequest,
    DrawResponse,
    OpenHandRequest,
    Proof,
    ProveResponse,
    Refill,
    SlotCards,
)
from servito_dealer.app.refusals import Reason
from servito_dealer.app.requests import FIRST_CARDS
from servito_platform.keys import Keys
from servito_wire import dealer as wire


def test_every_refusal_has_one_row() -> None:
    """The proto's enum, the dealer's reasons and the table of statuses name the same refusals."""
    in_proto = {value.name.removeprefix("DEALER_REFUSAL_") for value in DealerRefusal.DESCRIPTOR.values}
    in_proto.remove("UNSPECIFIED")
    assert in_proto == set(wire.REFUSALS) == {reason.value for reason in Reason}


def test_both_sides_deal_as_many_cards() -> None:
    """The range check of the wire and the dealer agree on the size of a hand."""
    assert wire.FIRST_CARDS == FIRST_CARDS


positions = st.lists(st.integers(0, 100), unique=True)
orders = st.tuples(
    st.integers(1, 1000),
    st.integers(0, 9),
    st.integers(1, 9),
    st.integers(1, 5),
    positions.map(lambda each: tuple(sorted(each))),
    st.lists(st.sets(st.integers(0, 9), min_size=1).map(lambda each: tuple(sorted(each))), max_size=10).map(
        lambda sets: tuple(tuple(10 * at + each for each in some) for at, some in enumerate(sets))
    ),
)


@given(orders)
def test_a_draw_is_read_as_it_was_written(order: wire.DrawFields) -> None:
    """Table and dealer mean the same by a request."""
    sent = DrawRequest.FromString(wire.draw_request("t-1", order).SerializeToString())
    assert wire.read_draw(sent) == ("t-1", order)


def test_positions_are_sets() -> None:
    """The order of naming means nothing, and an empty refill is none."""
    request = DrawRequest(hand_id="t-1", entry=1, draw=1, count=2, excluded_positions=[3, 1])
    request.refills.extend([Refill(positions=[9, 7]), Refill(), Refill(positions=[8])])
    assert wire.read_draw(request) == ("t-1", (1, 0, 1, 2, (1, 3), ((7, 9), (8,))))


def test_a_hand_is_opened_as_it_was_written() -> None:
    """Every field arrives, and a request without `draws` means one."""
    holders = b"h" * 32
    assert wire.read_open(wire.open_request("t-1", 7, 4, 5, 2, holders)) == ("t-1", 7, 4, 5, 2, holders)
    old = OpenHandRequest(hand_id="t-1", lowest_rank=7, slots=4, draw_max=5)
    assert wire.read_open(old) == ("t-1", 7, 4, 5, 1, b"")


def test_answers_are_read_as_they_were_written() -> None:
    """Cards keep their slots, their order and their positions."""
    hands = [[(51, 0), (7, 2)], [(3, 1), (9, 3)]]
    digest, root = b"e" * 32, b"r" * 32
    dealt = wire.read_hands(wire.deal_response(hands, 20, digest, root))
    assert dealt == (tuple(map(tuple, hands)), digest, root)
    shuffles = [(52, 4, root)]
    drawn = wire.read_drawn(wire.draw_response([(5, 40), (6, 52)], 3, shuffles))
    assert drawn == (((5, 40), (6, 52)), 3, tuple(shuffles))
    proofs = [(40, 5, b"s" * 32, b"l" * 32, (b"p" * 32, b"q" * 32))]
    proven = wire.read_proven(wire.prove_response(b"h" * 32, digest, shuffles, proofs))
    assert proven == (b"h" * 32, digest, tuple(shuffles), tuple(proofs))


@pytest.mark.parametrize(
    "answer",
    [DealResponse(slots=[SlotCards(slot=1)]), DealResponse(slots=[SlotCards(cards=[DealtCard(card=52)])])],
)
def test_what_no_dealer_sends_is_not_believed(answer: DealResponse) -> None:
    """Slots out of order and numbers that are no cards are errors on the table's side."""
    with pytest.raises(ValueError, match=r"slots of a deal|no card"):
        wire.read_hands(answer)
    with pytest.raises(ValueError, match="no card"):
        wire.read_drawn(DrawResponse(cards=[DealtCard(card=99)]))
    with pytest.raises(ValueError, match="no card"):
        wire.read_proven(ProveResponse(proofs=[Proof(card=52)]))


def open_hand(**change: Any) -> OpenHandRequest:
    """A readable request, but for `change`."""
    return OpenHandRequest(**dict[str, Any](hand_id="t-1", lowest_rank=7, slots=4, draw_max=4) | change)


def draw(**change: Any) -> DrawRequest:
    """A readable request, but for `change`."""
    return DrawRequest(**dict[str, Any](hand_id="t-1", entry=1, draw=1, count=1) | change)


@pytest.mark.parametrize(
    ("request_", "problem"),
    [
        (open_hand(hand_id=""), "hand_id must be"),
        (open_hand(hand_id="t"), "hand_id must be"),
        (open_hand(hand_id="t-"), "hand_id must be"),
        (open_hand(hand_id="t-x"), "hand_id must be"),
        (open_hand(hand_id="t t-1"), "hand_id must be"),
        (open_hand(hand_id="t-1\n"), "hand_id must be"),
        (open_hand(hand_id="{p}-1"), "hand_id must be"),
        (open_hand(hand_id="t" * 65 + "-1"), "hand_id must be"),
        (open_hand(lowest_rank=1), "lowest_rank must be 2 to 9, not 1"),
        (open_hand(lowest_rank=10), "lowest_rank must be 2 to 9, not 10"),
        (open_hand(slots=1), "slots must be 2 to 10, not 1"),
        (open_hand(slots=11), "slots must be 2 to 10, not 11"),
        (open_hand(slots=7), "7 slots need 5 cards each, the deck has 32 in all"),
        (open_hand(draw_max=6), "draw_max must be 0 to 5, not 6"),
        (open_hand(draws=10), "draws must be 0 to 9, not 10"),
        (open_hand(holders=b"h" * 31), "holders must be 32 bytes or none, not 31"),
        (draw(hand_id="x"), "hand_id must be"),
        (draw(entry=0), "entry must be 1 to 1000, not 0"),
        (draw(entry=1001), "entry must be 1 to 1000, not 1001"),
        (draw(slot=10), "slot must be 0 to 9, not 10"),
        (draw(draw=0), "draw must be 1 to 9, not 0"),
        (draw(count=0), "count must be 1 to 5, not 0"),
        (draw(count=6), "count must be 1 to 5, not 6"),
        (draw(excluded_positions=[4, 3, 4]), "excluded_positions: position 4 is named twice"),
        (draw(excluded_positions=range(257)), "positions of excluded_positions must be 0 to 256, not 257"),
        (draw(refills=[Refill(positions=[4, 4])]), "a refill: position 4 is named twice"),
        (draw(refills=[Refill(positions=[4]), Refill(positions=[4])]), "refills: position 4 is named twice"),
        (draw(refills=[Refill(positions=[4])] * 11), "number of refills must be 0 to 10, not 11"),
    ],
)
def test_malformed(request_: OpenHandRequest | DrawRequest, problem: str) -> None:
    """What cannot be read is refused before anything else is done, and the text says what is allowed."""
    read: Any = wire.read_open if isinstance(request_, OpenHandRequest) else wire.read_draw
    with pytest.raises(wire.Malformed, match=problem):
        read(request_)


@given(st.from_regex(wire.HAND_ID, fullmatch=True))
def test_every_readable_hand_has_a_key(hand: str) -> None:
    """The id that the wire lets through is one that the state server's keys accept."""
    assert Keys(64).hand(wire.read_hand(hand)).endswith(f":d:{hand}")
