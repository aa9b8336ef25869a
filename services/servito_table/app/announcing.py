"""Several that are told of the commits of this process, as one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from servito_table.app.commits import Known
    from servito_table.app.events import TableEvent
    from servito_table.app.ports import Announcer


class Announcers:
    """Implements `app.ports.Announcer`. Who needs what the others need comes later, by `also`."""

    def __init__(self, first: Announcer) -> None:
        self._all = [first]

    def also(self, announcer: Announcer) -> None:
        """Tell this one too."""
        self._all.append(announcer)

    def committed(self, known: Known, events: tuple[TableEvent, ...]) -> None:
        """See `app.ports.Announcer`."""
        for announcer in self._all:
            announcer.committed(known, events)
