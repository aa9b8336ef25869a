"""Messages as JSON objects that people read and programs keep: names as in the .proto files, and both ways.

Numbers are numbers, also those of 64 bits; cards are texts such as "Ah", enums their names without what those
begin with, other bytes hexadecimal. Every field is there, but for those that may be unset and are. What is
written once is read for ever: fields are added, as in the messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

from google.protobuf.descriptor import FieldDescriptor

from servito_core.cards import format_card, parse_card

if TYPE_CHECKING:
    from google.protobuf.message import Message

    _Message = TypeVar("_Message", bound=Message)
    _Field = Any
    """A FieldDescriptor, of which there are two classes."""

CARDS: Final = frozenset({"cards", "discards"})
"""Fields that hold cards."""
NUMBERS: Final = frozenset({"positions", "shuffled", "ranks"})
"""Fields of bytes that hold a number in each."""


class NotThat(ValueError):  # noqa: N818 - it says what is the case
    """No object of this form; says where, and what is wrong."""


def to_json(message: Message) -> dict[str, Any]:
    """The message as an object."""
    found: dict[str, Any] = {}
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        if _is_map(field):
            found[field.name] = dict(sorted(value.items()))
        elif field.is_repeated:
            found[field.name] = [_told(field, each) for each in value]
        elif not field.has_presence or message.HasField(field.name):
            found[field.name] = _told(field, value)
    return found


def from_json(told: Any, message: _Message, where: str) -> _Message:
    """Fill `message` with what an object says; `where` it stands, for the refusal. Raises NotThat."""
    if not isinstance(told, dict):
        raise NotThat(f"{where} must be an object")
    fields = message.DESCRIPTOR.fields_by_name
    for name, value in told.items():
        place = f"{where}.{name}"
        if name not in fields:
            raise NotThat(f"{place} is no field of {message.DESCRIPTOR.name}")
        try:
            _fill(message, fields[name], value, place)
        except NotThat:
            raise
        except (TypeError, KeyError, AttributeError, ValueError) as error:
            raise NotThat(f"{place} cannot be {value!r}: {error}") from None
    return message


def _told(field: _Field, value: Any) -> Any:
    if field.message_type is not None:
        return to_json(value)
    if field.enum_type is not None:
        named = field.enum_type.values_by_number.get(value)
        return value if named is None else named.name.removeprefix(_prefix(field.enum_type)).lower()
    if field.type == FieldDescriptor.TYPE_BYTES:
        if field.name in CARDS:
            return [format_card(card) for card in value]
        return list(value) if field.name in NUMBERS else value.hex()
    return format_card(value) if field.name in CARDS else value


def _fill(message: Any, field: _Field, value: Any, place: str) -> None:
    if _is_map(field):
        getattr(message, field.name).update(value)
    elif field.is_repeated:
        kept = getattr(message, field.name)
        for number, each in enumerate(value):
            if field.message_type is not None:
                from_json(each, kept.add(), f"{place}[{number}]")
            else:
                kept.append(_meant(field, each))
    elif field.message_type is not None:
        getattr(message, field.name).SetInParent()
        from_json(value, getattr(message, field.name), place)
    else:
        setattr(message, field.name, _meant(field, value))


def _meant(field: _Field, value: Any) -> Any:
    if field.enum_type is not None and isinstance(value, str):
        return field.enum_type.values_by_name[_prefix(field.enum_type) + value.upper()].number
    if field.type == FieldDescriptor.TYPE_BYTES:
        if field.name in CARDS:
            return bytes(parse_card(card) for card in value)
        return bytes(value) if field.name in NUMBERS else bytes.fromhex(value)
    return int(parse_card(value)) if field.name in CARDS else value


def _is_map(field: _Field) -> bool:
    return field.message_type is not None and bool(field.message_type.GetOptions().map_entry)


def _prefix(enum: Any) -> str:
    """What the names of an enum begin with: that of its zero, without its last word."""
    return str(enum.values[0].name).removesuffix("UNSPECIFIED")
