"""A table that somebody watches, and what a commit of the past tells of it. A part of `hub`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from servito_table.messages.update import Update

if TYPE_CHECKING:
    from servito_table.adapters.watcher import Watcher
    from servito_table.app.ports import Feed, Known
    from servito_table.app.told import Told


@dataclass(eq=False)
class Followed:
    """A table that somebody watches. `told`: everybody was given the commits up to this version."""

    table_id: str
    known: Known | None = None
    told: int = 0
    watchers: set[Watcher] = field(default_factory=set)
    catching_up: bool = False
    stirred: bool = False


async def updates_after(feed: Feed, known: Known, after: int | None) -> list[Update] | None:
    """The updates between version `after` and `known`; None where they cannot be told: the stream does not
    reach back so far, or the table does not have that version, or has it no longer.
    """
    if after is None or after >= known.version:
        return [] if after == known.version else None
    past = await feed.after(known.state.id, after)
    if not past or past[0][0].version != after + 1:
        return None
    return [update_of(told, deadline, known) for told, deadline in past if told.version <= known.version]


def update_of(told: Told, deadline: int, known: Known) -> Update:
    """The update of a commit from the stream; with offers if the table is still as it left it."""
    return Update(told, deadline, known.state if told.version == known.version else None)
