"""The templates in the state server: implements `app.ports.Templates`. Changes with StoredTemplate.

All of them are in one hash: there are few, and whoever looks after them reads every one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from servito.table.v1 import store_pb2 as store
from servito_platform.redis import Script
from servito_table.adapters.answers import NoAnswer, answered
from servito_table.adapters.schema import check
from servito_table.app.refusals import OutcomeUnknown
from servito_table.app.templates import Template
from servito_table.messages.config import config_from_proto, config_to_proto

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_platform.keys import Keys
    from servito_platform.lane import Lane

_SCHEMA: Final = 1
_WRITE: Final = Script.of_package("servito_table.adapters", "template.lua")


class RedisTemplates:
    """See the module."""

    def __init__(self, lane: Lane, keys: Keys) -> None:
        self._lane = lane
        self._key = keys.templates()
        self._looker = keys.looker()

    async def all(self) -> Sequence[Template]:
        """See `app.ports.Templates`."""
        held: list[bytes] = await answered(self._lane.execute("HVALS", self._key))
        return sorted((_read(value) for value in held), key=lambda template: template.id)

    async def get(self, template_id: str) -> Template | None:
        """See `app.ports.Templates`."""
        held: bytes | None = await answered(self._lane.execute("HGET", self._key, template_id))
        return None if held is None else _read(held)

    async def put(self, template: Template) -> bool:
        """See `app.ports.Templates`."""
        return await self._write(template, _written(replace(template, version=template.version + 1)))

    async def remove(self, template: Template) -> bool:
        """See `app.ports.Templates`."""
        return await self._write(template, b"")

    async def look_for_all(self, ms: int) -> bool:
        """See `app.ports.Templates`."""
        command = ("SET", self._looker, "1", "NX", "PX", ms)
        return await answered(self._lane.execute(*command)) is not None

    async def _write(self, template: Template, value: bytes) -> bool:
        asked = self._lane.run(_WRITE, [self._key], (template.id, template.version, value))
        try:
            return bool(await answered(asked))
        except NoAnswer:
            raise OutcomeUnknown from None


def _written(template: Template) -> bytes:
    stored = store.StoredTemplate(
        schema=_SCHEMA,
        template_id=template.id,
        owner=template.owner,
        config=config_to_proto(template.config),
        open_tables=template.open_tables,
        revision=template.revision,
        seed=template.seed,
        numbers=template.numbers,
        last=template.last,
        deleted=template.deleted,
    )
    return b"%d\n" % template.version + stored.SerializeToString()


def _read(value: bytes) -> Template:
    number, _, blob = value.partition(b"\n")
    stored = store.StoredTemplate.FromString(blob)
    check("the template", stored.schema, _SCHEMA)
    return Template(
        stored.template_id,
        stored.owner,
        config_from_proto(stored.config),
        stored.open_tables,
        stored.seed,
        stored.revision,
        tuple(stored.numbers),
        stored.last,
        stored.deleted,
        int(number),
    )
