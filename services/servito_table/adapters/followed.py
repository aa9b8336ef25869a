"""A table that somebody watches, and what a commit of the past tells of it. A part of `hub`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from servito_table.app.commits import Place
from servito_table.app.events import PlayerSat
from servito_table.messages.update import Update

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_table.adapters.watcher import Watcher
    from servito_table.app.commits import Known
    from servito_table.app.ports import Feed
    from servito_table.app.told import Told


@dataclass(eq=False)
class Followed:
    """A table that somebody watches. `told`: everybody was given the commits up to this version."""

    table_id: str
    known: Known | None = None
    told: Place = field(default_factory=lambda: Place(0))
    watchers: set[Watcher] = field(default_factory=set)
    catching_up: bool = False
    stirred: bool = False


@dataclass(frozen=True)
class Past:
    """The commits behind a version, each with its deadline, up to the table as it is known.

    Without `commits` it cannot be told: the stream does not reach back so far, or the table has no such
    version, or has it no longer: it is `lost`.
    """

    commits: Sequence[tuple[Told, int]] | None
    lost: bool = False


async def past_of(feed: Feed, known: Known, after: Place) -> Past:
    """What there is to tell whoever was at `after`. Raises Unavailable."""
    if after.lost_by(known.place):
        return Past(None, lost=True)
    if after.version == known.version:
        return Past(())
    entries = await feed.after(known.state.id, after.version - 1)
    commits = [entry for entry in entries if after.version < entry[0].version <= known.version]
    lineages = {told.version: told.lineage for told, _ in entries}
    if after.differs(lineages.get(after.version, 0)) or known.place.differs(lineages.get(known.version, 0)):
        return Past(None, lost=True)  # the latter: the table lost what it was when it was looked at
    if after.lineage and after.version not in lineages:
        return Past(None)  # whether it was of this lineage nobody can say any more
    if not commits or commits[0][0].version != after.version + 1:
        return Past(None)
    return Past(commits)


def updates_of(past: Past, known: Known) -> list[Update] | None:
    """The updates of those commits; with offers for the one that left the table as it is."""
    if past.commits is None:
        return None
    updates: list[Update] = []
    same = known.state.seats
    for told, deadline in reversed(past.commits):
        updates.append(Update(told, deadline, known if told.version == known.version else None, same))
        taken = {event.seat for event in told.events if type(event) is PlayerSat}
        if taken:  # by then it was somebody else's, or nobody's
            same = tuple(own for own in same if own.seat not in taken)
    return updates[::-1]
