"""The ways in which cards can be written down, and how each is found in bytes and in texts.

One small number proves nothing: seats, chips and lengths are small numbers too. So what is looked for is five
cards together, in any order, which come about by chance once in hundreds of thousands of places (and such
places are few: see detector.py); a mask of five bits in a word; and in texts, where no card has any business,
every single card by its name.
"""

from __future__ import annotations

import base64
import binascii
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from servito_core.naming import RANK_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

Five = frozenset[int]

STRIDES: Final = (1, 2, 4, 8)
"""Packed; one by one behind a tag; as words of 32 and 64 bits."""
RANKS_EN: Final = tuple(RANK_NAMES[rank].one for rank in range(2, 15))
RANKS_IT: Final = tuple(RANK_NAMES[rank].one_it for rank in range(2, 15))
SUITS_EN: Final = ("spades", "clubs", "diamonds", "hearts")
SUITS_IT: Final = ("picche", "fiori", "quadri", "cuori")

_CARD: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:10|[2-9TJQKA])(?:[shdcSHDC](?![A-Za-z0-9])|\s?[♠♣♦♥])"
    rf"|\b(?i:{'|'.join(RANKS_EN)}|[2-9]|10) (?i:of (?:{'|'.join(SUITS_EN)}))"
    rf"|\b(?i:{'|'.join(RANKS_IT)}|[2-9]|10) (?i:di (?:{'|'.join(SUITS_IT)}))"
)
_ENGLISH: Final = re.compile(r"\bAs (?=[a-z])")
"""The word at the beginning of a sentence, and no ace."""
APART: Final = bytes([255] * 40)
"""Between two contents: no window reaches across."""
_NONE: Final = np.uint64(1 << 63)
_SHORT: Final = 64
"""Bytes of which each place is looked up, instead of each word that may be there looked for: ids in lines."""
_NUMBER: Final = re.compile(r"\d+")
_HEX: Final = re.compile(r"(?:[0-9a-fA-F]{2}){5,}")
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]{7,}={0,2}")


def card_names(text: str) -> list[str]:
    """The cards that a text names, `Ah`, `A♥`, "ace of hearts", "asso di cuori"."""
    return _CARD.findall(_ENGLISH.sub("", text))


def fives_in(content: bytes, hidden: Iterable[Five]) -> Iterator[Five]:
    """Sets of five cards whose numbers stand in `content`, in any order, one beside the other or at regular
    distances."""
    if len(content) < 5:
        return
    wanted = {_mask(five): five for five in hidden}
    numbers = np.frombuffer(content, dtype=np.uint8)
    bits = np.where(numbers < 52, np.left_shift(np.uint64(1), numbers % 64, dtype=np.uint64), _NONE)
    for stride in STRIDES:
        windows = len(bits) - 4 * stride
        if windows <= 0:
            continue
        together = bits[:windows].copy()
        for place in range(1, 5):
            together |= bits[place * stride : place * stride + windows]
        cards = together[together < _NONE]
        yield from (wanted[mask] for mask in wanted.keys() & set(cards.tolist()))


def fives_among(numbers: Sequence[int], hidden: Iterable[Five]) -> Iterator[Five]:
    """The same for numbers that stand one after the other in a list or a text."""
    yield from fives_in(bytes(number if 0 <= number < 52 else 255 for number in numbers), hidden)


def masks_in(content: bytes, hidden: Iterable[Five]) -> Iterator[Five]:
    """Sets of five cards that are bits of a word in `content`: 8 bytes either way round, or a varint."""
    if len(content) > _SHORT:
        yield from (five for five in hidden if any(word in content for word in _words_of(five)))
        return
    for size, words in _words_by_size(tuple(hidden)).items():
        for place in range(len(content) - size + 1):
            if (five := words.get(content[place : place + size])) is not None:
                yield five


@lru_cache(maxsize=4096)
def masks_of(five: Five) -> tuple[int, ...]:
    """As one bit for each card: by its number, by suits of thirteen ranks, by suits of sixteen bits."""
    return (
        _mask(five),
        sum(1 << 13 * (card % 4) + card // 4 for card in five),
        sum(1 << 16 * (card % 4) + card // 4 for card in five),
    )


def hidden_in_text(text: str, hidden: Iterable[Five]) -> Iterator[tuple[str, Five]]:
    """How five cards stand in a text: as numbers, as a mask, or in a run of hexadecimal or base64."""
    sets = tuple(hidden)
    numbers = [int(each) for each in _NUMBER.findall(text)]
    yield from (("numbers", five) for five in fives_among(numbers, sets))
    masks = _fives_by_mask(sets)
    words = {*numbers, *(int(each, 16) for each in re.findall(r"[0-9a-fA-F]{6,16}", text))}
    words |= {int(each, 2) for each in re.findall(r"[01]{16,64}", text)}
    yield from (("mask", masks[word]) for word in words & masks.keys())
    content = APART.join(encoded_in(text))
    yield from (("packed", five) for five in fives_in(content, sets))
    yield from (("mask", five) for five in masks_in(content, sets))


@lru_cache(maxsize=64)
def _fives_by_mask(hidden: tuple[Five, ...]) -> dict[int, Five]:
    return {mask: five for five in hidden for mask in masks_of(five)}


def encoded_in(text: str) -> Iterator[bytes]:
    """What the runs of hexadecimal and base64 in a text stand for."""
    for run in _HEX.findall(text):
        yield bytes.fromhex(run)
    for run in _BASE64.findall(text):
        bare = run.rstrip("=").replace("-", "+").replace("_", "/")
        try:
            yield base64.b64decode(bare + "=" * (-len(bare) % 4))
        except binascii.Error:
            continue  # so many letters are no base64


@lru_cache(maxsize=64)
def _words_by_size(hidden: tuple[Five, ...]) -> dict[int, dict[bytes, Five]]:
    found: dict[int, dict[bytes, Five]] = {}
    for five in hidden:
        for word in _words_of(five):
            found.setdefault(len(word), {})[word] = five
    return found


@lru_cache(maxsize=4096)
def _words_of(five: Five) -> tuple[bytes, ...]:
    return tuple(word for mask in masks_of(five) for word in _words(mask))


@lru_cache(maxsize=4096)
def _mask(five: Five) -> int:
    return sum(1 << card for card in five)


def _words(mask: int) -> Iterator[bytes]:
    yield mask.to_bytes(8, "little")
    yield mask.to_bytes(8, "big")
    varint = bytearray()
    while mask >= 0x80:
        varint.append(mask & 0x7F | 0x80)
        mask >>= 7
    varint.append(mask)
    if len(varint) >= 6:
        yield bytes(varint)
