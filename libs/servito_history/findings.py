"""What verifying finds, as data: what is broken, and what is worth knowing. The command has the words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Chain(StrEnum):
    """One of the two that each table has."""

    COMMITS = "commits"
    PAYMENTS = "payments"


class Kind(StrEnum):
    """What may be found at places `first` to `last` of a chain; behind each its further facts."""

    CHANGED = "changed"
    """A row says something else than when it was written."""
    HASH_CHANGED = "hash-changed"
    """Its hash was changed, and nothing else."""
    MOVED = "moved"
    """Two rows, first and last, changed places."""
    MISSING = "missing"
    """Rows are not there, and later ones are."""
    CUT = "cut"
    """Rows at the end are not there; what says that they were is `source`: head, heads file."""
    HEAD_DIFFERS = "head-differs"
    """The noted end is not that of the rows; `source` as above."""
    GAP = "gap"
    """A commit was made on one that never came here; version."""
    BEHIND_STATE = "behind-state"
    """The state server stands on a version that is neither here nor on its way; version, archived."""
    MONEY_DIFFERS = "money-differs"
    """Chips that came into play at a table less those that left: archived, carried (by the state server),
    difference.
    """
    PAYMENT_DIFFERS = "payment-differs"
    """A movement that is here and still in the state server says something else there; player, amount,
    state_player, state_amount.
    """
    UNREADABLE = "unreadable"
    """A row whose fields cannot be taken apart."""
    REWOUND = "rewound"
    """A failover lost commits that were here by then: the rows are of a branch that ended; version, with
    which the table went on. Not broken."""
    BEGINS_LATE = "begins-late"
    """The table was played before it had an archive; version. Not broken."""
    NO_RECORD = "no-record"
    """A hand ended, and what the dealer recorded of it was not there any more; hand. Not broken."""
    NOT_HERE = "not-here"
    """Nothing of a table of the state server was archived yet. Not broken."""


NOTES = frozenset({Kind.REWOUND, Kind.BEGINS_LATE, Kind.NO_RECORD, Kind.NOT_HERE})
"""What is worth knowing and nobody's fault."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was found."""

    kind: Kind
    table_id: str
    chain: Chain
    first: int
    last: int
    facts: Mapping[str, int | str] = field(default_factory=dict)

    @property
    def broken(self) -> bool:
        """Whether somebody has to answer for it."""
        return self.kind not in NOTES
