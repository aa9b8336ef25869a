"""The deal's commitments and what players contribute: events, stored and shown in one form, and proofs.

Changes with `app.deal_events`, table.proto and store.proto.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.table.v1 import table_pb2 as pb
from servito_table.app.deal_events import DeckCommitted, EntropySet, RefillCommitted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from servito_core.cards import Card
    from servito_table.app.deal_events import DealEvent, Proofs

DealMessage = pb.DeckCommitted | pb.RefillCommitted | pb.EntropySet
DEAL_FIELDS: Final = frozenset({"deck_committed", "refill_committed", "entropy_set"})
"""Their names in TableEvent and StoredEvent."""


def deal_to_proto(event: DealEvent) -> tuple[str, DealMessage]:
    """The message of an event, and the name of its field."""
    match event:
        case DeckCommitted():
            return "deck_committed", pb.DeckCommitted(
                seed_hash=event.seed_hash,
                entropy_digest=event.entropy_digest,
                size=event.size,
                slots=event.slots,
                draw_max=event.draw_max,
                draws=event.draws,
                root=event.root,
            )
        case RefillCommitted():
            return "refill_committed", _refill(event)
        case EntropySet(seat, entropy):
            return "entropy_set", pb.EntropySet(seat=seat, entropy=entropy)


def deal_from_proto(stored: DealMessage) -> DealEvent:
    """Read one."""
    match stored:
        case pb.DeckCommitted():
            return DeckCommitted(
                stored.seed_hash,
                stored.entropy_digest,
                stored.size,
                stored.slots,
                stored.draw_max,
                stored.draws,
                stored.root,
            )
        case pb.RefillCommitted():
            return RefillCommitted(stored.first_position, stored.size, stored.root)
        case _:
            return EntropySet(stored.seat, stored.entropy)


def proofs_to_proto(proofs: Proofs, provable: Mapping[int, tuple[int, Card]]) -> pb.GetProofsResponse:
    """What opens the cards that are `provable`, each with its seat, ascending by position."""
    openings = sorted(proofs.openings, key=lambda opening: opening.position)
    return pb.GetProofsResponse(
        seed_hash=proofs.seed_hash,
        entropy_digest=proofs.entropy_digest,
        shuffles=[_refill(shuffle) for shuffle in proofs.shuffles],
        openings=[
            pb.CardOpening(
                seat=provable[each.position][0],
                position=each.position,
                card=each.card,
                salt=each.salt,
                leaf=each.leaf,
                path=each.path,
            )
            for each in openings
        ],
    )


def _refill(event: RefillCommitted) -> pb.RefillCommitted:
    return pb.RefillCommitted(first_position=event.first_position, size=event.size, root=event.root)
