"""One commit as it is told to those who watch: encoded once for all who see the same.

The bytes are those of a WatchResponse and of a PlayResponse alike: both have snapshot, updates, heartbeat and
goodbye under the same numbers. Messages one after the other are one message that has all of it, so that a
stream sends what waits for it by joining bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.table.v1 import table_pb2 as pb
from servito_core.events import CardsDrawn
from servito_table.app.deal_events import EntropySet
from servito_table.app.told import told_by
from servito_table.messages.views import OF_ONE_SEAT, SHARED, event_to_bytes, offer_to, remaining, table_view
from servito_wire.fields import Block, Values, record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito_table.app.commits import Known, Place
    from servito_table.app.events import TableEvent
    from servito_table.app.state import Seated
    from servito_table.app.told import Told

_UPDATE: Final = Block(pb.WatchResponse, "updates")
_EVENT: Final = Block(pb.TableUpdate, "events")
_OFFER: Final = Block(pb.TableUpdate, "offer")
_COURSE: Final = record(pb.TableUpdate, "version to_act turn_id lineage", {"turn_id": "turn"})
_REMAINING: Final = Values(pb.TableUpdate, "remaining_ms")
FRESH_MS: Final = 200
"""How long an encoded update may be sent to others: the time left in it was true when it was made."""


class Update:
    """What one commit told, and its forms as they are needed."""

    __slots__ = (
        "_bodies",
        "_concerned",
        "_deadline",
        "_encoded",
        "_known",
        "_seats",
        "pressing",
        "told",
        "version",
    )

    def __init__(self, told: Told, deadline: int, known: Known | None, seats: Iterable[Seated] = ()) -> None:
        """`known` is the table after it; without that, as for commits of the past, there are no offers, and
        `seats` are those that are as they were then as far as it is known.
        """
        self._seats = seats if known is None else known.state.seats
        self.told = told
        self.version = told.version
        self._deadline = deadline
        self._known = known
        self._concerned = _concerned(told.events)
        self.pressing = _pressing(told)
        self._bodies: dict[int | None, tuple[int, bytes]] = {}
        self._encoded: dict[int | None, tuple[int, bytes]] = {}

    @classmethod
    def of(cls, known: Known, events: tuple[TableEvent, ...]) -> Update:
        """The update of a commit that led to `known`."""
        told = told_by(known.version, known.state, events)
        told.lineage = known.lineage
        return cls(told, known.deadline, known)

    def tells(self, own: Seated) -> bool:
        """Whether it tells something to the player of that seat alone, dealt into its hand or not."""
        wanted = any(type(event) is EntropySet and event.seat == own.seat for event in self.told.events)
        return wanted and any((at.seat, at.player) == (own.seat, own.player) for at in self._seats)

    def message(self, seat: int | None, table_id: str, now_ms: int) -> bytes:
        """As the one sees it who was dealt in on `seat`, or is told there what is his alone; None: as all
        others.
        """
        viewer = seat if seat == self.told.to_act or self._concerns(seat) else None
        held = self._encoded.get(viewer)
        if held is not None and now_ms - held[0] < FRESH_MS:
            return held[1]
        message = _UPDATE(self._made(viewer, table_id, now_ms))
        self._encoded[viewer] = now_ms, message
        return message

    def _made(self, viewer: int | None, table_id: str, now_ms: int) -> bytes:
        """A TableUpdate: what others may be shown too, and behind it the offer."""
        shown = viewer if self._concerns(viewer) else None
        held = self._bodies.get(shown)
        if held is None or now_ms - held[0] >= FRESH_MS:
            held = self._bodies[shown] = now_ms, self._body(shown, table_id, now_ms)
        left = remaining(self._deadline, now_ms)
        offer = None if self._known is None else offer_to(self._known, viewer, left)
        return held[1] if offer is None else held[1] + _OFFER(offer)

    def _concerns(self, seat: int | None) -> bool:
        return self._concerned is None or seat in self._concerned

    def _body(self, viewer: int | None, table_id: str, now_ms: int) -> bytes:
        told = self.told
        events = [
            _EVENT(seen)
            for event in told.events
            if (seen := event_to_bytes(event, viewer, table_id)) is not None
        ]
        return b"".join((*events, _COURSE(told), _REMAINING[remaining(self._deadline, now_ms)]))


def _concerned(events: Iterable[TableEvent]) -> frozenset[int] | None:
    """Seats that are told something else than everybody; None: each may be."""
    seats = set()
    for event in events:
        if type(event) in OF_ONE_SEAT:
            seats.add(event.seat)  # type: ignore[union-attr]  # they have one
        elif type(event) not in SHARED:
            return None
    return frozenset(seats)


def _pressing(told: Told) -> frozenset[int]:
    """Seats to which this is more than news: the one to act, and those that get the cards of their draw."""
    drawn = {event.seat for event in told.events if isinstance(event, CardsDrawn)}
    return frozenset(drawn if told.to_act is None else drawn | {told.to_act})


def snapshot(known: Known, player: str | None, now_ms: int, *, rewound: bool = False) -> bytes:
    """The whole table in place of everything before it, some of which is lost if it was `rewound`."""
    view = table_view(known, player, now_ms)
    return pb.WatchResponse(snapshot=view, rewound=rewound).SerializeToString()


def heartbeat(version: int) -> bytes:
    """The stream lives; the viewer has everything up to `version`."""
    return pb.WatchResponse(heartbeat=pb.Heartbeat(version=version)).SerializeToString()


def warning(turn: int, remaining_ms: int) -> bytes:
    """The clock of the viewer's own turn runs out soon."""
    return pb.WatchResponse(warning=pb.Warning(turn_id=turn, remaining_ms=remaining_ms)).SerializeToString()


def goodbye(place: Place) -> bytes:
    """The stream ends here; go on after `place` elsewhere."""
    after = pb.Goodbye(after_version=place.version, after_lineage=place.lineage)
    return pb.WatchResponse(goodbye=after).SerializeToString()
