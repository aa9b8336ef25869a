"""What an archive holds, as values: rows of the two chains, and where each chain ends. Pure.

Fields and elements of an entry are kept as they were, whatever a release calls them, packed behind their
names: so a drainer of an older release loses nothing that a newer table service wrote.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

_SIZE: Final = 4


class Commit(NamedTuple):
    """An entry of the audit stream, to be archived."""

    table_id: str
    version: int
    lineage: int
    parent: int
    """Lineage of the version before."""
    at: int
    """When it was made, server ms; with `nth` the id of the entry."""
    nth: int
    hand: int | None
    """Number of the running or last hand; None where the events cannot be read."""
    content: bytes
    """Its other fields, packed."""
    record: bytes | None = None
    """The dealer's sealed elements, packed, where it ends a hand."""


class Payment(NamedTuple):
    """An entry of the money journal, to be archived."""

    table_id: str
    version: int
    lineage: int
    """0: written by a release that did not note it."""
    at: int
    nth: int
    player: str
    amount: int
    """Chips; positive: bought in, negative: cashed out."""


@dataclass(frozen=True, slots=True)
class Row:
    """An archived commit."""

    table_id: str
    seq: int
    """Place in its table's chain, from 1."""
    version: int
    lineage: int
    parent: int
    follows: int | None
    """Place of the row that it was made on; 0: it is the table's first; None: that one is not archived."""
    at: int
    nth: int
    hand: int | None
    fields: Mapping[str, bytes]
    """Of the stream's entry: `e` its events with private parts sealed, `s` that seal, and others."""
    record: tuple[bytes, ...]
    """The dealer's sealed elements; only with the end of a hand."""
    hash: bytes
    lost: bool
    """It is of a branch that the state server lost in a failover: the table went on from an earlier row."""


@dataclass(frozen=True, slots=True)
class Movement:
    """An archived movement of money."""

    table_id: str
    seq: int
    version: int
    lineage: int
    at: int
    nth: int
    player: str
    amount: int
    hash: bytes
    lost: bool
    """Its commit is of a branch that the state server lost: these chips did not move after all."""


@dataclass(frozen=True, slots=True)
class Head:
    """The last row of a chain."""

    table_id: str
    rows: int
    version: int
    lineage: int
    hash: bytes


def pack(parts: Iterable[tuple[str, bytes]]) -> bytes:
    """Names and values, each behind its length (4 bytes, the greatest first)."""
    packed = b""
    for name, value in parts:
        key = name.encode()
        packed += len(key).to_bytes(_SIZE, "big") + key + len(value).to_bytes(_SIZE, "big") + value
    return packed


def unpack(packed: bytes) -> dict[str, bytes]:
    """The same again. ValueError: nothing that `pack` made; SQLite gives a text where somebody put one."""
    if not isinstance(packed, bytes):
        raise ValueError("no bytes")
    texts = list(_texts(packed))
    if len(texts) % 2:
        raise ValueError("a name without a value")
    return {name.decode(): value for name, value in zip(texts[::2], texts[1::2], strict=True)}


def _texts(packed: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(packed):
        begin = at + _SIZE
        at = begin + int.from_bytes(packed[at:begin], "big")
        if begin > len(packed) or at > len(packed):
            raise ValueError("ends in the middle")
        yield packed[begin:at]
