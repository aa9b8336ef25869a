"""What the state server says that the archive is held against: of one partition, in one moment.

Blocking; Redis errors. Changes with commit.lua of the table service, trim.lua and keys.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from servito_history.entries import Entry, Taken
from servito_history.rows import Commit, Payment
from servito_platform.clients import server_of

if TYPE_CHECKING:
    from servito_platform.clients import BlockingClient
    from servito_platform.keys import Keys

At = tuple[int, int]
"""Version and lineage of a commit."""
_MOST: Final = 2**63 - 1
"""The greatest number that the archive can hold; lineages come near it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """See the module. By the tables' ids."""

    tables: Mapping[str, At]
    """The last commit of each that is there; -1 for a version or lineage that is no number."""
    waiting: Mapping[str, Mapping[At, int]]
    """Commits on their way to the archive, each with the lineage of the version before."""
    payments: Mapping[str, list[Payment]]
    """Movements of money on their way."""
    carried: Mapping[str, int]
    """Chips of those that arrived."""

    def here(self, table_id: str) -> tuple[At | None, set[At]]:
        """The commit on which a table stands as far as none is on its way (version 0: all are; None: there
        is no such table), and those behind it.
        """
        behind = set[At]()
        waiting = self.waiting.get(table_id, {})
        if (at := self.tables.get(table_id)) is not None:
            while at in waiting and at not in behind:
                behind.add(at)
                at = (at[0] - 1, waiting[at])
        return at, behind


def standing(client: BlockingClient, keys: Keys, number: int, known: Iterable[str]) -> Standing:
    """Of a partition: tables that it lists, and those of `known`, if they are there."""
    server = server_of(client, keys.audit(number))
    listed = {
        name.decode()
        for index in (keys.tables(number), keys.closed(number))
        for name in cast("list[bytes]", server.zrange(index, 0, -1))
    }
    names = sorted(listed.union(known))
    with server.pipeline(transaction=True) as pipe:
        pipe.xrange(keys.audit(number))
        pipe.xrange(keys.journal(number))
        pipe.hgetall(keys.carried(number))
        for name in names:
            pipe.hmget(keys.table(name), ("v", "l"))
        audit, journal, carried, *told = pipe.execute()
    taken = Taken.read(number, _flat(audit), _flat(journal))
    waiting: dict[str, dict[At, int]] = {}
    for commit in (each.commit for each in taken.commits):
        waiting.setdefault(commit.table_id, {})[_at(commit)] = commit.parent
    payments: dict[str, list[Payment]] = {}
    for payment in (each.payment for each in taken.payments):
        payments.setdefault(payment.table_id, []).append(payment)
    return Standing(
        {
            name: (_number(version), _number(lineage or b"0"))
            for name, (version, lineage) in zip(names, told, strict=True)
            if version is not None
        },
        waiting,
        payments,
        {name.decode(): int(chips) for name, chips in carried.items()},
    )


def _at(commit: Commit) -> At:
    return commit.version, commit.lineage


def _flat(entries: Any) -> list[Entry]:
    return [(name, [part for pair in told.items() for part in pair]) for name, told in entries]


def _number(told: bytes) -> int:
    """-1 for what is none: somebody else wrote it, and there is no such commit."""
    number = int(told) if told.isdigit() and len(told) <= len(str(_MOST)) else -1
    return number if number <= _MOST else -1
