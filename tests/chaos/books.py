"""Small books for the tests of the checkers: a table where two people play, as witnesses wrote it down."""

from __future__ import annotations

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from tests.chaos.history import Course, Entry
from tests.chaos.ledger import Ledger

TABLE = "t1"
DEADLINE_MS = 2_000


class Books:
    """Commits and requests, one after the other. `now` is the server's clock in ms."""

    def __init__(self) -> None:
        self.course = Course(TABLE)
        self.ledger = Ledger()
        self.now = 10_000

    def commit(self, *events: store.StoredEvent, turn: int, wait: int = DEADLINE_MS) -> int:
        """The next version, with these events; `turn` begins with it."""
        version = self.course.version + 1
        commit = store.StoredCommit(version=version, turn=turn, events=events)
        deadline = self.now + wait if wait else 0
        self.course.entries.append(Entry(version, commit, self.now, self.now, deadline))
        self.now += 100
        return version

    def sat(self, player: str, buy_in: int = 60, *, turn: int = 0) -> int:
        """Asked to sit, and did."""
        asked = pb.SitRequest(table_id=TABLE, request_id=f"sit-{player}", buy_in=buy_in)
        sent = self.ledger.send(player, TABLE, "Sit", asked, asked.request_id)
        version = self.commit(sitting(player, buy_in), turn=turn)
        self.ledger.accept(sent, pb.SitResponse(version=version), self.now)
        return version

    def acted(self, player: str, request_id: str, *, turn: int) -> int:
        """Checked on this turn, and was told the version."""
        asked = pb.ActRequest(
            request_id=request_id, turn_id=turn, action=pb.Action(kind=pb.ACTION_KIND_CHECK)
        )
        sent = self.ledger.send(player, TABLE, "Act", asked, request_id)
        version = self.commit(checking(0), turn=turn + 1)
        self.ledger.accept(sent, pb.ActResponse(version=version), self.now)
        return version


def sitting(player: str, buy_in: int) -> store.StoredEvent:
    """Somebody sat down."""
    return store.StoredEvent(player_sat=pb.PlayerSat(seat=0, player=player, buy_in=buy_in))


def checking(seat: int) -> store.StoredEvent:
    """A seat bet nothing."""
    return store.StoredEvent(seat_acted=pb.SeatActed(seat=seat, kind=pb.ACTION_KIND_CHECK))


def expired(seat: int) -> store.StoredEvent:
    """A seat's time ran out."""
    return store.StoredEvent(turn_expired=pb.TurnExpired(seat=seat))


def dealing(seat: int, *, cards: bytes, positions: bytes) -> store.StoredEvent:
    """A seat got its cards."""
    hand = store.StoredDealt(seat=seat, cards=cards, positions=positions)
    return store.StoredEvent(cards_dealt=store.StoredCardsDealt(hands=[hand]))
