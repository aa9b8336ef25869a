"""A proof file: what one player was told of a hand, and what opens his cards, as JSON.

`record` is what the table told before and with the cards, `proofs` what the dealer said when it was asked;
they say some things twice, so that a change of either is found. Its form is described in
deploy/verifier/README.md; `check` reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from servito_client.messages import (
    CardsDealt,
    CardsDrawn,
    DeckCommitted,
    HandProofs,
    HandRecord,
    HandShown,
    HandStarted,
    HandTabled,
    OpeningProved,
    RefillCommitted,
    event_of,
)
from servito_client.proof.check import FORMAT
from servito_core.cards import Card, format_card

if TYPE_CHECKING:
    from servito_client.client import Servito
    from servito_client.messages import Event

ATTEMPTS: Final = 5


class NothingToProve(Exception):  # noqa: N818 - it says what is the case
    """The beginning of the hand is no longer kept, or no card of it has come yet."""


async def fetch(servito: Servito, hand_id: str) -> dict[str, Any]:
    """The proof file of a recent hand for this caller. Raises NothingToProve; refusals as `Servito.proofs`.

    While the hand runs it is asked for until nothing happens between the two answers.
    """
    before, proofs = await servito.hand(hand_id), await servito.proofs(hand_id)
    for _ in range(ATTEMPTS):
        hand = await servito.hand(hand_id)
        if len(hand.events) == len(before.events):
            break
        before, proofs = hand, await servito.proofs(hand_id)
    return written(before, proofs)


def written(hand: HandRecord, proofs: HandProofs) -> dict[str, Any]:
    """The file. Raises NothingToProve."""
    events = [event for each in hand.events if (event := event_of(each.event)) is not None]
    started = next((event for event in events if isinstance(event, HandStarted)), None)
    if started is None or not any(isinstance(event, DeckCommitted) for event in events):
        raise NothingToProve
    shuffles = [_shuffle(shuffle) for shuffle in proofs.shuffles]
    shuffles[0] |= {"seed_hash": proofs.seed_hash.hex(), "entropy_digest": proofs.entropy_digest.hex()}
    own = hand.own_seat if hand.HasField("own_seat") else None
    return {
        "format": FORMAT,
        "record": {
            "hand": hand.hand_id,
            "lowest_rank": started.lowest_rank,
            "seats": list(started.seats),
            "own_seat": own,
            "steps": list(_steps(events, finished=hand.finished)),
        },
        "proofs": {
            "hand": hand.hand_id,
            "shuffles": shuffles,
            "openings": [
                {
                    "seat": opening.seat,
                    "position": opening.position,
                    "card": _text(opening.card),
                    "salt": opening.salt.hex(),
                    "leaf": opening.leaf.hex(),
                    "path": [neighbour.hex() for neighbour in opening.path],
                }
                for opening in proofs.openings
            ],
        },
    }


def _steps(events: Iterable[Event], *, finished: bool) -> Iterator[dict[str, Any]]:
    """What concerns the cards; what others showed is opened when the hand is over."""
    for event in events:
        match event:
            case DeckCommitted():
                yield _deck(event)
            case RefillCommitted():
                yield {"step": "refill", **_shuffle(event)}
            case CardsDealt():
                yield {"step": "dealt", "received": _received(event)}
            case CardsDrawn(seat=seat, count=count, reshuffled=reshuffled):
                yield {
                    "step": "drawn",
                    "seat": seat,
                    "count": count,
                    "reshuffled": reshuffled,
                    "received": _received(event),
                }
            case HandShown() | HandTabled() | OpeningProved():
                if finished:
                    yield {
                        "step": "shown",
                        "seat": event.seat,
                        "cards": [_text(card) for card in event.cards],
                    }


def _deck(event: DeckCommitted) -> dict[str, Any]:
    return {
        "step": "deck",
        "first": 0,
        "size": event.size,
        "root": event.root.hex(),
        "seed_hash": event.seed_hash.hex(),
        "entropy_digest": event.entropy_digest.hex(),
        "slots": event.slots,
        "draw_max": event.draw_max,
        "draws": event.draws,
    }


def _shuffle(event: RefillCommitted) -> dict[str, Any]:
    return {"first": event.first_position, "size": event.size, "root": event.root.hex()}


def _received(event: CardsDealt | CardsDrawn) -> list[list[int | str]]:
    return [[position, _text(card)] for position, card in zip(event.positions, event.cards, strict=True)]


def _text(card: int) -> str:
    return format_card(Card(card))
