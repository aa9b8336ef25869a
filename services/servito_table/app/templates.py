"""Templates: kinds of tables of which a number is kept open, and what follows from how their tables are.

Pure. A template lists the numbers of its tables, and the id of a table follows from the template's seed and
the number. A number is listed before its table is created and until it is known to be closed; so whoever
finds a listed table missing creates it, and no table is made twice or forgotten, whoever dies in between.
"""

from __future__ import annotations

from base64 import b32encode
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import TYPE_CHECKING, Final

from servito_table.app.config import NAME_LENGTH, checked
from servito_table.app.listing import has_free_seat
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.state import TableState
from servito_table.app.status import Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from servito_table.app.listing import Listed
    from servito_table.app.state import TableConfig

OPEN_TABLES: Final = 100
"""Most tables that a template may keep open."""
NUMBERED: Final = 10
"""Characters of a table's name that are kept for its number."""


@dataclass(frozen=True, slots=True)
class Template:
    """See StoredTemplate. `version` counts its writes, 0 for one that is not stored."""

    id: str
    owner: str
    config: TableConfig
    open_tables: int
    seed: str
    revision: int = 1
    numbers: tuple[int, ...] = ()
    last: int = 0
    deleted: bool = False
    version: int = 0

    def table_id(self, number: int) -> str:
        """24 letters and digits, as of other tables; no request can make the same."""
        digest = blake2b(f"{self.seed}\n{number}".encode(), digest_size=15, person=b"template").digest()
        return b32encode(digest).decode().lower()

    def table(self, number: int) -> TableState:
        """A new table of the kind. Refused: INVALID_CONFIG where this release does not know the rules."""
        config = replace(self.config, name=f"{self.config.name} {number}".strip())
        rules = checked(config)
        return TableState(
            self.table_id(number), self.owner, config, rules, template=self.id, revision=self.revision
        )


@dataclass(frozen=True, slots=True)
class Course:
    """What is to be done for a template: the numbers that it is to list, tables to create, empty tables to
    close, those of them at once that are not of the kind any more.
    """

    numbers: tuple[int, ...]
    last: int
    create: tuple[int, ...]
    outdated: tuple[int, ...]
    surplus: tuple[int, ...]


def course_for(template: Template, tables: Mapping[int, Listed | None]) -> Course:
    """What follows from how the listed tables are; None: not created yet. What its owner paused takes no new
    players and is left alone.
    """
    known = {number: table for number, table in tables.items() if table is not None}
    missing = [number for number in template.numbers if number not in known]
    kept = [n for n in template.numbers if n not in known or known[n].status is not Status.CLOSED]
    of_kind = [n for n in kept if n in known and _of_kind(template, known[n])]
    usable = [n for n in of_kind if known[n].status is Status.OPEN and has_free_seat(known[n])]
    empty = [n for n, table in known.items() if n in kept and _empty(table)]
    goal = 0 if template.deleted else template.open_tables
    more = range(template.last + 1, template.last + 1 + max(0, goal - len(usable) - len(missing)))
    spare = sorted((n for n in usable if n in empty), reverse=True)
    return Course(
        numbers=(*kept, *more),
        last=max(template.last, *more, 0),
        create=(*missing, *more),
        outdated=tuple(number for number in empty if number not in of_kind),
        surplus=tuple(spare[: max(0, len(usable) + len(missing) - goal)]),
    )


def named_config(config: TableConfig) -> TableConfig:
    """The configuration, if tables can be made by it. Refused: INVALID_CONFIG naming every defect."""
    checked(config)
    if len(config.name) > NAME_LENGTH - NUMBERED:
        raise TableRefused(
            TableReason.INVALID_CONFIG,
            f"name: at most {NAME_LENGTH - NUMBERED} characters, because a number is added to it",
        )
    return config


def _of_kind(template: Template, table: Listed) -> bool:
    return not template.deleted and table.revision == template.revision


def _empty(table: Listed) -> bool:
    return not table.seated and not table.waiting and table.status in (Status.OPEN, Status.PAUSED)
