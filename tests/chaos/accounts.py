"""The books of a run, closed: from what all witnesses wrote down to its figures. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tests.chaos import checks
from tests.chaos.figures import Figures, Standstill, Struck, lateness, longest, standstills, unfair
from tests.chaos.watcher import chips_of

if TYPE_CHECKING:
    from servito_client.messages import TableView
    from servito_witness.chips import Chips
    from tests.chaos.cards import Cards
    from tests.chaos.history import Course
    from tests.chaos.ledger import Ledger
    from tests.chaos.run import Plan

_PATIENCE_MS: Final = 2_000
"""For so long after a fault a deadline may still be late because of it: a lease, and a new connection."""
_FAIR_MS: Final = 2_000
"""A turn that fell due in an outage is not ended sooner than this after it."""


@dataclass
class Accounts:
    """See the module. `losses`: when an answer may have come to what a failover lost. `played`: tables where
    people play; `ends`: until when, in server ms.
    """

    courses: Sequence[Course]
    ledger: Ledger
    cards: Cards
    faults: Sequence[Struck]
    outages: Sequence[tuple[int, int]]
    losses: Sequence[tuple[int, int]]
    played: Sequence[str]
    ends: int

    def figures(self, plan: Plan, views: Mapping[str, TableView], chips: Chips, seconds: float) -> Figures:
        """All that these books tell; what others know is added by the run."""
        played = [course for course in self.courses if course.table_id in views]
        left = {table_id: chips_of(view) for table_id, view in views.items()}
        acts = [each for each in self.ledger.asked.values() if each.method == "Act"]
        wrong = [
            f"table {table.table_id}: {table.in_play} chips in play, and {table.bought_in} bought in"
            for table in chips.wrong
        ]
        return Figures(
            seed=plan.seed,
            mode=plan.mode.value,
            seconds=round(seconds, 1),
            tables=len(self.courses),
            commits=sum(len(course.entries) for course in self.courses),
            hands=sum(self._hands(course) for course in self.courses),
            actions=sum(bool(each.accepted) for each in acts),
            requests=len(self.ledger.asked),
            sent=self.ledger.sent,
            repeated=self.ledger.repeated,
            rewinds=sum(course.rewinds for course in self.courses),
            commits_lost=sum(len(course.lost) for course in self.courses),
            faults={kind: still.times for kind, still in self._still(played).items() if still.times},
            standstills=self._still(played),
            longest=longest(played, self.faults, self.ends),
            lateness=lateness(self.courses, self.faults, _PATIENCE_MS),
            unanswered=dict(self.ledger.unanswered),
            refusals=dict(self.ledger.refusals),
            refused_copies=dict(self.ledger.refused_copies),
            chips=[
                *wrong,
                *checks.chips_told(played, self.ledger, left),
                *checks.money_gone(self.courses, self.ledger),
            ],
            doubled=[
                *checks.doubled(self.courses, self.ledger, self.losses),
                *checks.turns_out_of_order(self.courses),
            ],
            cards=self.cards.against(self.courses, self.losses),
            others=[
                *checks.early(self.courses),
                *checks.vanished(self.courses, self.ledger, self.losses),
                *unfair(self.courses, self.outages, _FAIR_MS),
                *(f"table {c.table_id}: {c.unread} commits were not read" for c in self.courses if c.unread),
            ],
        )

    def _still(self, played: Sequence[Course]) -> dict[str, Standstill]:
        return standstills(played, self.faults, self.ends)

    @staticmethod
    def _hands(course: Course) -> int:
        return sum(
            envelope.WhichOneof("event") == "hand_ended"
            for entry in course.entries
            for envelope in entry.commit.events
        )
