"""What is written field by field is what protobuf writes, and what it would not write is refused."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any, Final

import pytest

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_wire.fields import REMEMBERED, Block, Bytes, Packed, Values, record

WRITTEN: Final = {
    store.StoredHand: "number button requirement raised to_act pot reshuffled outcome acted_seats",
    store.StoredPlayer: "seat stack folded cards positions shown card_count",
    pb.TableUpdate: "version to_act turn_id remaining_ms lineage",
    pb.HandStarted: "hand_id number seats stacks raised",
}
"""All kinds of fields that are written: numbers, bools, enumerations, texts, bytes, repeated and optional
ones, and of 32 bits.
"""


def value_of(field: Any, style: random.Random) -> Any:
    """One that it may have, now and then the one that is left out."""
    number = style.choice((0, 1, 127, 128, 300, 16_384, 2**31))
    if field.is_repeated:
        return [style.choice((0, 1, 200, 5_000)) for _ in range(style.choice((0, 1, 5)))]
    kinds = {
        field.TYPE_BOOL: style.random() < 0.5,
        field.TYPE_STRING: style.choice(("", "JJ", "perché")),
        field.TYPE_BYTES: bytes(style.sample(range(256), style.choice((0, 1, 5, 200)))),
        field.TYPE_ENUM: style.choice((0, 1, 2)),
        field.TYPE_INT64: style.choice((number, 2**63 - 1)),
    }
    value = kinds.get(field.type, number)
    return None if field.has_presence and style.random() < 0.3 else value


@pytest.mark.parametrize("message", WRITTEN, ids=lambda message: message.DESCRIPTOR.name)
def test_the_bytes_are_those_of_protobuf(message: Any) -> None:
    """Of any values, in the same order, none of them for what is left out."""
    names, style = WRITTEN[message].split(), random.Random(3)
    write = record(message, " ".join(reversed(names)))
    for _ in range(500):
        values = {name: value_of(message.DESCRIPTOR.fields_by_name[name], style) for name in names}
        expected = message(**{name: value for name, value in values.items() if value is not None})
        assert write(SimpleNamespace(**values)) == expected.SerializeToString(deterministic=True)


def test_attributes_may_have_other_names_and_values_numbers() -> None:
    """As where the core says it otherwise."""
    write = record(store.StoredHandEnded, "outcome raised", {"raised": "up"}, {"outcome": {"won": 2}})
    expected = store.StoredHandEnded(outcome=pb.Outcome.ValueType(2), raised=True)
    assert write(SimpleNamespace(outcome="won", up=True)) == expected.SerializeToString()
    with pytest.raises(KeyError):
        write(SimpleNamespace(outcome="lost", up=True))


def test_messages_are_put_into_messages() -> None:
    """Of any length, an empty one too: a message that is there says something."""
    block = Block(store.StoredCommit, "config")
    for name in ("", "x", "y" * 100, "z" * 20_000):
        config = pb.TableConfig(name=name)
        expected = store.StoredCommit(config=config).SerializeToString()
        assert block(config.SerializeToString()) == expected


@pytest.mark.parametrize("value", [-1, 2**63, 2**70])
def test_a_number_that_nothing_here_can_be_is_refused(value: int) -> None:
    """Rather than written as another one."""
    with pytest.raises(ValueError, match="no number of 0"):
        Values(store.StoredPlayer, "stack")[value]
    with pytest.raises(ValueError, match="no number of 0"):
        Packed(pb.HandStarted, "stacks")[(1, value)]


def test_what_is_no_card_is_refused() -> None:
    """As protobuf's bytes do."""
    for cards in ((256,), (-1,)):
        with pytest.raises(ValueError, match="range"):
            Bytes(store.StoredPlayer, "cards")[cards]


def test_a_field_that_cannot_be_written_so_is_refused_at_once() -> None:
    """When the writer is made, not when it writes."""
    with pytest.raises(ValueError, match=r"StoredHandShown\.value is of a kind"):
        record(store.StoredHandShown, "seat value")
    with pytest.raises(KeyError):
        record(store.StoredHandShown, "seat colour")


def test_what_is_remembered_is_bounded() -> None:
    """However many values a field has had, and they are right before and after."""
    stack = Values(store.StoredPlayer, "stack")
    for value in (*range(2 * REMEMBERED + 10), 0, 5, 2 * REMEMBERED):
        assert stack[value] == store.StoredPlayer(stack=value).SerializeToString()
        assert len(stack) <= REMEMBERED
