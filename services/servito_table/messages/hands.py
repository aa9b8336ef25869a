"""Past hands as one viewer is shown them: records and summaries, through the same gate as streams.

Every event passes `messages.views.event_view`, as it does on its way into a stream, for the seat that the
viewer was dealt in on in that very hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito.table.v1 import table_pb2 as pb
from servito_table.app.state import hand_id
from servito_table.messages.config import config_to_proto
from servito_table.messages.views import event_view
from servito_wire.hand import OUTCOME_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from servito_table.app.hands import PastHand
    from servito_table.app.state import TableConfig


def hand_record(
    hand: PastHand, config: TableConfig, table_id: str, viewer: str | None, now_ms: int
) -> pb.HandRecord:
    """The hand as `viewer` may see it; None: as a stranger does."""
    seat = hand.seat_of(viewer)
    record = pb.HandRecord(
        hand_id=hand_id(table_id, hand.number),
        number=hand.number,
        config=config_to_proto(config),
        players=_players(hand),
        outcome=OUTCOME_NUMBERS[hand.outcome],
        finished=hand.outcome is not None,
        complete=hand.started is not None,
        own_seat=seat,
        age_ms=max(0, now_ms - hand.began),
    )
    if hand.started is not None:
        record.button = hand.started.button
    for happened in hand.happened:
        seen = event_view(happened.event, seat, table_id)
        if seen is not None:
            ms = max(0, happened.at - hand.began)  # a clock that was set back by a failover
            record.events.add(ms=ms, version=happened.version, event=seen)
    return record


def hand_summary(hand: PastHand, table_id: str, now_ms: int) -> pb.HandSummary:
    """The hand in a line."""
    return pb.HandSummary(
        hand_id=hand_id(table_id, hand.number),
        number=hand.number,
        players=_players(hand),
        outcome=OUTCOME_NUMBERS[hand.outcome],
        age_ms=max(0, now_ms - hand.began),
        finished=hand.outcome is not None,
        complete=hand.started is not None,
    )


def _players(hand: PastHand) -> Iterable[pb.HandPlayer]:
    return [pb.HandPlayer(seat=seat, player=player) for seat, player in hand.players]
