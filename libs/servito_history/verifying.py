"""Verifying a chain: every hash computed anew from the rows, and where it does not fit, why.

A row that does not fit is told apart by the rows around it: if the next one fits to its noted hash, the row
was changed; if it fits to the hash that the row should have, the hash was; if another row of the chain fits
in its place, the two were moved. Pure: rows come in the order of their places.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from servito_history.chain import BEGIN
from servito_history.findings import Chain, Finding, Kind

_SEARCHED: Final = 2_000
"""Rows behind one that does not fit, among which the right one is looked for."""


@dataclass(frozen=True, slots=True)
class Link:
    """A row as far as the chain is concerned."""

    seq: int
    hash: bytes
    digest: Callable[[bytes, int], bytes]
    """The hash that it would have behind another one, at a place."""


@dataclass(frozen=True, slots=True)
class End:
    """Where a chain ends according to `source`."""

    seq: int
    hash: bytes
    source: str


LinkT = TypeVar("LinkT", bound=Link)


@dataclass
class Walk(Generic[LinkT]):
    """One chain, walked once. `seen`: rows so far, `last`: the place of the last; `ends`: what was noted of
    places, by others.
    """

    table_id: str
    chain: Chain
    ends: Sequence[End] = ()
    seen: int = 0
    last: int = 0
    _before: bytes = BEGIN
    _moved: dict[int, bytes] = field(default_factory=dict)
    """Of a row that stands in another place: by the place where it belongs, its hash."""

    def findings(self, links: Iterable[LinkT]) -> Iterator[Finding]:
        """What does not fit, from the first row to the last."""
        noted = {end.seq: end for end in self.ends}
        for link, rest in _with_rest(links):
            self.seen += 1
            if link.seq > self.last + 1:
                yield self._found(Kind.MISSING, self.last + 1, link.seq - 1)
                self._before = link.hash  # what it should follow is not known
            else:
                yield from self._judge(link, rest)
            self.last = link.seq
            end = noted.get(link.seq)
            if end is not None and end.hash != self._before:
                yield self._found(Kind.HEAD_DIFFERS, link.seq, link.seq, source=end.source)
        for end in self.ends:
            if end.seq > self.last:
                yield self._found(Kind.CUT, self.last + 1, end.seq, source=end.source)

    def _judge(self, link: LinkT, rest: Callable[[], Sequence[LinkT]]) -> Iterator[Finding]:
        """One row behind the one that is there."""
        before, should = self._before, link.digest(self._before, link.seq)
        self._before = link.hash
        if link.hash == should:
            return
        if link.seq in self._moved:
            self._before = self._moved[link.seq]
            return
        following = rest()
        after = following[0] if following and following[0].seq == link.seq + 1 else None
        if after is not None and after.hash == after.digest(link.hash, after.seq):
            yield self._found(Kind.CHANGED, link.seq, link.seq)
        elif self._should(link.seq, should, after):
            self._before = should
            yield self._found(Kind.HASH_CHANGED, link.seq, link.seq)
        else:
            yield self._elsewhere(link, before, following)

    def _should(self, seq: int, should: bytes, after: LinkT | None) -> bool:
        """Whether it is known from elsewhere that the row at this place had this hash."""
        if after is None:
            return any((end.seq, end.hash) == (seq, should) for end in self.ends)
        return after.hash == after.digest(should, after.seq)

    def _elsewhere(self, link: LinkT, before: bytes, following: Sequence[LinkT]) -> Finding:
        for other in following:
            if other.hash == other.digest(before, link.seq):
                self._before = other.hash
                self._moved[other.seq] = link.hash
                return self._found(Kind.MOVED, link.seq, other.seq)
        return self._found(Kind.CHANGED, link.seq, link.seq)

    def _found(self, kind: Kind, first: int, last: int, **facts: int | str) -> Finding:
        return Finding(kind, self.table_id, self.chain, first, last, facts)


def _with_rest(links: Iterable[LinkT]) -> Iterator[tuple[LinkT, Callable[[], Sequence[LinkT]]]]:
    """Each with a way to look at those behind it, which are read on only for that."""
    ahead: list[LinkT] = []
    source = iter(links)

    def rest() -> Sequence[LinkT]:
        while len(ahead) < _SEARCHED and (link := next(source, None)) is not None:
            ahead.append(link)
        return ahead

    while True:
        link = ahead.pop(0) if ahead else next(source, None)
        if link is None:
            return
        yield link, rest
