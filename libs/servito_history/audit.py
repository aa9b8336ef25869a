"""Verifying an archive: both chains of one table or of all, against themselves and against noted ends.

The noted ends are those that the archive keeps itself (`history_heads`), and those that somebody wrote down
elsewhere; the state server's are in comparing.py.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import select, union

from servito_history import tables
from servito_history.chain import commit_hash, payment_hash
from servito_history.entries import hand_of
from servito_history.findings import Chain, Finding, Kind
from servito_history.reading import History
from servito_history.rows import Commit, Payment, unpack
from servito_history.verifying import End, Link, Walk

if TYPE_CHECKING:
    from sqlalchemy import Connection

HEAD: Final = "head"
NOTED: Final = "noted"
"""What an end was read from: the archive's own note, or somebody else's."""
_AT_ONCE: Final = 500
_TABLES: Final = {Chain.COMMITS: tables.commits, Chain.PAYMENTS: tables.payments}

Noted = Mapping[tuple[Chain, str], tuple[int, bytes]]
"""Of chains: the place of a row, and its hash."""


@dataclass
class Audit:
    """One run over an archive; counts what it saw. `noted`: ends that were written down elsewhere."""

    sql: Connection
    noted: Noted = field(default_factory=dict)
    tables: int = 0
    commits: int = 0
    payments: int = 0

    def findings(self, table_id: str | None = None) -> Iterator[Finding]:
        """Of one table or of all, table by table."""
        for name in self._names() if table_id is None else [table_id]:
            self.tables += 1
            of_commits = list(self._commits(name))
            yield from of_commits
            yield from self._payments(name)
            if not any(finding.broken for finding in of_commits):  # else what follows what is anybody's word
                yield from self._rewinds(name)

    def _names(self) -> list[str]:
        """Tables of which anything is there, or was noted."""
        asked = union(*(select(each.c.table_id) for each in (tables.commits, tables.payments, tables.heads)))
        return sorted({*self.sql.execute(asked).scalars(), *(name for _, name in self.noted)})

    def _commits(self, name: str) -> Iterator[Finding]:
        told: list[Finding] = []
        self.commits += yield from self._walk(Chain.COMMITS, name, self._links(name, told))
        yield from told

    def _links(self, name: str, told: list[Finding]) -> Iterator[Link]:
        """Of a chain of commits; what their content tells besides is added to `told`."""
        for row in self._rows(Chain.COMMITS, name):
            told += _contents(row)
            yield _commit_link(row)

    def _payments(self, name: str) -> Iterator[Finding]:
        links = map(_payment_link, self._rows(Chain.PAYMENTS, name))
        self.payments += yield from self._walk(Chain.PAYMENTS, name, links)

    def _walk(self, chain: Chain, name: str, links: Iterable[Link]) -> Generator[Finding, None, int]:
        """Walk one; how many rows it has."""
        ends = self._ends(chain, name)
        walk: Walk[Link] = Walk(name, chain, ends)
        yield from walk.findings(links)
        if walk.seen and not any(end.source == HEAD for end in ends):
            yield Finding(Kind.HEAD_DIFFERS, name, chain, walk.last, walk.last, {"source": HEAD})
        return walk.seen

    def _rewinds(self, name: str) -> Iterator[Finding]:
        column = tables.commits.c
        for first, last in History(self.sql).lost(name):
            asked = select(column.version).where(column.table_id == name, column.seq == last + 1)
            version = int(self.sql.execute(asked).scalar() or 0)
            yield Finding(Kind.REWOUND, name, Chain.COMMITS, first, last, {"version": version})

    def _ends(self, chain: Chain, name: str) -> Sequence[End]:
        head = tables.heads.c
        asked = select(head.seq, head.hash).where(head.chain == chain.value, head.table_id == name)
        ends = [End(row.seq, row.hash, HEAD) for row in self.sql.execute(asked) if row.seq]
        if (noted := self.noted.get((chain, name))) is not None:
            ends.append(End(*noted, NOTED))
        return ends

    def _rows(self, chain: Chain, name: str) -> Iterator[Any]:
        table, after = _TABLES[chain], 0
        while True:
            asked = select(table).where(table.c.table_id == name, table.c.seq > after)
            found = self.sql.execute(asked.order_by(table.c.seq).limit(_AT_ONCE)).all()
            yield from found
            if len(found) < _AT_ONCE:
                return
            after = found[-1].seq


def _commit_link(row: Any) -> Link:
    commit = Commit(
        row.table_id,
        row.version,
        row.lineage,
        row.parent,
        row.at,
        row.nth,
        row.hand,
        row.content,
        row.record,
    )
    return Link(row.seq, row.hash, lambda before, seq: commit_hash(before, seq, row.follows, commit))


def _payment_link(row: Any) -> Link:
    payment = Payment(row.table_id, row.version, row.lineage, row.at, row.nth, row.player, row.amount)
    return Link(row.seq, row.hash, lambda before, seq: payment_hash(before, seq, payment))


def _contents(row: Any) -> Iterator[Finding]:
    """What a commit tells of itself: whether what it was made on is there, and the dealer's record."""

    def found(kind: Kind, **facts: int) -> Finding:
        return Finding(kind, row.table_id, Chain.COMMITS, row.seq, row.seq, facts)

    if row.follows is None:
        yield found(Kind.BEGINS_LATE if row.seq == 1 else Kind.GAP, version=row.version)
    try:
        fields = unpack(row.content)
    except ValueError:
        yield found(Kind.UNREADABLE)
        return
    hand, ends = hand_of(fields.get("e", b""))
    if ends and row.record is None:
        yield found(Kind.NO_RECORD, hand=int(hand or 0))
