"""Messages written as bytes, field by field: what is stored or told with every action.

    ante = record(AntePosted, "seat amount")          # of what has attributes of these names
    event = Block(StoredEvent, "ante_posted")         # a field that holds a message
    StoredEvent.FromString(event(ante(AntePosted(2, 1))))

These are the bytes that protobuf writes of a message with these fields, in half the time and less: no message
is made, and what a field had before has its bytes in a table. Fields side by side are one message, in
whatever order. Not here: reading, which is protobuf's; which fields there are, which the protos say.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from google.protobuf.descriptor import FieldDescriptor as Field

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from google.protobuf.message import Message

REMEMBERED: Final = 4096
"""Values of a field whose bytes are kept: the first that it has."""
_NUMBERS: Final = frozenset(
    {Field.TYPE_BOOL, Field.TYPE_ENUM, Field.TYPE_INT64, Field.TYPE_UINT32, Field.TYPE_UINT64}
)
_VARINT: Final = 0
_LENGTH: Final = 2
_FIXED32: Final = 5


def varint(value: int) -> bytes:
    """A number of 0 to 2**63 - 1. ValueError for others, which nothing that is counted at a table can be."""
    if 0 <= value < REMEMBERED:
        return _SMALL[value]
    if not 0 <= value < 1 << 63:
        raise ValueError(f"{value} is no number of 0 to 2**63 - 1")
    return _GROUPS[value & 0x7F] + varint(value >> 7)


_GROUPS: Final = tuple(bytes((group | 0x80,)) for group in range(0x80))
"""Seven bits, behind which more follow."""
_SMALL: Final = tuple(
    bytes((value,)) if value < 0x80 else _GROUPS[value & 0x7F] + bytes((value >> 7,))
    for value in range(REMEMBERED)
)


class Values(dict[Any, bytes]):
    """The field `name` of a message by its value: a number, bool or text, or None where it may be unset.

    `numbers`: what stands for a value, as of an enumeration of the core's.
    """

    def __init__(self, message: type[Message], name: str, numbers: Mapping[Any, int] | None = None) -> None:
        super().__init__()
        field = message.DESCRIPTOR.fields_by_name[name]
        self._numbers = numbers
        self._optional = field.has_presence
        self._text = field.type == Field.TYPE_STRING
        self._tag = _tag(field, _LENGTH if self._text else _VARINT)

    def __missing__(self, value: Any) -> bytes:
        number: Any = value if self._numbers is None else self._numbers[value]
        if number is None if self._optional else not number:
            written = b""
        elif self._text:
            content = number.encode()
            written = self._tag + varint(len(content)) + content
        else:
            written = self._tag + varint(number)
        if len(self) < REMEMBERED:
            self[value] = written
        return written


class Block:
    """The field `name` of a message that holds bytes, or a text or message that is bytes already. An empty
    one is written too.
    """

    __slots__ = ("_heads",)

    def __init__(self, message: type[Message], name: str) -> None:
        self._heads = _Heads(_tag(message.DESCRIPTOR.fields_by_name[name], _LENGTH))

    def __call__(self, content: bytes) -> bytes:
        """With this content."""
        return self._heads[len(content)] + content


class Bytes(Block):
    """The same by numbers of 0 to 255, one byte each; left out where there are none. ValueError for others.
    None is remembered: they may be cards.
    """

    __slots__ = ()

    def __getitem__(self, numbers: Collection[int]) -> bytes:
        if not numbers:
            return b""
        content = bytes(numbers)
        return self._heads[len(content)] + content


class Packed(Block):
    """A repeated field of numbers; left out where there are none. None is remembered."""

    __slots__ = ()

    def __getitem__(self, numbers: Collection[int]) -> bytes:
        if not numbers:
            return b""
        content = b"".join(map(varint, numbers))
        return self._heads[len(content)] + content


class Fixed:
    """The field `name` of a message, of a number with as many bits as it has: 32. 0 is left out."""

    __slots__ = ("_tag",)

    def __init__(self, message: type[Message], name: str) -> None:
        self._tag = _tag(message.DESCRIPTOR.fields_by_name[name], _FIXED32)

    def __getitem__(self, value: int) -> bytes:
        return self._tag + value.to_bytes(4, "little") if value else b""


def record(
    message: type[Message],
    fields: str,
    named: Mapping[str, str] | None = None,
    numbers: Mapping[str, Mapping[Any, int]] | None = None,
) -> Callable[[Any], bytes]:
    """What writes these fields of a message, in the order of their numbers: names with blanks between, each
    an attribute of what is to be written. `named`: attributes of another name than their field's; `numbers`:
    as for `Values`.
    """
    known = message.DESCRIPTOR.fields_by_name
    tables: dict[str, Any] = {}
    for name in sorted(fields.split(), key=lambda name: known[name].number):
        if known[name].is_repeated:
            tables[name] = Packed(message, name)
        elif known[name].type == Field.TYPE_BYTES:
            tables[name] = Bytes(message, name)
        elif known[name].type == Field.TYPE_FIXED32:
            tables[name] = Fixed(message, name)
        elif known[name].type in _NUMBERS or known[name].type == Field.TYPE_STRING:
            tables[name] = Values(message, name, (numbers or {}).get(name))
        else:
            raise ValueError(f"{known[name].full_name} is of a kind that is not written here")
    parts = "".join(f"{name}[it.{(named or {}).get(name, name)}], " for name in tables)
    # Written out, as dataclasses are: to ask for attributes by their names takes twice as long.
    written: Callable[[Any], bytes] = eval(f"lambda it: join(({parts}))", {**tables, "join": b"".join})  # noqa: S307 - made of names in our own code
    return written


class _Heads(dict[int, bytes]):
    """What a field of bytes begins with, by their length."""

    def __init__(self, tag: bytes) -> None:
        super().__init__()
        self._tag = tag

    def __missing__(self, length: int) -> bytes:
        head = self._tag + varint(length)
        if length < REMEMBERED:
            self[length] = head
        return head


def _tag(field: Any, wire_type: int) -> bytes:
    return varint(field.number << 3 | wire_type)
