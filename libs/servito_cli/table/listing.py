"""`servito tables`: every table of a system, one line each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from servito_cli.console import output
from servito_cli.rules_given import rules_given
from servito_cli.spans import span
from servito_cli.table.reaching import connect
from servito_cli.table.running import SPECTATOR, run
from servito_cli.texts import TEXTS, Language
from servito_cli.texts.form.table import TableTexts
from servito_client.listing import Filter
from servito_client.messages import TableConfig, TableStatus, TableSummary

WIDE: Final = 1_000
"""Columns where the output is no terminal: nothing is broken into lines for a program that reads it."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which tables somebody wants to see, as it was typed; None and a range without ends: any."""

    preset: str | None = None
    name: str | None = None
    status: str | None = None
    free: bool = False
    template: str | None = None
    ante: str = "0.."
    buy_in: str = "0.."

    def filter(self) -> Filter:
        """As the SDK asks for it; ValueError saying what cannot be read."""
        (least_ante, most_ante), (least_buy_in, most_buy_in) = span(self.ante), span(self.buy_in)
        if self.preset is not None:
            rules_given(self.preset, ())
        status = TableStatus.Value(f"TABLE_STATUS_{(self.status or 'unspecified').upper()}")
        return Filter(
            preset=self.preset or "",
            name_contains=self.name or "",
            status=status,
            with_free_seat=self.free,
            template_id=self.template or "",
            least_ante=least_ante,
            most_ante=most_ante,
            least_buy_in=least_buy_in,
            most_buy_in=most_buy_in,
        )


def run_tables(asked: Asked, target: str | None, language: Language) -> int:
    """Lists them; the exit code. ValueError for a range that cannot be read."""
    wanted = asked.filter()
    return run(lambda found: _list(found, wanted, TEXTS[language].table), target, language)


async def _list(target: str, wanted: Filter, texts: TableTexts) -> int:
    async with connect(target, SPECTATOR) as servito:
        tables = [table async for table in servito.list_tables(**wanted)]
    console = output()
    if not console.is_terminal:
        console.width = WIDE
    console.print(drawn(tables, texts) if tables else texts.none)
    return 0


def drawn(tables: list[TableSummary], texts: TableTexts) -> Table:
    """The list; what players named is never read as markup. Behind the seats stands how many wait for one."""
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(texts.columns):
        drawn.add_column(column, justify="right" if 2 < number < 7 else "left", overflow="fold")
    for table in tables:
        drawn.add_row(*(Text(cell) for cell in _cells(table, texts)))
    return drawn


def rules_of(config: TableConfig) -> str:
    """The rules of a table in a line."""
    return ", ".join([config.preset, *(f"{key}={value}" for key, value in sorted(config.options.items()))])


def _cells(table: TableSummary, texts: TableTexts) -> tuple[str, ...]:
    config, held = table.config, texts.maintenance if table.maintenance else ""
    return (
        table.table_id,
        config.name,
        rules_of(config),
        f"{table.seated}/{config.seats}" + (f" +{table.waiting}" if table.waiting else ""),
        f"{config.min_buy_in}..{config.max_buy_in}",
        f"{config.turn_ms / 1000:g} s",
        str(table.hands),
        ", ".join(said for said in (texts.statuses.get(table.status), held) if said),
    )
