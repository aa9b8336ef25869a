"""What is counted of a commit that was made: for the monitor, from its events and its money.

Events of hands are many and are counted by their end alone; the table's own are few, and each kind is
counted.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, get_args

from servito_core.events import HandEnded
from servito_table.app.acting_events import ActingEvent
from servito_table.app.commits import Fence
from servito_table.app.deal_events import CommittedEvent, EntropySet
from servito_table.app.events import ConsentEvent, CourseEvent, PlayerSat, PlayerStood
from servito_table.app.seat_events import SeatsEvent

if TYPE_CHECKING:
    from servito_table.app.commits import Commit, Committed
    from servito_table.app.ports import Monitor

_KINDS: Final = (ActingEvent, ConsentEvent, CourseEvent, SeatsEvent, CommittedEvent)
_OWN: Final = (PlayerSat, PlayerStood, EntropySet, *map(get_args, _KINDS))


_DUE: Final = frozenset({Fence.EXPIRY, Fence.TURN})


def _word(kind: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


EVENTS: Final[dict[type, str]] = {
    kind: _word(kind) for kinds in _OWN for kind in (kinds if isinstance(kinds, tuple) else (kinds,))
}
"""The table's own events, and the words under which they are counted."""


def count(monitor: Monitor, commit: Commit, made: Committed) -> None:
    """Count a commit."""
    if commit.fence in _DUE and commit.before is not None:
        monitor.expired(made.now - commit.before.ends(commit.fenced))
    for event in commit.events:
        if type(event) is HandEnded:
            monitor.hand_ended(event.outcome)
        elif (word := EVENTS.get(type(event))) is not None:
            monitor.happened(word)
    for _, amount in commit.money:
        monitor.moved(amount)
