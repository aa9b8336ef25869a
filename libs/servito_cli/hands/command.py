"""The two commands: what is asked of the table, and what is printed."""

from __future__ import annotations

from typing import Final

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from servito_cli.console import UNUSABLE, card_text, output
from servito_cli.hands.ids import is_hand
from servito_cli.hands.transcript import ago, transcript
from servito_cli.table.listing import WIDE
from servito_cli.table.reaching import connect, find_table, who
from servito_cli.table.running import SPECTATOR, run
from servito_cli.texts import TEXTS, Language
from servito_cli.texts.form.hand import HandTexts
from servito_client.messages import HandSummary

LISTED: Final = 50
"""Hands; a table keeps hardly more."""


def run_list(table: str, player: str | None, target: str | None, language: Language) -> int:
    """Lists the recent hands of the table of this id or name; the exit code."""
    return run(lambda found: _list(found, table, player, TEXTS[language].hand), target, language)


def run_show(hand_id: str, player: str | None, target: str | None, language: Language) -> int:
    """Tells a hand as that player may see it, None: as everybody may; the exit code."""
    if not is_hand(hand_id, language):
        return UNUSABLE
    return run(lambda found: _show(found, hand_id, player, language), target, language)


async def _list(target: str, word: str, player: str | None, texts: HandTexts) -> int:
    async with connect(target, who(player, SPECTATOR)) as servito:
        table_id = await find_table(servito, word)
        hands = [hand async for hand in servito.list_hands(table_id, page_size=LISTED)]
    console = output()
    if not console.is_terminal:
        console.width = WIDE
    console.print(drawn(hands, texts) if hands else texts.none)
    return 0


async def _show(target: str, hand_id: str, player: str | None, language: Language) -> int:
    async with connect(target, who(player, SPECTATOR)) as servito:
        hand = await servito.hand(hand_id)
    console = output()
    for line in transcript(hand, TEXTS[language], card_text(console)):
        console.print(line, markup=False)
    return 0


def drawn(hands: list[HandSummary], texts: HandTexts) -> Table:
    """The list, the newest hand first; what players are called is never read as markup."""
    drawn = Table(box=SIMPLE_HEAD, pad_edge=False)
    for column in texts.columns:
        drawn.add_column(column, overflow="fold")
    for hand in hands:
        players = ", ".join(own.player for own in hand.players) or "..."
        end = texts.ends.get(hand.outcome, "") if hand.finished else texts.runs
        drawn.add_row(hand.hand_id, ago(hand.age_ms, texts.ago), Text(players), end)
    return drawn
