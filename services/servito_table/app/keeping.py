"""Keeps the tables of templates open: after commits that may call for it, and from time to time.

Any process may look after any template, several at once too. What a template lists is changed by whoever is
first, and only then tables are created and closed, each by one commit that another may have made already. A
process that dies leaves nothing behind that the next look does not find (`templates`).
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, get_args

import structlog

from servito_core.events import Event
from servito_table.app.commands import RetireTable
from servito_table.app.commits import Answer, Commit, Committed
from servito_table.app.events import TableEvent
from servito_table.app.refusals import NotDue, TableReason, TableRefused
from servito_table.app.templates import Template, course_for, named_config

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from servito_table.app.commits import Known
    from servito_table.app.play import Play
    from servito_table.app.ports import Index, Monitor, Store, Templates
    from servito_table.app.state import TableConfig
    from servito_table.app.templates import Course

LOOK_SECONDS: Final = 5.0
"""Between two looks at every template, of all processes together."""
GATHER_SECONDS: Final = 0.1
"""What calls for a look within so long is one look."""
REST: Final = 9
"""Times as long as a look took until the next one, LOOK_SECONDS at most: templates may have thousands of
tables. A look is slow, too, because the state server is away, and then nobody should wait for long after it.
"""
ATTEMPTS: Final = 20
"""How often a template is read again because somebody else wrote it in between."""

_OWN: Final = frozenset(get_args(TableEvent)) - frozenset(get_args(Event))
"""Events of tables, which may change whether somebody finds a seat there; those of hands do not."""

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class Keeper:
    """See the module. `seconds` is a clock that only moves on, `seed` draws what nobody can guess."""

    def __init__(
        self,
        templates: Templates,
        index: Index,
        store: Store,
        play: Play,
        monitor: Monitor,
        *,
        linger: float,
        seconds: Callable[[], float],
        seed: Callable[[], str],
    ) -> None:
        self._templates = templates
        self._index = index
        self._store = store
        self._play = play
        self._monitor = monitor
        self._linger = linger
        self._seconds = seconds
        self._seed = seed
        self._since: dict[str, float] = {}
        self._called: set[str] = set()
        self._call = asyncio.Event()

    async def put(self, template_id: str, owner: str, config: TableConfig, open_tables: int) -> Template:
        """Keep so many tables of that kind open from now on, even if the caller goes away meanwhile. Refused:
        NOT_PERMITTED, INVALID_CONFIG, CONTENDED.
        """
        config = named_config(config)
        return await self._play.tasks.finish(self._put(template_id, owner, config, open_tables))

    async def _put(self, template_id: str, owner: str, config: TableConfig, open_tables: int) -> Template:
        for _ in range(ATTEMPTS):
            held = await self._templates.get(template_id)
            if held is None:
                template = Template(template_id, owner, config, open_tables, self._seed())
            else:
                _check_owner(held, owner)
                revision = held.revision + (config != held.config)
                template = replace(
                    held, config=config, open_tables=open_tables, revision=revision, deleted=False
                )
            if template == held or await self._templates.put(template):
                self.call(template_id)
                return template
        raise _contended()

    async def delete(self, template_id: str, owner: str) -> None:
        """Keep none of them open any more; otherwise as `put`. Refused: UNKNOWN_TEMPLATE, NOT_PERMITTED,
        CONTENDED.
        """
        await self._play.tasks.finish(self._delete(template_id, owner))

    async def _delete(self, template_id: str, owner: str) -> None:
        for _ in range(ATTEMPTS):
            held = await self._templates.get(template_id)
            if held is None:
                raise TableRefused(TableReason.UNKNOWN_TEMPLATE, "there is no template of this id")
            _check_owner(held, owner)
            if held.deleted or await self._templates.put(replace(held, deleted=True)):
                self.call(template_id)
                return
        raise _contended()

    def committed(self, known: Known, events: tuple[TableEvent, ...]) -> None:
        """See `app.ports.Announcer`: a table of a template may have filled up, emptied or gone."""
        if known.state.template and not _OWN.isdisjoint(map(type, events)):
            self.call(known.state.template)

    def call(self, template_id: str) -> None:
        """Have a look at the template soon."""
        self._called.add(template_id)
        self._call.set()

    async def keep(self) -> None:
        """Look when it is called for, and from time to time, until cancelled."""
        spent = 0.0
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._call.wait()
            await asyncio.sleep(min(max(GATHER_SECONDS, spent * REST), LOOK_SECONDS))
            began = self._seconds()
            self._call.clear()
            called, self._called = self._called, set()
            for template_id in sorted(called.union(await self._due())):
                await self._looked_after(template_id)
            spent = self._seconds() - began

    async def look_after(self, template_id: str) -> None:
        """Do what follows for one template now. Raises TableRefused."""
        for _ in range(ATTEMPTS):
            template = await self._templates.get(template_id)
            if template is None:
                return
            ids = [template.table_id(number) for number in template.numbers]
            tables = dict(zip(template.numbers, await self._index.tables(ids), strict=True))
            course = course_for(template, tables)
            lingered = self._lingered(template, course)
            if template.deleted and not course.numbers and lingered:
                if await self._templates.remove(template):
                    self._since.pop(template_id, None)
                    return
                continue
            listed = replace(template, numbers=course.numbers, last=course.last)
            if listed != template and not await self._templates.put(listed):
                continue
            await self._carry_out(template, course, lingered=lingered)
            return
        raise _contended()

    async def _due(self) -> Sequence[str]:
        """Every template, where it is time and up to this process."""
        try:
            if await self._templates.look_for_all(round(LOOK_SECONDS * 1000)):
                return [template.id for template in await self._templates.all()]
        except TableRefused as refused:
            _log.warning("templates_not_read", why=refused.message)
        except Exception:  # noqa: BLE001 - the next look must take place, and that at called ones now
            _log.exception("templates_not_read")
        return ()

    async def _looked_after(self, template_id: str) -> None:
        try:
            await self.look_after(template_id)
        except TableRefused as refused:
            _log.warning("template_not_kept", template=template_id, why=refused.message)
        except Exception:  # noqa: BLE001 - one template at fault must not hold up the others
            _log.exception("template_failed", template=template_id)

    def _lingered(self, template: Template, course: Course) -> bool:
        """Whether there was something to be rid of, as there is now, for long enough."""
        if not course.surplus and not (template.deleted and not course.numbers):
            self._since.pop(template.id, None)
            return False
        return self._seconds() - self._since.setdefault(template.id, self._seconds()) >= self._linger

    async def _carry_out(self, template: Template, course: Course, *, lingered: bool) -> None:
        for number in course.create:
            commit = Commit(
                before=None, state=template.table(number), events=(), money=(), wait_ms=0, answer=Answer(1)
            )
            if isinstance(await self._store.commit(commit), Committed):
                self._monitor.kept("opened")
        for number in (*course.outdated, *(course.surplus if lingered else ())):
            table_id = template.table_id(number)
            await self._play.see(table_id)  # what this process remembers of it may be old
            with suppress(NotDue):  # somebody sat down meanwhile
                await self._play.run(table_id, RetireTable())
                self._monitor.kept("closed")


def _check_owner(held: Template, player: str) -> None:
    if held.owner != player:
        raise TableRefused(TableReason.NOT_PERMITTED, "the template belongs to somebody else")


def _contended() -> TableRefused:
    return TableRefused(TableReason.CONTENDED, "the template changed faster than this could be decided")
