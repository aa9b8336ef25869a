"""The same hand twice, with two hidden cards changed for each other: whoever may know neither receives the
same bytes, in the same messages of the same size, until one of them is shown.

What may differ although it tells nothing is named in `FREE`, with the reason; all else is compared, byte by
byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final
from unittest.mock import patch

from servito_dealer.app.source import Source
from tests.taint.audience import ANSWERS
from tests.taint.detector import Finding
from tests.taint.game import Game
from tests.taint.house import House
from tests.taint.logs import captured

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from servito_core.cards import Card
    from tests.taint.audience import Receipt, Viewer
    from tests.taint.truth import Hand

FREE: Final = {
    "DeckCommitted.root": "a hash over all positions, each with 32 bytes of salt that leave the dealer only "
    "for cards that their reader knows (`secret` of detector.py): without them a guess cannot be tried",
    "RefillCommitted.root": "the same for a refill",
    "CardOpening.path": "hashes of neighbouring positions, salted like those under the root",
}
"""Fields whose bytes depend on hidden cards. Their sizes are compared."""
NEVER: Final = 1 << 62
NOISE: Final = (
    "process_", "python_", "_seconds_bucket", "_seconds_sum",
)  # fmt: skip
"""Metrics that measure how long something took here, or what the process needs: they differ between two runs
without any change. So what a card does to time is not seen here."""


@dataclass(frozen=True)
class Swap:
    """A card that `player` was dealt in hand `number`, and one that nobody got to see in it."""

    number: int
    player: str
    one: int
    other: int


@dataclass
class Run:
    """What everybody received in a game, and what was logged and counted."""

    game: Game
    logs: list[str]
    pages: dict[str, str]
    spans: list[str]


@contextmanager
def swapped(swap: Swap | None) -> Iterator[None]:
    """The dealer lays the deck of that hand with the two cards in each other's place."""
    original = Source.order

    def order(source: Source, shuffle: int, cards: Iterable[Card]) -> tuple[Card, ...]:
        laid = original(source, shuffle, cards)
        if swap is None or shuffle or not source.opening.hand.endswith(f"-{swap.number}"):
            return laid
        turn = {swap.one: swap.other, swap.other: swap.one}
        return tuple(turn.get(card, card) for card in laid)  # type: ignore[misc]  # cards are ints

    with patch.object(Source, "order", order):
        yield


async def run(
    seed: str,
    players: int,
    options: dict[str, str],
    swap: Swap | None = None,
    *,
    laid: bool = False,
    hands: int = 2,
) -> Run:
    """Play one game of a hand or two, in which everybody asks after the cards of `swap`; `laid`: with these
    cards changed.
    """
    with captured() as logs, swapped(swap if laid else None):
        house = House(seed)
        game = Game(house, seed, players, options)
        if swap is not None:
            game.probes, game.quiet = (swap.one, swap.other), swap.player
        await game.open()
        for _ in range(hands):
            await game.play_hand()
        await game.close()
    return Run(game, list(logs), house.pages(), house.spans.lines())


def swap_for(first: Run, place: int) -> Swap | None:
    """A change of cards in the first hand of a run; None if every card of its deck was dealt."""
    hand = first.game.truth.hands[1]
    if not hand.undealt:
        return None
    seats = sorted(hand.players)
    seat = seats[place % len(seats)]
    given = hand.received[seat]
    return Swap(1, hand.players[seat], given[place % len(given)][0], hand.undealt[place % len(hand.undealt)])


def comparable(first: Run, second: Run, swap: Swap) -> bool:
    """Whether everybody could do the same: not where the card changed what its own player may do, or where
    the rules announce something about his cards."""
    hands = first.game.truth.hands[swap.number], second.game.truth.hands[swap.number]
    return first.game.offers == second.game.offers and not any(hand.judged for hand in hands)


def told_until(first: Run, second: Run, swap: Swap) -> int:
    """The version at which one of the cards is shown in either run; a great number if never."""
    since = [
        version
        for each in (first, second)
        for (_, card), version in each.game.truth.hands[swap.number].shown.items()
        if card in (swap.one, swap.other)
    ]
    return min(since, default=NEVER)


def differences(first: Run, second: Run, swap: Swap) -> Iterator[Finding]:
    """What tells the two runs apart to somebody who may not know."""
    until = told_until(first, second, swap)
    for one, other in zip(first.game.everybody, second.game.everybody, strict=True):
        if one.name != swap.player and _knows_the_same(one, first, second, swap):
            yield from _compared(one.name or "spectator", _before(one, until), _before(other, until))
    if until == NEVER:
        if first.logs != second.logs:
            yield Finding("differs", "operator", "logs")
        if first.spans != second.spans:
            yield Finding("differs", "operator", "spans")
        for name, page in first.pages.items():
            for line in sorted(set(_counted(page)) ^ set(_counted(second.pages[name]))):
                yield Finding("differs", "operator", f"{name}, once: {line}")


def _knows_the_same(viewer: Viewer, first: Run, second: Run, swap: Swap) -> bool:
    def own(hand: Hand) -> list[tuple[int, int]]:
        seat = hand.of(viewer.name)
        return [] if seat is None else hand.received[seat]

    return own(first.game.truth.hands[swap.number]) == own(second.game.truth.hands[swap.number])


def _before(viewer: Viewer, until: int) -> list[Receipt]:
    told = (receipt for receipt in viewer.receipts if receipt.version < until)
    return sorted(told, key=attrgetter("channel"))


def _compared(name: str, ones: Sequence[Receipt], others: Sequence[Receipt]) -> Iterator[Finding]:
    if len(ones) != len(others):
        yield Finding("differs", name, f"{len(ones)} messages are {len(others)}")
    for one, other in zip(ones, others, strict=False):
        place = f"{one.method} at version {one.version}"
        if (one.method, one.version, len(one.content)) != (other.method, other.version, len(other.content)):
            yield Finding("differs", name, f"size: {place}: {len(one.content)} is {len(other.content)}")
        elif one.content != other.content and _plain(one) != _plain(other):
            yield Finding("differs", name, f"bytes: {place}")


def _plain(receipt: Receipt) -> bytes:
    if receipt.refused:
        return receipt.content
    message = ANSWERS[receipt.method].FromString(receipt.content)
    _blank(message)
    plain: bytes = message.SerializeToString(deterministic=True)
    return plain


def _blank(message: Any) -> None:
    for field, value in message.ListFields():
        if f"{message.DESCRIPTOR.name}.{field.name}" in FREE:
            message.ClearField(field.name)
        elif field.message_type is not None and not field.message_type.GetOptions().map_entry:
            for part in value if field.is_repeated else (value,):
                _blank(part)


def _counted(page: str) -> list[str]:
    lines = (line for line in page.splitlines() if not line.startswith("#"))
    return [line for line in lines if not re.match("|".join(NOISE[:2]), line) and not _timed(line)]


def _timed(line: str) -> bool:
    return any(noise in line for noise in NOISE[2:])
