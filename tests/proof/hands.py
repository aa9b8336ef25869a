"""Proof files of hands that the dealer's own record dealt, without a table: any seed, any number of refills.

Here: playing a hand against a record and writing down what one player is told of it. The file that the SDK
writes of a hand of a running system is the business of `test_running.py`; both have one form.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from servito_client.proof.check import FORMAT
from servito_core.cards import format_card
from servito_dealer.app.record import Record, replay
from servito_dealer.app.requests import (
    Committed,
    DealEntry,
    Dealt,
    DealtCard,
    DrawEntry,
    Drawn,
    Opening,
    Proofs,
)
from servito_table.adapters.contributions import contributions
from servito_table.app.deal_events import Holder
from tests.dealer.player import TableSide

ENTROPY = (b"anna's dice: 4 4 1", b"", b"", b"dal mio orologio", b"", b"")


@dataclass
class Played:
    """A hand in which some slots draw and some show, as `own` saw it."""

    opening: Opening
    seed: bytes
    own: int | None
    draws: tuple[int, ...]
    """How many cards each slot changes."""
    shows: tuple[int, ...] = ()
    entropy: tuple[bytes, ...] = ()
    steps: list[dict[str, Any]] = field(default_factory=list)
    table: TableSide = field(default_factory=TableSide)

    def __post_init__(self) -> None:
        record = replay(self.seed, self.opening)
        entropy = self.entropy or (b"",) * self.opening.slots
        holders = [Holder(f"player {slot}", entropy[slot]) for slot in range(self.opening.slots)]
        contributed = contributions(self.opening.hand, record.seed_hash, holders)
        record = record.enter(DealEntry(contributed))
        dealt = record.answers[0]
        assert isinstance(dealt, Dealt)
        self.table.take_deal(dealt)
        self.received = {slot: list(cards) for slot, cards in enumerate(dealt.hands)}
        self._deck(record, dealt)
        for slot, count in enumerate(self.draws):
            self.table.discard(slot, count)
        for slot, count in [*enumerate(min(3, count) for count in self.draws)] + [
            (slot, count - 3) for slot, count in enumerate(self.draws)
        ]:
            if count > 0:
                record = self._draw(record, slot, count)
        for slot in self.shows:
            cards = [format_card(card.card) for card in self.table.held[slot]]
            self.steps.append({"step": "shown", "seat": slot, "cards": cards})
        self.record = record

    def _deck(self, record: Record, dealt: Dealt) -> None:
        shape = self.opening
        self.steps.append(
            {
                "step": "deck",
                **shuffle(dealt.shuffled),
                "seed_hash": record.seed_hash.hex(),
                "entropy_digest": dealt.entropy_digest.hex(),
                "slots": shape.slots,
                "draw_max": shape.draw_max,
                "draws": shape.draws,
            }
        )
        own = () if self.own is None else dealt.hands[self.own]
        self.steps.append({"step": "dealt", "received": told(own)})

    def _draw(self, record: Record, slot: int, count: int) -> Record:
        order: DrawEntry = self.table.order(slot, count)
        record = record.enter(order)
        drawn = record.answers[-1]
        assert isinstance(drawn, Drawn)
        self.table.take_draw(order, drawn)
        self.received[slot] += drawn.cards
        self.steps += [{"step": "refill", **shuffle(refill)} for refill in drawn.shuffled]
        self.steps.append(
            {
                "step": "drawn",
                "seat": slot,
                "count": count,
                "reshuffled": sum(refill.size for refill in drawn.shuffled),
                "received": told(drawn.cards if slot == self.own else ()),
            }
        )
        return record

    def file(self) -> dict[str, Any]:
        """What the player keeps."""
        whose = {card.position: slot for slot in self.shows for card in self.table.held[slot]}
        if self.own is not None:
            whose |= {card.position: self.own for card in self.received[self.own]}
        proofs = self.record.prove(sorted(whose))
        return {
            "format": FORMAT,
            "record": {
                "hand": self.opening.hand,
                "lowest_rank": self.opening.lowest_rank,
                "seats": list(range(self.opening.slots)),
                "own_seat": self.own,
                "steps": self.steps,
            },
            "proofs": {
                "hand": self.opening.hand,
                "shuffles": shuffles(proofs),
                "openings": [
                    {
                        "seat": whose[proof.position],
                        "position": proof.position,
                        "card": format_card(proof.card),
                        "salt": proof.salt.hex(),
                        "leaf": proof.leaf.hex(),
                        "path": [neighbour.hex() for neighbour in proof.path],
                    }
                    for proof in proofs.proofs
                ],
            },
        }


def shuffles(proofs: Proofs) -> list[dict[str, Any]]:
    """As the dealer says them."""
    listed: list[dict[str, Any]] = [shuffle(each) for each in proofs.shuffles]
    listed[0] |= {"seed_hash": proofs.seed_hash.hex(), "entropy_digest": proofs.entropy_digest.hex()}
    return listed


def shuffle(committed: Committed) -> dict[str, int | str]:
    """As a file has it."""
    return {"first": committed.first_position, "size": committed.size, "root": committed.root.hex()}


def told(cards: tuple[DealtCard, ...]) -> list[list[int | str]]:
    """Cards with their positions."""
    return [[card.position, format_card(card.card)] for card in cards]


def examples() -> dict[str, Played]:
    """The hands of the committed vectors, by name."""
    seed = bytes(range(32))
    return {
        "two-players": Played(Opening("t1-1", 9, 2, 4), seed, 0, (3, 0), (0, 1)),
        "six-players-refill": Played(
            Opening("sala.verde-42", 5, 6, 4), seed[::-1], 3, (4, 3, 4, 4, 2, 3), (1, 3), ENTROPY
        ),
        "spectator": Played(Opening("t1-2", 7, 4, 4), seed, None, (1, 2, 3, 1), (0, 2)),
        "ten-players": Played(Opening("t1-3", 2, 10, 4), seed, 9, (1,) * 10, ()),
    }
