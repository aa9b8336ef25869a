"""A table in bytes: what is written with parts of the states before is read as the state that it is."""

from __future__ import annotations

import random
from dataclasses import replace

from servito_table.adapters.codec import Codec
from tests.table.room import CONFIG, Room


async def test_what_is_encoded_from_parts_is_the_state() -> None:
    """Every state of random play, each encoded after the one before, is read as it was by a codec that has
    seen none of them; so are states of another course of the table, and earlier ones once more.
    """
    room = Room()
    await room.open(replace(CONFIG, pause_ms=0))
    await room.sit("ann", "bob", "cat", "dan")
    style = random.Random(5)
    codec, states = Codec(), []
    for _ in range(120):
        await room.play_on(style)
        states.append(room.state)
    assert len({state.hand.number for state in states if state.hand is not None}) > 5
    for state in (*states, *style.sample(states, len(states)), *reversed(states)):
        assert Codec().decode(codec.encode(state)) == state


async def test_the_players_of_a_smaller_hand() -> None:
    """Of a hand with fewer players than the one before, only its own are written."""
    room = Room()
    await room.open(replace(CONFIG, pause_ms=0))
    await room.sit("ann", "bob", "cat", "dan")
    codec, style = Codec(), random.Random(6)
    codec.encode(room.state)
    await room.stand("dan")
    while len(room.hand.players) == 4:
        await room.play_on(style)
    assert Codec().decode(codec.encode(room.state)) == room.state
