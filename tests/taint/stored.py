"""What is stored of a table, and the search for hidden cards in it: who steals the state server's data or the
archive reads all that is not sealed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from servito.table.v1 import store_pb2
from tests.taint.detector import CARDS, GAP, POSITIONS, Finding
from tests.taint.encodings import fives_in, masks_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from google.protobuf.message import Message

    from servito_table.adapters.codec import Written
    from tests.taint.truth import Truth

HIDDEN_LEAVES = frozenset({"openers", "reshuffled", "discard_positions", "entropy", "next_entropy"})
"""Fields of stored forms that nobody but their owner knows, besides cards and positions."""
SEALS = frozenset({"sealed"})
"""Fields that hold what a key has made unreadable."""


@dataclass(frozen=True)
class Kept:
    """All that a commit stored."""

    version: int
    written: Written

    def messages(self) -> Iterator[tuple[str, Any, bytes]]:
        """Each with its name and its bytes."""
        for name, kind, content in (
            ("table", store_pb2.StoredTable, self.written.state),
            ("commit", store_pb2.StoredCommit, self.written.told),
            ("audit", store_pb2.StoredCommit, self.written.audit),
        ):
            yield name, kind.FromString(content), content


def in_stored(kept: Iterable[Kept], truth: Truth) -> Iterator[Finding]:
    """Whatever not everybody knew when it was stored. In the bytes of seals, megabytes without order, five in
    a row are a hand by chance once in a long run; a seal that hides nothing shows it in every commit.
    """
    in_seals = []
    for each in kept:
        hand = truth.hands.get(truth.hand_at.get(each.version, 0))
        known = hand.known(None, each.version) if hand else set()
        cards = {card for card, _ in known}
        hidden = hand.hidden(None, each.version) if hand else []
        for name, message, content in each.messages():
            place = f"{name} at version {each.version}"
            leaves = list(_leaves(message))
            for field, value in leaves:
                if field in CARDS and not cards.issuperset(value):
                    yield Finding("card", "thief", f"{place}: {field}")
                elif field in POSITIONS | HIDDEN_LEAVES and value:
                    yield Finding(
                        "position" if field in POSITIONS else "stored", "thief", f"{place}: {field}"
                    )
            rest = [bytes(value) for field, value in leaves if field not in CARDS | SEALS]
            if any(True for _ in fives_in(GAP.join(rest), hidden)):
                yield Finding("packed", "thief", place)
            seals = [each.written.seal, *(bytes(value) for field, value in leaves if field in SEALS)]
            if any(True for _ in fives_in(GAP.join(seals), hidden)):
                in_seals.append(Finding("packed", "thief", f"seal of {place}"))
            if any(True for _ in masks_in(content + GAP + each.written.seal, hidden)):
                yield Finding("mask", "thief", place)
    if len(in_seals) > 1:
        yield from in_seals


def _leaves(message: Message) -> Iterator[tuple[str, Any]]:
    """Everything that holds more than one number."""
    for field, value in message.ListFields():
        if field.message_type is not None:
            if not field.message_type.GetOptions().map_entry:
                for inner in value if field.is_repeated else (value,):
                    yield from _leaves(inner)
        elif field.type == field.TYPE_BYTES:
            yield field.name, value
        elif field.is_repeated and field.cpp_type != field.CPPTYPE_STRING:
            yield field.name, bytes(each if 0 <= each < 52 else 255 for each in value)
