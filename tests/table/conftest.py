"""For the tests of the table service."""

from __future__ import annotations

import pytest

from tests.table.room import Room


@pytest.fixture
async def room() -> Room:
    """A new table, nobody seated."""
    room = Room()
    await room.open()
    return room
