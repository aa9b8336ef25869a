"""Requests that nobody would send, by the structure of the protos.

Here: messages made from nothing or by altering good ones, and bytes that are hardly messages. Every scalar
has its odd values (enum numbers that exist and that do not, the ends of integers, empty, huge and unprintable
text, bytes that are no text), every message may be left out, and unknown fields ride along. Values that the
services themselves have sent come back in fields of the same name (`Pool`), so that some requests are almost
right. All is drawn from one seeded generator.
"""

from __future__ import annotations

import random
from collections import defaultdict, deque
from collections.abc import Callable
from typing import Any, Final

from google.protobuf import message_factory
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.internal.encoder import TagBytes, _VarintBytes  # type: ignore[attr-defined]  # untyped
from google.protobuf.message import Message

_F: Final = FieldDescriptor
_INTEGERS: Final[dict[int, tuple[int, int]]] = {
    _F.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    _F.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    _F.CPPTYPE_UINT32: (0, 2**32 - 1),
    _F.CPPTYPE_UINT64: (0, 2**64 - 1),
}
_NOT_UTF8: Final = "@@not@utf8@@"
"""Stands in a text until it is bytes; see `Fuzzer.encoded`."""
_TEXTS: Final = (
    "", " ", "\x00", "a\nb", "é", "🂡", "\u202eabc", "../../x", "{p001}:t:x", "a" * 64, "a" * 65, "x" * 5_000,
    "-1", "0", "9" * 30, "1e3", "NaN", "true", "' OR 1=1", "%s%n", _NOT_UTF8,
)  # fmt: skip
_OTHERS: Final[dict[int, Callable[[random.Random], Any]]] = {
    _F.CPPTYPE_BOOL: lambda source: source.random() < 0.5,
    _F.CPPTYPE_DOUBLE: lambda source: source.choice((0.0, -1.5, float("inf"), float("nan"))),
    _F.CPPTYPE_FLOAT: lambda source: source.choice((0.0, -1.5, float("inf"), float("nan"))),
}
_ALIKE: Final = {"min_version": "version", "after_version": "version", "page_token": "next_page_token"}


class Pool:
    """Values that were seen in answers, the latest of each name."""

    def __init__(self, most: int = 64) -> None:
        self._values: dict[str, deque[Any]] = defaultdict(lambda: deque(maxlen=most))
        self._messages: dict[str, deque[bytes]] = defaultdict(lambda: deque(maxlen=most))

    def learn(self, message: Message, depth: int = 5) -> None:
        """Remember what a message holds."""
        self._messages[message.DESCRIPTOR.full_name].append(message.SerializeToString())
        for field, value in message.ListFields():
            is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
            for one in list(value)[:8] if field.is_repeated and not is_map else [value]:
                if field.message_type is None:
                    self._values[field.name].append(one)
                elif depth and not is_map:
                    self.learn(one, depth - 1)

    def values(self, name: str) -> deque[Any] | None:
        """Values of fields of this name, or of one that means the same."""
        return self._values.get(_ALIKE.get(name, name))

    def messages(self, full_name: str) -> deque[bytes] | None:
        """Messages of this kind, encoded."""
        return self._messages.get(full_name)


class Fuzzer:
    """See the module."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.pool = Pool()

    def chance(self, share: float) -> bool:
        """True in that share of all cases."""
        return self._random.random() < share

    def choice(self, some: Any) -> Any:
        """One of them."""
        return self._random.choice(some)

    def made(self, descriptor: Any, depth: int = 4) -> Message:
        """A message from nothing, or one that was seen, altered."""
        kind = message_factory.GetMessageClass(descriptor)
        seen = self.pool.messages(descriptor.full_name)
        if seen and self.chance(0.5):
            return self.altered(kind.FromString(self.choice(seen)))
        message = kind()
        for field in descriptor.fields:
            if not self.chance(0.15):
                self._set(message, field, depth)
        return message

    def altered(self, message: Message, most: int = 2) -> Message:
        """The message itself, with up to so many fields changed, here or further in."""
        for _ in range(self._random.randint(0, most)):
            inner = message
            while True:
                field = self.choice(inner.DESCRIPTOR.fields) if inner.DESCRIPTOR.fields else None
                if field is None:
                    break
                deeper = field.message_type is not None and not field.is_repeated
                if not deeper or not inner.HasField(field.name) or self.chance(0.2):
                    inner.ClearField(field.name)
                    if not self.chance(0.2):
                        self._set(inner, field, 3)
                    break
                inner = getattr(inner, field.name)
        return message

    def encoded(self, message: Message) -> bytes:
        """Its bytes, sometimes with fields that nobody knows, and with text that is none where it was put."""
        data = message.SerializeToString()
        data = data.replace(_NOT_UTF8.encode(), b"\xff\xfe" * (len(_NOT_UTF8) // 2))
        if self.chance(0.1):
            data += TagBytes(self._random.randint(500, 2**29 - 1), 0) + _VarintBytes(
                self._integer(0, 2**64 - 1)
            )
        if self.chance(0.1):
            data += TagBytes(self._random.randint(500, 18_000), 2) + _VarintBytes(4) + b"abcd"
        return data

    def raw(self, message: Message) -> bytes:
        """Bytes that are hardly a message: random, cut off, flipped, nested without end, or far too many."""
        data = message.SerializeToString()
        ways = (self._noise, self._cut, _endless, _nested, self._unended, self._again, self._flipped)
        return bytes(self.choice(ways)(data))

    def _noise(self, _data: bytes) -> bytes:
        return self._random.randbytes(self._random.randint(1, 200))

    def _cut(self, data: bytes) -> bytes:
        return data[: self._random.randint(0, len(data))]

    def _unended(self, _data: bytes) -> bytes:
        return b"\x80" * self._random.randint(1, 30)

    def _again(self, data: bytes) -> bytes:
        return data * self._random.randint(2, 200)

    def _flipped(self, data: bytes) -> bytes:
        flipped = bytearray(data)
        for _ in range(self._random.randint(1, 8) if flipped else 0):
            flipped[self._random.randrange(len(flipped))] ^= 1 << self._random.randrange(8)
        return bytes(flipped)

    def _set(self, message: Message, field: Any, depth: int) -> None:
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            self._fill_map(getattr(message, field.name), field)
        elif field.is_repeated:
            holder = getattr(message, field.name)
            for _ in range(self.choice((0, 1, 1, 2, 3, 5, 300))):
                if field.message_type is None:
                    holder.append(self._scalar(field))
                elif depth:
                    holder.add().CopyFrom(self.made(field.message_type, depth - 1))
        elif field.message_type is not None:
            if depth:
                getattr(message, field.name).CopyFrom(self.made(field.message_type, depth - 1))
        else:
            setattr(message, field.name, self._scalar(field))

    def _fill_map(self, entries: Any, field: Any) -> None:
        key, value = field.message_type.fields_by_name["key"], field.message_type.fields_by_name["value"]
        for _ in range(self.choice((0, 1, 2, 5, 150))):
            entries[self._scalar(key)] = self._scalar(value)

    def _scalar(self, field: Any) -> Any:
        seen = self.pool.values(field.name)
        value = self.choice(seen) if seen and self.chance(0.6) else None
        if field.cpp_type in _INTEGERS:
            low, high = _INTEGERS[field.cpp_type]
            if type(value) is int:
                return min(max(value + self.choice((0, 0, 0, 1, -1)), low), high)
            return self._integer(low, high)
        if field.cpp_type == _F.CPPTYPE_ENUM:
            known = [value.number for value in field.enum_type.values]
            return self.choice(known) if self.chance(0.7) else self.choice((0, 99, -1, 2**31 - 1, -(2**31)))
        if field.type == _F.TYPE_BYTES:
            return value if isinstance(value, bytes) else self._random.randbytes(self._random.randint(0, 40))
        if field.cpp_type == _F.CPPTYPE_STRING:
            return value if isinstance(value, str) else self._text()
        return _OTHERS[field.cpp_type](self._random)

    def _text(self) -> str:
        return str(self.choice(_TEXTS)) if self.chance(0.6) else f"f{self._random.getrandbits(40):x}"

    def _integer(self, low: int, high: int) -> int:
        if self.chance(0.5):
            return self._random.randint(0, 12)
        return int(self.choice((low, high, 0, 1, max(low, -1), high // 2, self._random.randint(low, high))))


def _endless(data: bytes) -> bytes:
    return b"\x0a" + bytes(_VarintBytes(2**31 - 1)) + data


def _nested(data: bytes) -> bytes:
    for _ in range(200):
        data = b"\x0a" + bytes(_VarintBytes(len(data))) + data
    return data
