"""The cards that somebody is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from google.protobuf.message import Message

CARDS = {"cards", "discards"}
"""Fields that hold cards, in whatever message."""


def cards_in(message: Message) -> Iterator[int]:
    """Every card that a message names, wherever it stands."""
    for field, value in message.ListFields():
        if field.name in CARDS:
            yield from value
        elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for part in value if field.is_repeated else (value,):
                yield from cards_in(part)
