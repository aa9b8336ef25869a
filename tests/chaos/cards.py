"""Remembers every card as it was seen, and notices when it is another one later.

A position is a place in the order of a hand's cards, so a (hand, position) is one card for ever, whoever is
told of it, by whichever way and however often. Here: that memory, filled from messages as they arrive. Not
here: the order itself, which nobody but the dealer knows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from servito_client.messages import CardsDealt, CardsDrawn, Event, HandShown, HandStarted
from servito_platform.keys import table_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from servito_client.messages import HandRecord, TableView
    from tests.chaos.history import Course, Entry

_AFTER_MS: Final = 3_000
"""For so long after a failover hands begin that may have begun before it."""


@dataclass
class Place:
    """Where a player's stream stands: the hand that runs."""

    hand_id: str = ""


@dataclass
class Cards:
    """See the module."""

    seen: dict[tuple[str, int], int] = field(default_factory=dict)
    """(hand, position) -> card."""
    shown: defaultdict[tuple[str, int], set[tuple[int, ...]]] = field(
        default_factory=lambda: defaultdict(set)
    )
    """(hand, seat) -> each hand that was shown to everybody."""
    changed: list[tuple[str, str]] = field(default_factory=list)
    """Hand, and what changed."""

    def given(self, hand_id: str, cards: Iterable[int], positions: Iterable[int]) -> None:
        """Somebody was told of his cards and of where they lay."""
        if not hand_id:
            return
        for card, position in zip(cards, positions, strict=True):
            before = self.seen.setdefault((hand_id, position), card)
            if before != card:
                self.changed.append((hand_id, f"position {position} was {before} and is {card}"))

    def show(self, hand_id: str, seat: int, cards: Iterable[int]) -> None:
        """A seat's cards were shown. After a failover that lost its draw it may have drawn other positions,
        so each of these hands is judged by the commits.
        """
        self.shown[hand_id, seat].add(tuple(sorted(cards)))

    def against(self, courses: Sequence[Course], losses: Sequence[tuple[int, int]] = ()) -> list[str]:
        """What changed, and what players saw that the commits do not say, those included that were lost
        later: a card of another position, or of another seat. Not of hands whose very beginning was lost in
        one of `losses` (ms): those never were, and another hand has their number.
        """
        anew = begun_anew(courses, losses)
        places: dict[tuple[str, int], set[int]] = defaultdict(set)
        hands: dict[tuple[str, int], set[int]] = defaultdict(set)
        for hand_id, seat, cards, positions in _dealt(courses):
            hands[hand_id, seat].update(cards)
            for card, position in zip(cards, positions, strict=True):
                places[hand_id, position].add(card)
        found = [f"hand {hand_id}: {what}" for hand_id, what in self.changed if hand_id not in anew]
        found += [
            f"hand {hand_id}: position {position} is {sorted(cards)} in different commits"
            for (hand_id, position), cards in places.items()
            if len(cards) > 1 and hand_id not in anew
        ]
        found += [
            f"hand {hand_id}: position {position} was seen as {card}, and dealt as {sorted(dealt)}"
            for (hand_id, position), card in self.seen.items()
            if (dealt := places.get((hand_id, position))) and card not in dealt and hand_id not in anew
        ]
        # Of a table that was rewound some commits were lost before anybody could read them.
        whole = {course.table_id for course in courses if not course.rewinds}
        found += [
            f"hand {hand_id}: seat {seat} shows {sorted(set(cards) - own)}, which it was not dealt"
            for (hand_id, seat), shown in self.shown.items()
            for cards in shown
            if table_of(hand_id) in whole and (own := hands.get((hand_id, seat))) and set(cards) - own
        ]
        found += [
            f"hand {hand_id}: seat {seat} showed {sorted(shown)}"
            for (hand_id, seat), shown in self.shown.items()
            if len(shown) > 1 and table_of(hand_id) in whole
        ]
        return found

    def event(self, place: Place, event: Event) -> None:
        """What an event tells to whoever stands at `place`."""
        match event:
            case HandStarted():
                place.hand_id = event.hand_id
            case CardsDealt() | CardsDrawn() if event.cards:
                self.given(place.hand_id, event.cards, event.positions)
            case HandShown() if place.hand_id:
                self.show(place.hand_id, event.seat, event.cards)

    def view(self, view: TableView) -> Place:
        """What a whole table tells; where its reader stands."""
        place = Place(view.hand.hand_id)
        own = view.own_seat if view.HasField("own_seat") else None
        held = next((seat.cards for seat in view.hand.seats if seat.seat == own), ())
        positions = view.hand.own.positions
        if len(held) == len(positions):
            self.given(place.hand_id, held, positions)
        return place

    def record(self, hand: HandRecord) -> None:
        """What the record of a hand tells its reader."""
        place = Place(hand.hand_id)
        for told in hand.events:
            kind = told.event.WhichOneof("event")
            if kind is not None:
                self.event(place, getattr(told.event, kind))


def begun_anew(courses: Iterable[Course], losses: Sequence[tuple[int, int]]) -> set[str]:
    """Hands that began once more because their beginning was lost: it is among the lost commits, or, where
    nobody had read those, it came as the first after a failover.
    """
    found = set()
    for course in (each for each in courses if each.rewinds):
        begun = [(entry, entry in course.lost) for entry in (*course.lost, *course.entries) if _begins(entry)]
        for entry, lost in begun:
            if lost or any(begin <= entry.now <= end + _AFTER_MS for begin, end in losses):
                found.add(f"{course.table_id}-{entry.commit.hand}")
    return found


def _begins(entry: Entry) -> bool:
    return any(event.WhichOneof("event") == "hand_started" for event in entry.commit.events)


def _dealt(courses: Iterable[Course]) -> Iterator[tuple[str, int, bytes, bytes]]:
    """Hand, seat, cards and positions of everything that was dealt, as the commits have it."""
    for course in courses:
        for entry in (*course.entries, *course.lost):
            hand_id = f"{course.table_id}-{entry.commit.hand}"
            for envelope in entry.commit.events:
                match envelope.WhichOneof("event"):
                    case "cards_dealt":
                        for hand in envelope.cards_dealt.hands:
                            yield hand_id, hand.seat, hand.cards, hand.positions
                    case "cards_drawn":
                        drawn = envelope.cards_drawn
                        yield hand_id, drawn.seat, drawn.cards, drawn.positions
