"""`servito play`: at a table of a running system, or at one of one's own."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from rich.live import Live
from rich.text import Text

from servito_cli.alongside import unless_failed
from servito_cli.console import FAILED, UNUSABLE, card_text, complain, output
from servito_cli.play.desk import Desk
from servito_cli.play.house import House, opened
from servito_cli.play.session import Session
from servito_cli.table.reaching import connect, find_table
from servito_cli.table.running import finished
from servito_cli.texts import TEXTS, Language
from servito_local.part import PartFailed


@dataclass(frozen=True, slots=True)
class Guest:
    """Who plays, and with how much."""

    player: str
    buy_in: int
    language: Language


def play_at(target: str, table: str, guest: Guest) -> int:
    """Plays at a table of a running system; the exit code."""

    async def work() -> int:
        return await _play(target, table, guest)

    return _with_a_terminal(guest) or finished(work(), guest.language, target)


def play_at_home(house: House, guest: Guest) -> int:
    """Opens a house and plays there; the exit code."""

    async def work() -> int:
        output().print(TEXTS[guest.language].play.starting)
        async with opened(house) as place:
            playing = _play(place.system.target("table"), place.table_id, guest)
            return await unless_failed(place.system, playing)

    try:
        return _with_a_terminal(guest) or finished(work(), guest.language)
    except PartFailed as failure:
        complain(str(failure))
        return FAILED


def _with_a_terminal(guest: Guest) -> int:
    if sys.stdin.isatty() and sys.stdout.isatty():
        return 0
    complain(TEXTS[guest.language].play.no_terminal)
    return UNUSABLE


async def _play(target: str, table: str, guest: Guest) -> int:
    console = output()
    async with connect(target, guest.player) as servito:
        table_id = await find_table(servito, table)
        desk = Desk(guest.player, guest.language, card_text(console))
        session = Session(servito, table_id, guest.buy_in, desk, guest.language)
        connecting = Text(TEXTS[guest.language].table.connecting)
        try:
            with Live(connecting, console=console, screen=True, auto_refresh=False) as live:
                closing = await session.run(live, sys.stdin.fileno())
            console.print(closing, markup=False)
        except OSError:
            if not session.terminal_gone:
                raise
            return FAILED  # and nobody to tell it to
    return 0
