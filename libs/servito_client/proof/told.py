"""What was told of the cards of a hand, in order: who was bound to what, and to whom which position came.

Read from the `record` of a proof file. Who gets which position of the deck follows from the order of the
seats and the numbers of cards that were drawn, which everybody is told; a refill may have passed over cards,
so of its positions it is only known that they were given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

FIRST_CARDS: Final = 5


class Wrong(Exception):  # noqa: N818 - it says what is the case
    """What does not fit: `word` names it, `detail` says where, in signs of no language."""

    def __init__(self, word: str, detail: str) -> None:
        super().__init__(f"{word}: {detail}")
        self.word = word
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Positions `first` .. `first + size - 1`, and the root that was told for them."""

    first: int
    size: int
    root: str


@dataclass(slots=True)
class Told:
    """See the module. Read-only once it is read."""

    hand: str
    seats: tuple[int, ...]
    own: int | None
    deck: Mapping[str, Any] = field(default_factory=dict)
    shuffles: list[Shuffle] = field(default_factory=list)
    given: dict[int, int] = field(default_factory=dict)
    """Each position of the deck that was given, with the seat that got it."""
    received: dict[int, str] = field(default_factory=dict)
    """The own seat's cards by position."""
    shown: set[tuple[int, str]] = field(default_factory=set)
    _undealt: list[int] = field(default_factory=list)
    _waiting: list[Shuffle] = field(default_factory=list)

    def bound(self, step: Mapping[str, Any]) -> None:
        """A deck, or a refill, was committed to."""
        first = sum(shuffle.size for shuffle in self.shuffles)
        if step["first"] != first or (step["step"] == "deck") is not (first == 0):
            raise Wrong("order", f"{step['step']} {step['first']} != {first}")
        if not first:
            self.deck = step
        self.shuffles.append(Shuffle(first, step["size"], step["root"]))
        self._waiting.append(self.shuffles[-1])

    def dealt(self, step: Mapping[str, Any]) -> None:
        """Five cards went to each seat, one at a time."""
        self._check_bound()
        places = {seat: list[int]() for seat in self.seats}
        for _ in range(FIRST_CARDS):
            for seat in self.seats:
                places[seat] += self._give(seat)
        due = [] if self.own is None else places.get(self.own, [])
        self._receive(step.get("received", []), due)

    def drawn(self, step: Mapping[str, Any]) -> None:
        """Cards went to one seat, from the stock or from what was shuffled for it."""
        self._check_bound()
        fresh = sum(shuffle.size for shuffle in self._waiting)
        if step.get("reshuffled", 0) != fresh:
            raise Wrong("count", f"reshuffled {step.get('reshuffled', 0)} != {fresh}")
        if step["seat"] not in self.seats:
            raise Wrong("format", f"{step['seat']}")
        due = [position for _ in range(step["count"]) for position in self._give(step["seat"])]
        self._receive(step.get("received", []), due if step["seat"] == self.own else [])

    def showed(self, step: Mapping[str, Any]) -> None:
        """A seat showed cards."""
        self.shown |= {(step["seat"], card) for card in step["cards"]}

    def _check_bound(self) -> None:
        if not self.shuffles:
            raise Wrong("order", "deck < cards")

    def _give(self, seat: int) -> list[int]:
        if not self._undealt:
            if not self._waiting:
                raise Wrong("count", "stock = 0")
            shuffle = self._waiting.pop(0)
            self._undealt = list(range(shuffle.first, shuffle.first + shuffle.size))
        position = self._undealt.pop(0)
        if position < self.shuffles[0].size:
            self.given[position] = seat
        return [position]

    def _receive(self, cards: list[tuple[int, str]], due: list[int]) -> None:
        if len(cards) != len(due):
            raise Wrong("count", f"{len(cards)} != {len(due)}")
        for (position, card), place in zip(cards, due, strict=True):
            if position != place and place in self.given:
                raise Wrong("order", f"{position} != {place}")
            self.received[position] = card


STEPS: Final[Mapping[str, Callable[[Told, Mapping[str, Any]], None]]] = {
    "deck": Told.bound,
    "refill": Told.bound,
    "dealt": Told.dealt,
    "drawn": Told.drawn,
    "shown": Told.showed,
}


def read(record: Mapping[str, Any]) -> Told:
    """What the record tells. Raises Wrong: order, count; KeyError and the like for what is no record."""
    told = Told(record["hand"], tuple(record["seats"]), record["own_seat"])
    for step in record["steps"]:
        STEPS[step["step"]](told, step)
    if not told.shuffles:
        raise Wrong("order", "deck")
    return told
