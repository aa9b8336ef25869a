"""A table in memory whose hands are read again."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from servito.table.v1 import table_pb2 as pb
from servito_table.app.archive import Archive
from servito_table.app.state import deals_of
from servito_table.messages.hands import hand_record
from tests.table.gallery import MemoryHands
from tests.table.room import Room


@dataclass
class Shelf:
    """See the module."""

    room: Room = field(default_factory=Room)

    def __post_init__(self) -> None:
        self.hands = MemoryHands(self.room.store)
        self.archive = Archive(self.room.play, self.hands, self.room.dealer)

    async def hand(self, number: int, player: str | None = None) -> pb.HandRecord:
        """A hand as that player gets it."""
        hand, config = await self.archive.hand(self.room.table_id, number, player)
        return hand_record(hand, config, self.room.table_id, player, self.room.store.now)

    async def listed(self, before: int | None = None, size: int = 50) -> list[int]:
        """The numbers of the hands that are listed."""
        page, _ = await self.archive.page(self.room.table_id, before, size, None)
        return [hand.number for hand in page]

    async def play(self, hands: int, seed: int = 1) -> None:
        """Let so many more hands come to their end."""
        style, goal = (
            random.Random(seed),
            (self.room.state.hand.number if self.room.state.hand else 0) + hands,
        )
        while deals_of(self.room.state) < goal or self.room.state.running:
            self.room.store.now += 700
            await (self.room.due() if self.room.wait.seat is None else self.room.play_on(style))
