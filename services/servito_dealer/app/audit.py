"""A hand rebuilt from its sealed record, for the auditor, who holds the key: what nobody else is shown.

Pure. From the seed everything follows: seed hash, what the players contributed, each order with its salts and
root, and every answer. What a player exported of the hand (a proof file) is compared with that, word by word.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from servito_core.cards import format_card
from servito_dealer.app import commitments
from servito_dealer.app.requests import Dealt, DrawEntry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from servito_dealer.app.record import Record


def rebuilt(record: Record) -> dict[str, Any]:
    """All of it, as JSON has it; bytes in hexadecimal."""
    source, deck = record.source, record.deck
    shuffles = () if deck is None else deck.shuffles
    return {
        "hand": source.opening.hand,
        "scheme": source.scheme,
        "seed": source.seed.hex(),
        "seed_hash": source.seed_hash.hex(),
        "contributions": [contribution.hex() for contribution in source.contributions],
        "entropy_digest": source.entropy_digest.hex(),
        "shuffles": [
            {
                "first": shuffle.first_position,
                "size": shuffle.size,
                "root": shuffle.root.hex(),
                "order": [
                    format_card(card) for card in _order(record)[shuffle.first_position :][: shuffle.size]
                ],
            }
            for shuffle in shuffles
        ],
        "entries": list(_entries(record)),
    }


def contributed(record: Record, slot: int, entropy: bytes) -> bool:
    """Whether a player's entropy on that slot went into the order of the hand."""
    source = record.source
    hand, number = source.opening.hand.encode(), commitments.number(slot)
    wanted = commitments.digest("contribution", hand, source.seed_hash, number, entropy)
    given = source.contributions
    return slot < len(given) and given[slot] == wanted


def differences(record: Record, file: Mapping[str, Any]) -> list[str]:
    """What of a player's proof file is not as the record has it; nothing: all is. KeyError and the like for
    what is no proof file.
    """
    told, order = file["record"], _order(record)
    found = [] if told["hand"] == record.opening.hand else [f"hand: {told['hand']}"]
    bound = [step for step in told["steps"] if step["step"] in {"deck", "refill"}]
    found += _different("seed", bound[0]["seed_hash"], record.source.seed_hash.hex())
    found += _different("entropy", bound[0]["entropy_digest"], record.source.entropy_digest.hex())
    deck = record.deck
    shuffles = () if deck is None else deck.shuffles
    found += _different("root", [step["root"] for step in bound], [each.root.hex() for each in shuffles])
    received = [pair for step in told["steps"] for pair in step.get("received", ())]
    opened = [(opening["position"], opening["card"]) for opening in file["proofs"]["openings"]]
    for position, card in [*received, *opened]:
        there = format_card(order[position]) if position < len(order) else "nothing"
        found += _different(f"card at position {position}", card, there)
    return found


def _different(what: str, told: object, there: object) -> list[str]:
    return [] if told == there else [f"{what}: told {told}, the record has {there}"]


def _order(record: Record) -> tuple[Any, ...]:
    return () if record.deck is None else record.deck.order


def _entries(record: Record) -> Iterator[dict[str, Any]]:
    """Each entry with its cards, as (position, card)."""
    for entry, answer in zip(record.entries, record.answers, strict=True):
        if isinstance(answer, Dealt):
            hands = [[[card.position, format_card(card.card)] for card in hand] for hand in answer.hands]
            yield {"entry": entry.number, "dealt": hands}
        elif isinstance(entry, DrawEntry):
            cards = [[card.position, format_card(card.card)] for card in answer.cards]
            refills = [list(refill) for refill in entry.refills[: len(answer.shuffled)]]
            yield {"entry": entry.number, "slot": entry.slot, "drawn": cards, "refills": refills}
