"""What is found in what somebody received: each finding says which kind of leak, to whom, and where.

Two ways that do not know of each other. By structure: every field that holds cards or positions is compared
with what its reader may know (truth.py), nothing has fields that the protocol does not know. By encoding: all
that is no such field, leaf by leaf, so that no number of one field runs together with another's, is searched
for whole hands (encodings.py), and the bytes as they came for masks, seeds and salts.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from prometheus_client.parser import text_string_to_metric_families

from servito.table.v1 import table_pb2 as pb
from tests.taint.audience import ANSWERS
from tests.taint.encodings import APART, card_names, encoded_in, fives_in, hidden_in_text, masks_in, masks_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from google.protobuf.message import Message

    from tests.taint.audience import Receipt, Viewer
    from tests.taint.encodings import Five
    from tests.taint.truth import Hand, Truth

CARDS: Final = frozenset({"cards", "discards", "card"})
POSITIONS: Final = frozenset({"positions", "position"})
MACHINE: Final = ("process_", "python_")
"""Metrics whose values the machine gives: 20000 open files are five bits too."""
TOKENS: Final = frozenset({"next_page_token"})
"""Texts that are base64 of a place and a check of it: what they stand for is searched; by their letters one
in a thousand would spell a card between two strokes.
"""
GAP: Final = APART
BREAK: Final = "\n99 99 99 99 99\n"
"""Between two leaves: no window reaches across."""
LOG_NUMBERS: Final = frozenset({"seconds", "pid", "closed_tables", "deadlines", "nodes", "asked", "late"})
"""Fields of log lines that are numbers and tell of no hand."""
DRAWN: Final = re.compile(r'"(trace|span)_id": "[0-9a-f]+"')
"""Fields of log lines that are drawn at random: in thousands of hands one spells a mask by chance."""
BOUNDS: Final = frozenset({"le", "quantile", "generation", "major", "minor", "patchlevel"})
"""Labels of metrics that are numbers and tell of no hand."""


@dataclass(frozen=True)
class Finding:
    """A leak. `kind`: card, position, unknown field, text, numbers, packed, mask, secret, label, log field,
    differs.
    """

    kind: str
    viewer: str
    where: str


def in_receipts(viewer: Viewer, receipts: Iterable[Receipt], truth: Truth) -> Iterator[Finding]:
    """What a viewer received and may not know."""
    name = viewer.name or "spectator"
    alike: dict[tuple[Five, ...], list[tuple[Receipt, Content]]] = {}
    for receipt in receipts:
        content = _content(receipt)
        for kind, field in _by_structure(content.message, receipt, viewer.name, truth):
            yield Finding(kind, name, f"{_place(receipt)}: {field}")
        alike.setdefault(tuple(_hidden(viewer.name, receipt.version, truth)), []).append((receipt, content))
    secrets = {secret for number in sorted(truth.hands)[-2:] for secret in truth.hands[number].secrets}
    for hidden, group in alike.items():
        if not _encoded(_all(content for _, content in group), hidden, secrets):
            continue
        for receipt, content in group:
            for kind in _encoded(content, hidden, secrets):
                yield Finding(kind, name, _place(receipt))


def in_logs(lines: Sequence[str], truth: Truth) -> Iterator[Finding]:
    """Cards in log lines, where nobody's are allowed: not even those that were shown."""
    hands = tuple(dict.fromkeys(five for hand in truth.hands.values() for _, five in hand.sets))
    told = [(line, _words(line), _numbers(line)) for line in lines]
    anything = BREAK.join(words for _, words, _ in told)
    searched = told if any(True for _ in _in_text(anything, hands)) else ()  # line by line only to say where
    for line, words, _ in searched:
        yield from (Finding(kind, "operator", f"log: {line}") for kind in set(_in_text(words, hands)))
    yield from (Finding("log field", "operator", f"log: {line}") for line, _, numbers in told if numbers)


def _words(line: str) -> str:
    """A line as it is written, and what its fields say: in the line itself a heart is \\u2665."""
    line = DRAWN.sub(r'"\1_id": ""', line)
    fields = json.loads(line).values() if line.startswith("{") else ()
    return BREAK.join([line, *map(str, fields)])


def _numbers(line: str) -> bool:
    """Whether a field of it is a number of which nobody knows what it is."""
    fields = json.loads(line).items() if line.startswith("{") else ()
    return any(
        isinstance(value, int) and not isinstance(value, bool) and key not in LOG_NUMBERS
        for key, value in fields
    )


def in_pages(pages: dict[str, str], truth: Truth) -> Iterator[Finding]:
    """Cards in metrics: in labels, which are words, in names, or in a value that is a mask."""
    hands = [five for hand in truth.hands.values() for _, five in hand.sets]
    masks = {mask for five in hands for mask in masks_of(five)}
    for service, page in pages.items():
        labels: set[tuple[str, str]] = set()
        for family in text_string_to_metric_families(page):
            for sample in family.samples:
                labels |= {(sample.name, text) for key, text in sample.labels.items() if key not in BOUNDS}
                if sample.value in masks and not sample.name.startswith(MACHINE):
                    yield Finding("mask", "operator", f"{service}: {sample.name}")
        for name, text in labels:
            if text.isdecimal():
                yield Finding("label", "operator", f"{service}: {name} {text}")
        words = BREAK.join(f"{name} {text}" for name, text in sorted(labels))
        yield from (Finding(kind, "operator", service) for kind in _in_text(words, hands))


@dataclass(frozen=True)
class Content:
    """A message taken apart: `opaque` bytes, `numbers` of lists, and `text`, each without cards and
    positions, which have been looked at by themselves; `raw` is all as it came."""

    message: Any
    opaque: bytes
    numbers: bytes
    text: str
    raw: bytes


def _content(receipt: Receipt) -> Content:
    if receipt.refused:
        return Content(None, receipt.content, b"", receipt.text, receipt.content)
    message = ANSWERS[receipt.method].FromString(receipt.content)
    leaves = [value for _, value in _leaves(message)]
    lists = (
        bytes(each if 0 <= each < 52 else 255 for each in value)
        for value in leaves
        if isinstance(value, list)
    )
    return Content(
        message,
        GAP.join(value for value in leaves if isinstance(value, bytes)),
        GAP.join(lists),
        BREAK.join(value for value in leaves if isinstance(value, str)),
        receipt.content,
    )


def _all(contents: Iterable[Content]) -> Content:
    every = list(contents)
    return Content(
        None,
        GAP.join(each.opaque for each in every),
        GAP.join(each.numbers for each in every),
        BREAK.join(each.text for each in every),
        GAP.join(each.raw for each in every),
    )


def _encoded(content: Content, hidden: Sequence[Five], secrets: set[bytes]) -> set[str]:
    """The kinds of encoding in which something hidden is in there."""
    found = set(_in_text(content.text, hidden))
    if any(True for _ in fives_in(content.opaque, hidden)):
        found.add("packed")
    if any(True for _ in fives_in(content.numbers, hidden)):
        found.add("numbers")
    if any(True for _ in masks_in(content.raw, hidden)):
        found.add("mask")
    if any(secret in content.raw for secret in secrets):
        found.add("secret")
    return found


def _in_text(text: str, hidden: Sequence[Five]) -> Iterator[str]:
    if text:
        if card_names(text):
            yield "text"
        yield from (kind for kind, _ in hidden_in_text(text, hidden))


def _place(receipt: Receipt) -> str:
    return f"{receipt.method} at version {receipt.version}"


def _hidden(name: str | None, version: int, truth: Truth) -> Iterator[Five]:
    """Of the hand that is played and the one before."""
    for number in sorted(truth.hands)[-2:]:
        yield from truth.hands[number].hidden(name, version)


def _by_structure(
    message: Message | None, receipt: Receipt, name: str | None, truth: Truth
) -> Iterator[tuple[str, str]]:
    if message is None:
        return
    for number, part in _sections(message, receipt, truth):
        yield from _in_section(part, truth.hands.get(number), name, receipt.version)
    size = message.ByteSize()
    message.DiscardUnknownFields()
    if message.ByteSize() != size:
        yield "unknown field", type(message).__name__


def _sections(message: Any, receipt: Receipt, truth: Truth) -> Iterator[tuple[int, Message]]:
    """The parts of a message by the hand whose cards they may hold; 0: of none."""
    if isinstance(message, pb.WatchResponse | pb.PlayResponse):
        if message.HasField("snapshot"):
            yield message.snapshot.hand.number, message.snapshot
        for update in message.updates:
            yield truth.hand_at[update.version], update
        if isinstance(message, pb.PlayResponse):
            yield from ((0, answer) for answer in message.answers)
    elif isinstance(message, pb.GetTableResponse):
        yield message.table.hand.number, message
    elif isinstance(message, pb.GetHandResponse | pb.GetProofsResponse):
        yield receipt.about, message
    else:
        yield 0, message


def _in_section(
    part: Message, hand: Hand | None, name: str | None, version: int
) -> Iterator[tuple[str, str]]:
    known = hand.known(name, version) if hand else set()
    cards, positions = {card for card, _ in known}, {position for _, position in known}
    for field, values in named(part, CARDS | POSITIONS):
        allowed = cards if field in CARDS else positions
        if not allowed.issuperset(values):
            yield "card" if field in CARDS else "position", field
    dealt_in = hand is not None and hand.of(name) is not None
    for field, values in named(part, {"may_open"}):
        if any(values) and not dealt_in:
            yield "card", field


def named(message: Message, names: Iterable[str]) -> Iterator[tuple[str, list[int]]]:
    """Fields of these names wherever they stand, with their numbers."""
    for field, value in message.ListFields():
        if field.name in names:
            yield field.name, [int(each) for each in value] if field.is_repeated else [int(value)]
        elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for inner in value if field.is_repeated else (value,):
                yield from named(inner, names)


def _leaves(message: Message) -> Iterator[tuple[str, Any]]:
    """Everything that holds more than one number and is no card or position: texts, bytes, lists."""
    for field, value in message.ListFields():
        if field.message_type is not None:
            if field.message_type.GetOptions().map_entry:
                yield field.name, " ".join(f"{key}={value[key]}" for key in sorted(value))
                continue
            for inner in value if field.is_repeated else (value,):
                yield from _leaves(inner)
        elif field.name in CARDS | POSITIONS:
            continue
        elif field.is_repeated and field.cpp_type != field.CPPTYPE_STRING:
            yield field.name, list(value)
        elif field.name in TOKENS:
            yield from ((field.name, content) for content in encoded_in(value))
        elif field.cpp_type == field.CPPTYPE_STRING:
            yield from ((field.name, each) for each in (value if field.is_repeated else (value,)))
