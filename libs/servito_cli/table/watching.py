"""`servito watch TABLE`: a table as its spectators see it, drawn live.

Where the output is no terminal, what happens is told line by line instead. Ctrl-C ends it; so does the number
of hands, where one is given, and a table that is closed: nothing happens there any more."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from rich.console import Console
from rich.live import Live
from rich.text import Text

from servito_cli.console import card_text, output
from servito_cli.table.cards import coloured
from servito_cli.table.log import Followed
from servito_cli.table.picture import Picture
from servito_cli.table.reaching import connect, find_table
from servito_cli.table.running import run
from servito_cli.table.seats import Style
from servito_cli.texts import TEXTS, Language
from servito_client.messages import TableStatus
from servito_client.updates import Told

TICK_SECONDS = 0.25
"""Between two pictures when nothing happens: the clock moves."""


def run_watch(table: str, target: str | None, language: Language, hands: int | None, player: str) -> int:
    """Watches as `player` until Ctrl-C, or until `hands` have ended; the exit code."""
    return run(lambda found: _watch(found, table, language, hands, player), target, language)


async def _watch(target: str, table: str, language: Language, hands: int | None, player: str) -> int:
    console = output()
    async with connect(target, player) as servito:
        told = servito.watch(await find_table(servito, table))
        followed = Followed(TEXTS[language].story, card_text(console))
        watch = _draw if console.is_terminal else _tell
        async for _ in watch(console, told, followed, language):
            if hands is not None and followed.hands >= hands:
                break
    return 0


async def _tell(
    console: Console, stream: AsyncIterator[Told], followed: Followed, language: Language
) -> AsyncIterator[None]:
    async for told in stream:
        for line in followed.take(told):
            console.print(Text(line))
        yield
        if _is_closed(followed):
            break
    _say_closed(console, followed, language)


async def _draw(
    console: Console, stream: AsyncIterator[Told], followed: Followed, language: Language
) -> AsyncIterator[None]:
    style = Style(TEXTS[language].table, card_text(console))
    with Live(Text(style.texts.connecting), console=console, screen=True, auto_refresh=False) as live:
        async for told in ticking(stream, TICK_SECONDS):
            if told is not None:
                followed.take(told)
            picture = Picture(followed.view, style, language, followed.seconds, followed.lines)
            live.update(picture if followed.view.table_id else Text(style.texts.connecting), refresh=True)
            yield
            if _is_closed(followed):
                break
    for line in followed.lines:
        console.print(coloured(line))
    _say_closed(console, followed, language)


def _is_closed(followed: Followed) -> bool:
    return followed.view.status == TableStatus.TABLE_STATUS_CLOSED


def _say_closed(console: Console, followed: Followed, language: Language) -> None:
    """Of a table that was closed before anybody watched; else its closing was told."""
    if _is_closed(followed) and not followed.lines:
        console.print(Text(TEXTS[language].story.closed))


async def ticking(stream: AsyncIterator[Told], seconds: float) -> AsyncIterator[Told | None]:
    """What the stream tells, and None whenever it told nothing for so long."""
    waiting: asyncio.Task[Told] | None = None
    try:
        while True:
            waiting = waiting or asyncio.ensure_future(anext(stream))
            done, _ = await asyncio.wait([waiting], timeout=seconds)
            if not done:
                yield None
                continue
            told, waiting = waiting, None
            try:
                yield told.result()
            except StopAsyncIteration:
                return
    finally:
        if waiting is not None:
            waiting.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await waiting
