"""The latest commits of a table out of its event stream: implements `app.ports.Hands`.

The whole stream is read, which is bounded (`commit.lua`), but of most entries only the frame: reading an
event costs ten times as much as parsing the message that holds it, and no seal is opened for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from servito_table.adapters.answers import answered
from servito_table.app.ports import Kept

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_platform.keys import Keys
    from servito_platform.lane import Lane
    from servito_table.adapters.codec import Codec

_OUTLINE: Final = frozenset({"hand_started", "hand_ended"})
_RULES: Final = frozenset({"rules_changed"})
_NONE: Final = -1
"""No hand has this number."""


class RedisHands:
    """See the module."""

    def __init__(self, lane: Lane, keys: Keys, codec: Codec) -> None:
        self._lane = lane
        self._codec = codec
        self._keys = keys

    async def outlines(self, table_id: str) -> Sequence[Kept]:
        """See `app.ports.Hands`."""
        return await self._read(table_id, _NONE, _OUTLINE)

    async def of_hand(self, table_id: str, number: int) -> Sequence[Kept]:
        """See `app.ports.Hands`."""
        return await self._read(table_id, number, _RULES)

    async def _read(self, table_id: str, whole: int, kinds: frozenset[str]) -> list[Kept]:
        command = ("XRANGE", self._keys.events(table_id), "-", "+")
        entries: list[Any] = await answered(self._lane.execute(*command))
        found = (dict(zip(parts[::2], parts[1::2], strict=True)) for _, parts in entries)
        read = self._codec.read_told
        return [
            Kept(read(fields[b"c"], table_id, int(fields.get(b"l", 0)), whole, kinds), int(fields[b"n"]))
            for fields in found
        ]
