"""The dealer's protocol as plain values, both ways, and the status of each refusal.

Here: the ranges that a request must keep, checked once, before anything else is done; what the table sends
and reads; what the dealer reads and sends. Values are plain tuples and ints, because the dealer's own types
are the dealer's. Not here: what is due (the dealer's record decides) and connections. Changes with
`dealer.proto`.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import grpc

from servito.dealer.v1.dealer_pb2 import (
    DealRequest,
    DealResponse,
    DealtCard,
    DrawRequest,
    DrawResponse,
    OpenHandRequest,
    Proof,
    ProveRequest,
    ProveResponse,
    Refill,
    Shuffled,
)
from servito_core.cards import DECK_SIZE, Card, deck_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HAND_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}-[0-9]{1,18}")
FIRST_CARDS: Final = 5
MAX_POSITIONS: Final = 256
"""Positions that one list of a request may name; a hand has far fewer."""
MAX_SLOTS: Final = 10
DIGEST_BYTES: Final = 32


class Status(NamedTuple):
    """How a refusal travels; `retry_after` is seconds, None when the same request can never succeed."""

    code: grpc.StatusCode
    retry_after: float | None = None


REFUSALS: Final[dict[str, Status]] = {
    "MALFORMED": Status(grpc.StatusCode.INVALID_ARGUMENT),
    "UNKNOWN_HAND": Status(grpc.StatusCode.NOT_FOUND),
    "HAND_DIFFERS": Status(grpc.StatusCode.ALREADY_EXISTS),
    "ENTRY_DIFFERS": Status(grpc.StatusCode.ALREADY_EXISTS),
    "ENTRY_OUT_OF_ORDER": Status(grpc.StatusCode.FAILED_PRECONDITION),
    "NOT_DUE": Status(grpc.StatusCode.FAILED_PRECONDITION),
    "POSITION_NOT_DEAD": Status(grpc.StatusCode.FAILED_PRECONDITION),
    "STOCK_EXHAUSTED": Status(grpc.StatusCode.FAILED_PRECONDITION),
    "UNAVAILABLE": Status(grpc.StatusCode.UNAVAILABLE, retry_after=0.1),
    "UNAUTHENTICATED": Status(grpc.StatusCode.UNAUTHENTICATED),
    "NOT_PERMITTED": Status(grpc.StatusCode.PERMISSION_DENIED),
}
"""By `reason` of google.rpc.ErrorInfo, which is the name in `DealerRefusal` without its prefix."""

REASON_PREFIX: Final = "DEALER_REFUSAL_"


class Malformed(ValueError):  # noqa: N818 - the reason's own name
    """A request that cannot be read; the text names the field and what is allowed."""


class Dealt(NamedTuple):
    """A card and the position from which it was dealt."""

    card: Card
    position: int


class Root(NamedTuple):
    """A shuffle and what binds the dealer to its order; empty in hands without roots."""

    first_position: int
    size: int
    root: bytes


class HandDealt(NamedTuple):
    """Answer to the deal: the cards by slot, and what they were bound to before."""

    hands: tuple[tuple[Dealt, ...], ...]
    entropy_digest: bytes
    root: bytes


class Drawn(NamedTuple):
    """Answer to a draw; `shuffled` are the refills that became the stock."""

    cards: tuple[Dealt, ...]
    stock_left: int
    shuffled: tuple[Root, ...]


class Proven(NamedTuple):
    """Answer to a question for proofs; each is (position, card, salt, leaf, path)."""

    seed_hash: bytes
    entropy_digest: bytes
    shuffles: tuple[Root, ...]
    proofs: tuple[tuple[int, Card, bytes, bytes, tuple[bytes, ...]], ...]


def read_open(request: OpenHandRequest) -> tuple[str, int, int, int, int, bytes]:
    """(hand, lowest rank, slots, draw_max, draws, holders); `Malformed` outside their ranges."""
    _in_range("lowest_rank", request.lowest_rank, 2, 9)
    _in_range("slots", request.slots, 2, 10)
    _in_range("draw_max", request.draw_max, 0, 5)
    _in_range("draws", request.draws, 0, 9)
    deck = len(deck_from(request.lowest_rank))
    if request.slots * FIRST_CARDS > deck:
        raise Malformed(f"{request.slots} slots need {FIRST_CARDS} cards each, the deck has {deck} in all")
    if len(request.holders) not in (0, DIGEST_BYTES):
        raise Malformed(f"holders must be {DIGEST_BYTES} bytes or none, not {len(request.holders)}")
    draws, hand = request.draws or 1, read_hand(request.hand_id)
    return hand, request.lowest_rank, request.slots, request.draw_max, draws, request.holders


def read_hand(hand_id: str) -> str:
    """The id of a hand; `Malformed` if it cannot be one."""
    if not HAND_ID.fullmatch(hand_id):
        raise Malformed(
            "hand_id must be <table>-<number>: the table 1 to 64 letters, digits, '_', '.' or '-', "
            "the number 1 to 18 digits"
        )
    return hand_id


def read_deal(request: DealRequest) -> tuple[str, tuple[bytes, ...]]:
    """The hand and the contributions; `Malformed` unless each is 32 bytes or none."""
    _in_range("the number of contributions", len(request.contributions), 0, MAX_SLOTS)
    for contribution in request.contributions:
        if len(contribution) not in (0, DIGEST_BYTES):
            raise Malformed(f"a contribution must be {DIGEST_BYTES} bytes or none, not {len(contribution)}")
    return read_hand(request.hand_id), tuple(request.contributions)


def read_prove(request: ProveRequest) -> tuple[str, tuple[int, ...]]:
    """The hand and the positions, as they are named; `Malformed` if one is named twice."""
    _positions("positions", request.positions)
    return read_hand(request.hand_id), tuple(request.positions)


DrawFields = tuple[int, int, int, int, tuple[int, ...], tuple[tuple[int, ...], ...]]


def read_draw(request: DrawRequest) -> tuple[str, DrawFields]:
    """The hand and (entry, slot, draw, count, excluded, refills), sets ascending, no refill empty.

    `Malformed` outside of ranges, and when a set names a position twice or two refills name the same.
    """
    _in_range("entry", request.entry, 1, 1000)
    _in_range("slot", request.slot, 0, 9)
    _in_range("draw", request.draw, 1, 9)
    _in_range("count", request.count, 1, 5)
    _in_range("the number of refills", len(request.refills), 0, 10)
    excluded = _positions("excluded_positions", request.excluded_positions)
    named = (_positions("a refill", refill.positions) for refill in request.refills)
    refills = tuple(refill for refill in named if refill)
    _positions("refills", [position for refill in refills for position in refill])
    order = (request.entry, request.slot, request.draw, request.count, excluded, refills)
    return read_hand(request.hand_id), order


def _in_range(field: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise Malformed(f"{field} must be {least} to {most}, not {value}")


def _positions(field: str, positions: Sequence[int]) -> tuple[int, ...]:
    _in_range(f"the number of positions of {field}", len(positions), 0, MAX_POSITIONS)
    ordered = tuple(sorted(positions))
    for one, other in pairwise(ordered):
        if one == other:
            raise Malformed(f"{field}: position {one} is named twice")
    return ordered


def open_request(
    hand: str,
    lowest_rank: int,
    slots: int,
    draw_max: int,
    draws: int = 1,
    holders: bytes = b"",
    *,
    deal_at_once: bool = False,
) -> OpenHandRequest:
    """What the table sends; see `OpenHandRequest`."""
    return OpenHandRequest(
        hand_id=hand,
        lowest_rank=lowest_rank,
        slots=slots,
        draw_max=draw_max,
        draws=draws,
        holders=holders,
        deal_at_once=deal_at_once,
    )


def deal_request(hand: str, contributions: Iterable[bytes] = ()) -> DealRequest:
    """What the table sends, the inverse of `read_deal`."""
    return DealRequest(hand_id=hand, contributions=contributions)


def draw_request(hand: str, order: DrawFields) -> DrawRequest:
    """What the table sends, the inverse of `read_draw`."""
    entry, slot, draw, count, excluded, refills = order
    return DrawRequest(
        hand_id=hand,
        entry=entry,
        slot=slot,
        draw=draw,
        count=count,
        excluded_positions=excluded,
        refills=[Refill(positions=refill) for refill in refills],
    )


def deal_response(
    hands: Iterable[Iterable[tuple[int, int]]],
    stock_left: int,
    entropy_digest: bytes = b"",
    root: bytes = b"",
) -> DealResponse:
    """What the dealer sends; each card with its position, by slot."""
    response = DealResponse(stock_left=stock_left, entropy_digest=entropy_digest, root=root)
    for slot, cards in enumerate(hands):  # added in place: messages made before are copied, at twice the cost
        add = response.slots.add(slot=slot).cards.add
        for card, position in cards:
            add(card=card, position=position)
    return response


def draw_response(
    cards: Iterable[tuple[int, int]], stock_left: int, shuffled: Iterable[tuple[int, int, bytes]]
) -> DrawResponse:
    """What the dealer sends; `shuffled` holds (first position, size, root) of each refill that became the
    stock.
    """
    dealt = [DealtCard(card=card, position=position) for card, position in cards]
    return DrawResponse(cards=dealt, stock_left=stock_left, shuffled=_roots(shuffled))


def prove_response(
    seed_hash: bytes,
    entropy_digest: bytes,
    shuffles: Iterable[tuple[int, int, bytes]],
    proofs: Iterable[tuple[int, int, bytes, bytes, tuple[bytes, ...]]],
) -> ProveResponse:
    """What the dealer sends; see `Proven`."""
    opened = [
        Proof(position=position, card=card, salt=salt, leaf=leaf, path=path)
        for position, card, salt, leaf, path in proofs
    ]
    return ProveResponse(
        seed_hash=seed_hash, entropy_digest=entropy_digest, shuffles=_roots(shuffles), proofs=opened
    )


def read_hands(response: DealResponse) -> HandDealt:
    """The five cards of each slot, in slot order; ValueError if the answer is none that a dealer gives."""
    if [slot.slot for slot in response.slots] != list(range(len(response.slots))):
        raise ValueError("the slots of a deal are not 0, 1, 2 ...")
    hands = tuple(_read_cards(slot.cards) for slot in response.slots)
    return HandDealt(hands, response.entropy_digest, response.root)


def read_drawn(response: DrawResponse) -> Drawn:
    """The answer to a draw; ValueError if it is none that a dealer gives."""
    return Drawn(_read_cards(response.cards), response.stock_left, _read_roots(response.shuffled))


def read_proven(response: ProveResponse) -> Proven:
    """The answer to a question for proofs; ValueError if it is none that a dealer gives."""
    proofs = tuple(
        (each.position, Card(each.card), each.salt, each.leaf, tuple(each.path)) for each in response.proofs
    )
    if any(card >= DECK_SIZE for _, card, *_ in proofs):
        raise ValueError("the dealer sent a number that is no card")
    shuffles = _read_roots(response.shuffles)
    return Proven(response.seed_hash, response.entropy_digest, shuffles, proofs)


def _roots(shuffled: Iterable[tuple[int, int, bytes]]) -> list[Shuffled]:
    return [Shuffled(first_position=first, size=size, root=root) for first, size, root in shuffled]


def _read_roots(shuffled: Iterable[Shuffled]) -> tuple[Root, ...]:
    return tuple(Root(each.first_position, each.size, each.root) for each in shuffled)


def _read_cards(cards: Iterable[DealtCard]) -> tuple[Dealt, ...]:
    dealt = tuple([Dealt(Card(dealt.card), dealt.position) for dealt in cards])
    if dealt and max(dealt).card >= DECK_SIZE:
        raise ValueError("the dealer sent a number that is no card")
    return dealt
