"""`servito templates list|put|delete`."""

from __future__ import annotations

from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from servito_cli.console import output
from servito_cli.operate.running import run
from servito_cli.table.listing import WIDE, rules_of
from servito_client.client import Servito
from servito_client.messages import TableConfig, TemplateView

COLUMNS: Final = ("template", "name", "rules", "owner", "seats", "buy-in", "open", "tables")


def run_list(target: str | None) -> int:
    """Lists them; the exit code."""

    async def show(servito: Servito) -> None:
        templates = [template async for template in servito.list_templates()]
        console = output()
        if not console.is_terminal:
            console.width = WIDE
        console.print(drawn(templates) if templates else "There is no template.")

    return run(show, target, None)


def run_put(
    template_id: str, config: TableConfig, open_tables: int, target: str | None, player: str | None
) -> int:
    """Keeps so many tables of the kind open; the exit code."""

    async def put(servito: Servito) -> None:
        now = await servito.put_template(template_id, config, open_tables)
        say = f"{now.template_id} keeps {now.open_tables} tables open (revision {now.revision})"
        output().print(say, markup=False)

    return run(put, target, player)


def run_delete(template_id: str, target: str | None, player: str | None) -> int:
    """Keeps none of them open any more; the exit code."""

    async def delete(servito: Servito) -> None:
        await servito.delete_template(template_id)
        output().print(f"{template_id} is deleted; its tables close when nobody sits there", markup=False)

    return run(delete, target, player)


def drawn(templates: list[TemplateView]) -> Table:
    """The list; what players named is never read as markup."""
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(COLUMNS):
        drawn.add_column(column, justify="right" if number > 3 else "left", overflow="fold")
    for template in templates:
        config = template.config
        cells = (
            template.template_id,
            config.name,
            rules_of(config),
            template.owner,
            str(config.seats),
            f"{config.min_buy_in}..{config.max_buy_in}",
            str(template.open_tables),
            str(template.tables),
        )
        drawn.add_row(*(Text(cell) for cell in cells))
    return drawn
