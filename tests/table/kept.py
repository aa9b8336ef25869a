"""Twins in memory of what the keeping of templates needs, and a process that keeps them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from servito_table.app.announcing import Announcers
from servito_table.app.keeping import Keeper
from servito_table.app.listing import Listed, Wanted
from servito_table.app.play import Play
from servito_table.app.state import TableState, deals_of
from servito_table.app.status import Status
from servito_table.app.templates import Template
from tests.table.room import Room
from tests.table.twins import Listener, MemoryStore, Tally


class MemoryTemplates:
    """`app.ports.Templates`; a hook lets a test interfere before a write."""

    def __init__(self) -> None:
        self.held: dict[str, Template] = {}
        self.before_write: Callable[[Template], None] = lambda _template: None
        self.looking = True

    async def all(self) -> Sequence[Template]:
        """See the port."""
        return [self.held[name] for name in sorted(self.held)]

    async def get(self, template_id: str) -> Template | None:
        """See the port."""
        return self.held.get(template_id)

    async def put(self, template: Template) -> bool:
        """See the port."""
        if not self._current(template):
            return False
        self.held[template.id] = replace(template, version=template.version + 1)
        return True

    async def remove(self, template: Template) -> bool:
        """See the port."""
        return self._current(template) and self.held.pop(template.id, None) is not None

    async def look_for_all(self, ms: int) -> bool:  # noqa: ARG002 - the port's
        """See the port."""
        return self.looking

    def _current(self, template: Template) -> bool:
        hook, self.before_write = self.before_write, lambda _template: None
        hook(template)
        held = self.held.get(template.id)
        return (held.version if held else 0) == template.version


class MemoryIndex:
    """`app.ports.Index` over the tables of a store in memory."""

    def __init__(self, store: MemoryStore) -> None:
        self._store = store

    async def page(self, after: str, size: int, wanted: Wanted) -> tuple[Sequence[Listed], str]:
        """See the port."""
        names = sorted(name for name in self._store.tables if name > after)
        tables = [listed(self._store.tables[name].state) for name in names]
        found = [table for table in tables if wanted.matches(table)]
        return found[:size], found[size - 1].id if len(found) > size else ""

    async def tables(self, ids: Sequence[str]) -> Sequence[Listed | None]:
        """See the port."""
        return [listed(known.state) if (known := self._store.tables.get(name)) else None for name in ids]

    async def forget_gone(self) -> int:
        """See the port; here there is nothing to forget."""
        return 0


def listed(state: TableState) -> Listed:
    """A table as lists show it."""
    held = sum(waiter.seat is not None for waiter in state.waiting)
    return Listed(
        state.id,
        state.config,
        state.rules.ante,
        state.status,
        len(state.seats),
        state.config.seats - len(state.seats) - held,
        deals_of(state),
        len(state.waiting),
        state.template,
        state.revision,
        state.held,
        state.running is not None,
    )


@dataclass
class House:
    """A process that keeps templates. `other()` is a second one on the same store."""

    room: Room = field(default_factory=Room)
    templates: MemoryTemplates = field(default_factory=MemoryTemplates)
    seconds: float = 0.0

    def __post_init__(self) -> None:
        room, told = self.room, Announcers(Listener())
        room.play = Play(room.store, room.evaluator, room.dealer, told, room.tally)
        self.keeper = Keeper(
            self.templates,
            MemoryIndex(room.store),
            room.store,
            room.play,
            room.tally,
            linger=30.0,
            seconds=lambda: self.seconds,
            seed=lambda: f"seed{len(self.templates.held)}",
        )
        told.also(self.keeper)

    def other(self) -> House:
        """Another process."""
        room = Room(
            store=self.room.store, evaluator=self.room.evaluator, dealer=self.room.dealer, tally=Tally()
        )
        return House(room, self.templates, self.seconds)

    def tables(self, template_id: str = "sala") -> list[TableState]:
        """Its tables that are not closed, in the order of their numbers."""
        states = [known.state for known in self.room.store.tables.values()]
        mine = [
            state for state in states if state.template == template_id and state.status is not Status.CLOSED
        ]
        return sorted(mine, key=lambda state: int(state.config.name.split()[-1]))

    def numbers(self, template_id: str = "sala") -> list[int]:
        """Their numbers."""
        return [int(state.config.name.split()[-1]) for state in self.tables(template_id)]

    async def linger(self, template_id: str = "sala") -> None:
        """Look, wait longer than what is superfluous may stay, and look again."""
        await self.keeper.look_after(template_id)
        self.seconds += 31
        await self.keeper.look_after(template_id)
