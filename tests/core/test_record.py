"""Records: frozen dataclasses that only differ in what they cost to make."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, field, fields, is_dataclass
from typing import Any

import pytest

from servito_core.record import record


@record
class Sample:
    """One of each kind of field."""

    seat: int
    cards: tuple[int, ...] = ()
    by_seat: dict[int, int] = field(default_factory=dict)


@record
class Empty:
    """No field at all."""


def test_a_record_is_frozen_and_has_no_other_attributes() -> None:
    """Neither a field nor anything else can be set."""
    sample = Sample(1)
    for name in ("seat", "other"):
        with pytest.raises((FrozenInstanceError, AttributeError, TypeError)):
            setattr(sample, name, 2)
    assert not hasattr(sample, "__dict__")
    assert is_dataclass(sample)


def test_a_record_takes_arguments_like_a_dataclass() -> None:
    """By place and by name, with defaults; a factory makes a new value each time."""
    assert Sample(1, (2,)) == Sample(seat=1, cards=(2,), by_seat={})
    assert Sample(1).by_seat is not Sample(1).by_seat
    assert Sample(1, by_seat={3: 4}).by_seat == {3: 4}
    make: Any = Sample  # the type checker knows that these are mistakes
    for arguments, named in (((), {}), ((1,), {"other": 2}), ((1, (), {}, 4), {})):
        with pytest.raises(TypeError):
            make(*arguments, **named)
    with pytest.raises(TypeError):
        Empty(1)  # type: ignore[call-arg] # on purpose


def test_records_compare_and_match_like_dataclasses() -> None:
    """Equal only to their own kind, shown with their fields, open to patterns."""
    assert Sample(1) != Sample(2)
    assert Empty() == Empty()
    other: object = (1, (), {})
    assert Sample(1) != other
    assert repr(Sample(1)) == "Sample(seat=1, cards=(), by_seat={})"
    assert [member.name for member in fields(Sample)] == ["seat", "cards", "by_seat"]
    match Sample(1, (5,)):
        case Sample(1, cards=(card,)):
            assert card == 5
        case _:
            pytest.fail("a record matches its own pattern")
