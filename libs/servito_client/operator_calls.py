"""The calls of whoever runs tables, one by one or by templates: a part of `client.Servito`."""

from __future__ import annotations

from collections.abc import AsyncIterator

from servito.table.v1 import table_pb2 as pb
from servito_client.connection import Connection
from servito_client.messages import MaintenanceChange, TableConfig, TemplateView


class OperatorCalls:
    """See `client.Servito`, which sets `_connection`; what each call is refused for is in table.proto."""

    _connection: Connection

    async def create_table(self, config: TableConfig) -> str:
        """The id of a new table. `INVALID_CONFIG` names every defect of `config`."""
        request = pb.CreateTableRequest(request_id=self._connection.new_id(), config=config)
        return (await self._connection.ask(self._connection.stub.CreateTable, request)).table_id

    async def pause_table(self, table_id: str) -> int:
        """No new hand begins until `resume_table`; the version in which that was noted. For the owner of the
        table only.
        """
        request = pb.PauseTableRequest(table_id=table_id, request_id=self._connection.new_id())
        return (await self._connection.ask(self._connection.stub.PauseTable, request)).version

    async def resume_table(self, table_id: str) -> int:
        """Hands begin again; the version in which that was noted. For the owner of the table only."""
        request = pb.ResumeTableRequest(table_id=table_id, request_id=self._connection.new_id())
        return (await self._connection.ask(self._connection.stub.ResumeTable, request)).version

    async def close_table(self, table_id: str) -> int:
        """Ends the table for good, at once or after the hand that runs, and cashes everybody out; the version
        in which that was noted. For the owner of the table only.
        """
        request = pb.CloseTableRequest(table_id=table_id, request_id=self._connection.new_id())
        return (await self._connection.ask(self._connection.stub.CloseTable, request)).version

    async def set_maintenance(self, *, on: bool, why: str = "") -> MaintenanceChange:
        """Lets no new hand begin at any table, or hands begin again; the change that holds now: this one, or
        the one of before if it was so already. For operators only. `why`: at most 200 characters.

        Tables follow within seconds: `list_tables` says which do, and where a hand still runs."""
        request = pb.SetMaintenanceRequest(on=on, why=why)
        return (await self._connection.ask(self._connection.stub.SetMaintenance, request)).now

    async def maintenance(self) -> tuple[bool, list[MaintenanceChange]]:
        """Whether it is on, and the latest changes, newest first. For operators only."""
        asked = pb.GetMaintenanceRequest()
        answer = await self._connection.ask(self._connection.stub.GetMaintenance, asked)
        return answer.on, list(answer.changes)

    async def put_template(self, template_id: str, config: TableConfig, open_tables: int) -> TemplateView:
        """Keeps so many tables of that kind open, in place of what was put before; the template as it is now.

        The tables come soon after: `list_tables(template_id=...)`."""
        request = pb.PutTemplateRequest(template_id=template_id, config=config, open_tables=open_tables)
        return (await self._connection.ask(self._connection.stub.PutTemplate, request)).template

    async def delete_template(self, template_id: str) -> None:
        """Keeps none of them open any more; its tables close when nobody sits there."""
        request = pb.DeleteTemplateRequest(template_id=template_id)
        await self._connection.ask(self._connection.stub.DeleteTemplate, request)

    async def list_templates(self, page_size: int = 100) -> AsyncIterator[TemplateView]:
        """Every template in the order of the ids, asked for in pages of 1..200 as the iteration goes on."""
        token = ""
        while True:
            request = pb.ListTemplatesRequest(page_size=page_size, page_token=token)
            page = await self._connection.ask(self._connection.stub.ListTemplates, request)
            for template in page.templates:
                yield template
            if not (token := page.next_page_token):
                return
