"""The table's own events as messages: which module maps which, in one place for views and store.

Events of hands are `servito_wire`'s. A new kind of event gets its module, and its line here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, get_args

from servito_table.app.acting_events import ActingEvent, PreActionEvent
from servito_table.app.deal_events import CommittedEvent, EntropySet
from servito_table.app.events import ConsentEvent, CourseEvent, PlayerSat, PlayerStood, TableEvent
from servito_table.app.seat_events import SeatsEvent
from servito_table.messages.acting import (
    ACTING_FIELDS,
    acting_from_store,
    acting_to_proto,
    acting_to_store,
)
from servito_table.messages.consent import CONSENT_FIELDS, consent_from_proto, consent_to_proto
from servito_table.messages.course import COURSE_FIELDS, course_from_proto, course_to_proto
from servito_table.messages.deal import DEAL_FIELDS, deal_from_proto, deal_to_proto
from servito_table.messages.seating import sat_from_proto, sat_to_proto, stood_from_proto, stood_to_proto
from servito_table.messages.seats import SEATS_FIELDS, seats_from_proto, seats_to_proto

TO_PROTO: Final[dict[type, Callable[[Any], tuple[str, Any]]]] = {
    PlayerSat: lambda event: ("player_sat", sat_to_proto(event)),
    PlayerStood: lambda event: ("player_stood", stood_to_proto(event)),
    **dict.fromkeys(get_args(ActingEvent), acting_to_proto),
    **dict.fromkeys(get_args(ConsentEvent), consent_to_proto),
    **dict.fromkeys(get_args(CourseEvent), course_to_proto),
    **dict.fromkeys(get_args(SeatsEvent), seats_to_proto),
    **dict.fromkeys((*get_args(CommittedEvent), EntropySet), deal_to_proto),
}
"""By the class of an event: the name of its field in TableEvent, and its message."""
PRIVATE: Final = frozenset((*get_args(PreActionEvent), EntropySet))
"""Those that their own seat alone is told of."""
TO_STORE: Final[dict[type, Callable[[Any], tuple[str, Any]]]] = {
    **TO_PROTO,
    **dict.fromkeys(get_args(ActingEvent), acting_to_store),
}
"""Likewise for StoredEvent."""
FROM_STORE: Final[dict[str, Callable[[Any], TableEvent]]] = {
    "player_sat": sat_from_proto,
    "player_stood": stood_from_proto,
    **dict.fromkeys(ACTING_FIELDS, acting_from_store),
    **dict.fromkeys(CONSENT_FIELDS, consent_from_proto),
    **dict.fromkeys(COURSE_FIELDS, course_from_proto),
    **dict.fromkeys(SEATS_FIELDS.values(), seats_from_proto),
    **dict.fromkeys(DEAL_FIELDS, deal_from_proto),
}
"""By the name of its field in StoredEvent: how an event is read."""
