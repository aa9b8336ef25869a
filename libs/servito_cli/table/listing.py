"""`servito tables`: every table of a system, one line each."""

from __future__ import annotations

from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from servito_cli.console import output
from servito_cli.table.reaching import PATIENCE
from servito_cli.table.running import SPECTATOR, run
from servito_cli.texts import TEXTS, Language
from servito_cli.texts.form import TableTexts
from servito_client.client import Servito
from servito_client.messages import TableSummary

WIDE: Final = 1_000
"""Columns where the output is no terminal: nothing is broken into lines for a program that reads it."""


def run_tables(target: str | None, language: Language) -> int:
    """Lists them; the exit code."""
    return run(lambda found: _list(found, TEXTS[language].table), target, language)


async def _list(target: str, texts: TableTexts) -> int:
    async with Servito(target, player=SPECTATOR, policy=PATIENCE) as servito:
        tables = [table async for table in servito.list_tables()]
    console = output()
    if not console.is_terminal:
        console.width = WIDE
    console.print(drawn(tables, texts) if tables else texts.none)
    return 0


def drawn(tables: list[TableSummary], texts: TableTexts) -> Table:
    """The list; what players named is never read as markup."""
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(texts.columns):
        drawn.add_column(column, justify="right" if number > 2 else "left", overflow="fold")
    for table in tables:
        drawn.add_row(*(Text(cell) for cell in _cells(table)))
    return drawn


def _cells(table: TableSummary) -> tuple[str, ...]:
    config = table.config
    rules = ", ".join([config.preset, *(f"{key}={value}" for key, value in sorted(config.options.items()))])
    return (
        table.table_id,
        config.name,
        rules,
        f"{table.seated}/{config.seats}",
        f"{config.min_buy_in}..{config.max_buy_in}",
        f"{config.turn_ms / 1000:g} s",
        str(table.hands),
    )
