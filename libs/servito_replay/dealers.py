"""A folded hand compared with what the dealer's audit rebuilt from its sealed record: two programs with two
keys, neither of which has the other's.

`told` is what `python -m servito_dealer.audit HAND` writes. Compared are every card and its position, and
what the dealer was bound to before the first card. Changes with `servito_dealer.app.audit`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from servito_core import events as e
from servito_core.cards import format_card
from servito_replay.differences import Difference, Kind
from servito_wire.views import hand_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servito_core.cards import Card
    from servito_replay.folding import Step

Pairs = list[list[Any]]


class NoRecord(ValueError):  # noqa: N818 - it says what is the case
    """What was given is nothing that the dealer's audit wrote of this hand."""


def compared(steps: Sequence[Step], told: Any) -> int:
    """How many cards lay where the dealer has them. Raises Difference, NoRecord; ValueError: the hand was not
    folded whole.
    """
    if any(step.commit.whole is None for step in steps):
        raise ValueError("the dealer's record is compared with the whole hand, which takes the auditor's key")
    hand = hand_id(steps[0].commit.entry.table_id, steps[0].hand.number)
    try:
        if told["hand"] != hand:
            raise NoRecord(f"it is of hand {told['hand']}")
        given = dict(_given(told["entries"]))
        _compare_bonds(steps, told)
    except (TypeError, KeyError, IndexError, AttributeError) as error:
        raise NoRecord(f"{type(error).__name__}: {error}") from None
    cards = 0
    for version, place, entry, slot, pairs in _dealt(steps):
        there = given.get((entry, slot))
        if there != pairs:
            raise Difference(Kind.DEALER, version, place, f"{_words(pairs)} is stored, not {_words(there)}")
        cards += len(pairs)
    return cards


def _given(entries: Any) -> Iterator[tuple[tuple[int, int], Pairs]]:
    """Positions and cards by number of the entry and slot."""
    for entry in entries:
        if "dealt" in entry:
            yield from (((entry["entry"], slot), pairs) for slot, pairs in enumerate(entry["dealt"]))
        else:
            yield (entry["entry"], entry["slot"]), entry["drawn"]


def _dealt(steps: Sequence[Step]) -> Iterator[tuple[int, int, int, int, Pairs]]:
    """Version, place of the event, entry, slot, and what was dealt by it."""
    for step in steps:
        version = step.commit.entry.version
        slots = {player.seat: slot for slot, player in enumerate(step.hand.players)}
        for place, event in zip(step.places, step.events, strict=True):
            if isinstance(event, e.CardsDealt):
                for seat, cards, positions in zip(event.seats, event.cards, event.positions, strict=True):
                    yield version, place, 0, slots[seat], _pairs(cards, positions)
            elif isinstance(event, e.CardsDrawn):
                yield version, place, event.entry, slots[event.seat], _pairs(event.cards, event.positions)


def _compare_bonds(steps: Sequence[Step], told: Any) -> None:
    shuffles = {shuffle["first"]: shuffle["root"] for shuffle in told["shuffles"]}
    for step in steps:
        for place, stored in enumerate(step.commit.public.events):
            bound = {}
            if stored.HasField("deck_committed"):
                deck = stored.deck_committed
                bound = {
                    "seed hash": (deck.seed_hash.hex(), told["seed_hash"]),
                    "entropy digest": (deck.entropy_digest.hex(), told["entropy_digest"]),
                    "root": (deck.root.hex(), shuffles.get(0)),
                }
            elif stored.HasField("refill_committed"):
                refill = stored.refill_committed
                bound = {"root": (refill.root.hex(), shuffles.get(refill.first_position))}
            for what, (one, other) in bound.items():
                if one != other:
                    version = step.commit.entry.version
                    raise Difference(Kind.DEALER, version, place, f"{what} {one} is stored, not {other}")


def _pairs(cards: Sequence[Card], positions: Sequence[int]) -> Pairs:
    return [[position, format_card(card)] for card, position in zip(cards, positions, strict=True)]


def _words(pairs: Pairs | None) -> str:
    return "nothing" if pairs is None else " ".join(f"{card} at {position}" for position, card in pairs)
