"""The calls of TableService about templates: from messages and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito.table.v1 import table_pb2 as pb
from servito_platform.keys import is_id
from servito_table.app.templates import OPEN_TABLES
from servito_table.messages.config import config_from_proto, config_to_proto
from servito_table.rpc.listing import place_of, size_of, token_of
from servito_table.rpc.reading import malformed, readable
from servito_table.rpc.refusing import creator_of_call

if TYPE_CHECKING:
    from servito_platform.grpc_handlers import Context
    from servito_table.app.keeping import Keeper
    from servito_table.app.ports import Templates
    from servito_table.app.templates import Template

_SEAL = b"templates"


class TemplateCalls:
    """A part of `TableServicer`, which sets `_keeper` and `_templates`."""

    only_operators_create = False
    """Whether players may create no tables and templates; set by whoever makes the servicer."""

    _keeper: Keeper
    _templates: Templates

    async def PutTemplate(
        self, request: pb.PutTemplateRequest | None, context: Context
    ) -> pb.PutTemplateResponse:
        """See the proto."""
        asked, owner = readable(request), creator_of_call(only_operators=self.only_operators_create)
        template_id = template_id_of(asked.template_id)
        if not asked.HasField("config"):
            raise malformed("config is missing")
        if asked.open_tables > OPEN_TABLES:
            raise malformed(f"open_tables must be 0 to {OPEN_TABLES}, not {asked.open_tables}")
        config = config_from_proto(asked.config)
        template = await self._keeper.put(template_id, owner, config, asked.open_tables)
        return pb.PutTemplateResponse(template=_view(template))

    async def DeleteTemplate(
        self, request: pb.DeleteTemplateRequest | None, context: Context
    ) -> pb.DeleteTemplateResponse:
        """See the proto."""
        asked, owner = readable(request), creator_of_call(only_operators=self.only_operators_create)
        await self._keeper.delete(template_id_of(asked.template_id), owner)
        return pb.DeleteTemplateResponse()

    async def ListTemplates(
        self, request: pb.ListTemplatesRequest | None, context: Context
    ) -> pb.ListTemplatesResponse:
        """See the proto."""
        asked = readable(request)
        size, after = size_of(asked.page_size), place_of(asked.page_token, _SEAL)
        behind = [own for own in await self._templates.all() if own.id > after and not own.deleted]
        last = behind[size - 1].id if len(behind) > size else ""
        views = [_view(template) for template in behind[:size]]
        return pb.ListTemplatesResponse(templates=views, next_page_token=token_of(last, _SEAL))


def template_id_of(template_id: str) -> str:
    """The id of a template."""
    if not is_id(template_id):
        raise malformed("template_id must be 1 to 64 letters, digits, '_', '.' or '-'")
    return template_id


def _view(template: Template) -> pb.TemplateView:
    return pb.TemplateView(
        template_id=template.id,
        owner=template.owner,
        config=config_to_proto(template.config),
        open_tables=template.open_tables,
        revision=template.revision,
        tables=len(template.numbers),
    )
