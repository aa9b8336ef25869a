"""Templates: put, deleted and listed."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from servito.table.v1 import table_pb2 as pb
from tests.contract.registry import Asked, refuses, succeeds
from tests.contract.stage import Stage
from tests.table.caller import CONFIG


def put(template_id: str, player: str, **changes: int) -> Asked:
    """A player wants tables of a kind."""
    request = pb.PutTemplateRequest(template_id=template_id, config=CONFIG, **changes)
    return Asked(request, player)


def delete(template_id: str, player: str) -> Asked:
    """A player wants them no longer."""
    return Asked(pb.DeleteTemplateRequest(template_id=template_id), player)


async def _template(stage: Stage) -> str:
    """A template of the owner's that keeps no table; its id."""
    template_id = stage.name()
    await stage.table.stub.PutTemplate(
        pb.PutTemplateRequest(template_id=template_id, config=CONFIG), metadata=stage.table.metadata
    )
    return template_id


@asynccontextmanager
async def _stored(stage: Stage, template_id: str, before: bytes, after: bytes) -> AsyncIterator[None]:
    """Something else in place of the head of what is stored."""
    key = stage.keys.templates()
    held: bytes = await stage.state.hget(key, template_id)
    assert held.startswith(before)
    await stage.state.hset(key, template_id, after + held.removeprefix(before))
    try:
        yield
    finally:
        await stage.state.hdel(key, template_id)


@asynccontextmanager
async def _unwritable(stage: Stage) -> AsyncIterator[None]:
    """The state server answers whoever reads, and lets whoever writes wait."""
    await stage.state.client_pause(60_000, all=False)
    try:
        yield
    finally:
        await stage.state.client_unpause()


@succeeds("PutTemplate")
async def a_new_template(stage: Stage) -> Asked:
    """One table of the usual configuration."""
    return put(stage.name(), stage.table.name, open_tables=1)


@succeeds("DeleteTemplate")
async def a_template_less(stage: Stage) -> Asked:
    """It keeps no table."""
    return delete(await _template(stage), stage.table.name)


@succeeds("ListTemplates")
async def the_first_page(stage: Stage) -> Asked:
    """There is one at least."""
    await _template(stage)
    return Asked(pb.ListTemplatesRequest(), None)


@refuses("PutTemplate", "MALFORMED")
async def too_many_tables(stage: Stage) -> Asked:
    """A hundred is the most."""
    return put(stage.name(), stage.table.name, open_tables=101)


@refuses("PutTemplate", "MALFORMED")
async def no_configuration(stage: Stage) -> Asked:
    """Tables of no kind."""
    return Asked(pb.PutTemplateRequest(template_id=stage.name()), stage.table.name)


@refuses("PutTemplate", "MALFORMED")
async def an_id_that_is_none(stage: Stage) -> Asked:
    """With a blank."""
    return put("a b", stage.table.name)


@refuses("DeleteTemplate", "MALFORMED")
async def no_id(stage: Stage) -> Asked:
    """An empty one."""
    return delete("", stage.table.name)


@refuses("ListTemplates", "MALFORMED")
async def a_page_too_long(stage: Stage) -> Asked:
    """Two hundred are the most."""
    return Asked(pb.ListTemplatesRequest(page_size=201), None)


@refuses("ListTemplates", "MALFORMED")
async def a_token_of_another_list(stage: Stage) -> Asked:
    """Of one that nobody gave."""
    return Asked(pb.ListTemplatesRequest(page_token="AAAA"), None)


@refuses("PutTemplate", "UNAUTHENTICATED")
async def a_template_of_nobody(stage: Stage) -> Asked:
    """No token."""
    return Asked(put(stage.name(), "").request, None)


@refuses("DeleteTemplate", "UNAUTHENTICATED")
async def deleted_by_nobody(stage: Stage) -> Asked:
    """No token."""
    return Asked(delete(await _template(stage), "").request, None)


@refuses("PutTemplate", "NOT_PERMITTED")
async def a_template_of_another(stage: Stage) -> Asked:
    """Whoever put it first owns it."""
    return put(await _template(stage), stage.name())


@refuses("DeleteTemplate", "NOT_PERMITTED")
async def deleting_that_of_another(stage: Stage) -> Asked:
    """Whoever put it first owns it."""
    return delete(await _template(stage), stage.name())


@refuses("PutTemplate", "INVALID_CONFIG")
async def a_kind_that_cannot_be_played(stage: Stage) -> Asked:
    """Every table of it would be refused."""
    request = pb.PutTemplateRequest(template_id=stage.name(), config=pb.TableConfig(preset="texas"))
    return Asked(request, stage.table.name)


@refuses("DeleteTemplate", "UNKNOWN_TEMPLATE")
async def a_template_that_never_was(stage: Stage) -> Asked:
    """Nobody put it."""
    return delete(stage.name(), stage.table.name)


@refuses("PutTemplate", "CONTENDED", alone=True)
async def others_always_put_it_first(stage: Stage) -> Asked:
    """The number of the write is stored in a form that no writer produces and every reader understands."""
    template_id = await _template(stage)
    asked = put(template_id, stage.table.name, open_tables=1)
    return Asked(asked.request, asked.player, damage=_stored(stage, template_id, b"1\n", b"01\n"))


@refuses("DeleteTemplate", "CONTENDED", alone=True)
async def others_always_write_it_first(stage: Stage) -> Asked:
    """As above."""
    template_id = await _template(stage)
    asked = delete(template_id, stage.table.name)
    return Asked(asked.request, asked.player, damage=_stored(stage, template_id, b"1\n", b"01\n"))


@refuses("PutTemplate", "OUTCOME_UNKNOWN", alone=True)
async def a_write_that_is_not_answered(stage: Stage) -> Asked:
    """It is read, and written nobody knows when."""
    asked = put(stage.name(), stage.table.name)
    return Asked(asked.request, asked.player, damage=_unwritable(stage), hasty=True)


@refuses("DeleteTemplate", "OUTCOME_UNKNOWN", alone=True)
async def a_deletion_that_is_not_answered(stage: Stage) -> Asked:
    """As above."""
    asked = delete(await _template(stage), stage.table.name)
    return Asked(asked.request, asked.player, damage=_unwritable(stage), hasty=True)


@refuses("PutTemplate", "INTERNAL", alone=True)
async def a_template_that_became_unreadable(stage: Stage) -> Asked:
    """What is stored is no template."""
    template_id = await _template(stage)
    asked = put(template_id, stage.table.name)
    return Asked(asked.request, asked.player, damage=_stored(stage, template_id, b"1\n", b"1\n\xff\xff"))


@refuses("DeleteTemplate", "INTERNAL", alone=True)
async def deleting_what_became_unreadable(stage: Stage) -> Asked:
    """As above."""
    template_id = await _template(stage)
    asked = delete(template_id, stage.table.name)
    return Asked(asked.request, asked.player, damage=_stored(stage, template_id, b"1\n", b"1\n\xff\xff"))


@refuses("ListTemplates", "INTERNAL", alone=True)
async def a_page_with_an_unreadable_template(stage: Stage) -> Asked:
    """One of all is damaged."""
    template_id = await _template(stage)
    damage = _stored(stage, template_id, b"1\n", b"1\n\xff\xff")
    return Asked(pb.ListTemplatesRequest(), None, damage=damage)
