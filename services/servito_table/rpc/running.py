"""The way of every call that asks a table for a change: who asks for what, and what the table answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeVar

from servito_table.rpc.reading import readable, table_id_of
from servito_table.rpc.refusing import player_of_call

if TYPE_CHECKING:
    from collections.abc import Callable

    from servito_table.app.commands import TableCommand
    from servito_table.app.commits import Answer, Request
    from servito_table.app.play import Play


class Asking(Protocol):
    """A request that names its table."""

    table_id: str


A = TypeVar("A", bound=Asking)


async def run(
    play: Play, request: A | None, read: Callable[[A, str], tuple[TableCommand, Request]]
) -> Answer:
    """Carry out what `read` finds that the caller asks for. Raises TableRefused."""
    asked, player = readable(request), player_of_call()
    return await play.run(table_id_of(asked.table_id), *read(asked, player))
