"""What a list of tables says of each, and which tables somebody wants to see.

Pure. A filter that is not set holds for every table; the ranges are given as (least, most), 0 for no limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from servito_table.app.status import Status

if TYPE_CHECKING:
    from servito_table.app.state import TableConfig

Range = tuple[int, int]


@dataclass(slots=True)
class Listed:
    """A table as a list shows it. `free` counts seats that can be had now, by whoever comes."""

    id: str
    config: TableConfig
    ante: int
    status: Status
    seated: int
    free: int
    hands: int
    waiting: int
    template: str = ""
    revision: int = 0
    """Of the template, when it made the table."""
    held: bool = False
    running: bool = False
    """A hand is played."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """All of it has to hold. Without a `status`: every table that is not closed."""

    preset: str = ""
    name: str = ""
    """A part of it, upper or lower case."""
    status: Status | None = None
    free_seat: bool = False
    template: str = ""
    ante: Range = (0, 0)
    buy_in: Range = (0, 0)
    """Some buy-in of the range is allowed at the table."""

    @property
    def everything(self) -> bool:
        """Whether every table of the index is wanted, so that a page is as long as it may be."""
        return self in (_ALL, _CLOSED)

    def matches(self, table: Listed) -> bool:
        """Whether the table is one of those."""
        return (
            (table.status is not Status.CLOSED if self.status is None else table.status is self.status)
            and (not self.preset or table.config.preset == self.preset)
            and (not self.template or table.template == self.template)
            and (not self.free_seat or has_free_seat(table))
            and self.name.casefold() in table.config.name.casefold()
            and _meet(self.ante, (table.ante, table.ante))
            and _meet(self.buy_in, (table.config.min_buy_in, table.config.max_buy_in))
        )


def has_free_seat(table: Listed) -> bool:
    """Whether somebody who comes now finds a seat."""
    return table.free > 0 and table.status in (Status.OPEN, Status.PAUSED)


def _meet(asked: Range, given: Range) -> bool:
    least, most = asked
    return least <= given[1] and (not most or given[0] <= most)


_ALL = Wanted()
_CLOSED = Wanted(status=Status.CLOSED)
