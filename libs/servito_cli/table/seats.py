"""One seat of a drawn table: name, chips, cards, and what it did in this hand.

Here: what a seat shows in its box, and the same in one line for narrow terminals. Not here: where it stands
(places.py)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rich.console import RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from servito_cli.table.cards import backs, cards
from servito_cli.texts.form.table import TableTexts
from servito_cli.words import CardText, suit_signs
from servito_client.messages import HandSeatView, SeatView, TableView, hand_runs

WIDTH: Final = 20
"""Of a box, in columns: five cards with blanks, and the frame."""


@dataclass(frozen=True, slots=True)
class Style:
    """How a table is drawn: in which language, with which signs for cards."""

    texts: TableTexts
    card_text: CardText


class Seat:
    """A seat of `table`, taken or free."""

    def __init__(self, table: TableView, number: int, style: Style) -> None:
        self._table, self._number, self._style = table, number, style
        self._taken = next((seat for seat in table.seats if seat.seat == number), None)
        self._dealt = next((seat for seat in table.hand.seats if seat.seat == number), None)

    def box(self, seconds: int | None) -> RenderableType:
        """The seat as a box; `seconds` are what is left to it, if it is to act."""
        if self._taken is None:
            return Panel(Text(f"\n{self._style.texts.free}\n", justify="center"), width=WIDTH, style="dim")
        inside = Table.grid(expand=True)
        inside.add_column(no_wrap=True, overflow="ellipsis")
        inside.add_column(no_wrap=True, justify="right")
        inside.add_row(self._stack(self._taken), self._bet())
        rows = Table.grid(expand=True)
        rows.add_column(no_wrap=True, overflow="ellipsis")
        rows.add_row(inside)
        rows.add_row(self._cards())
        rows.add_row(self._state(seconds))
        return Panel(
            rows,
            title=self._name(self._taken),
            width=WIDTH,
            style="dim" if self._dealt is not None and self._dealt.folded else "",
            border_style="bold yellow" if seconds is not None else "",
        )

    def line(self, seconds: int | None) -> Text:
        """The seat in a line."""
        if self._taken is None:
            return Text(f"{self._number}  {self._style.texts.free}", style="dim")
        parts = [
            self._name(self._taken),
            self._stack(self._taken),
            self._bet(),
            self._cards(),
            self._state(seconds),
        ]
        return Text("  ").join(part for part in parts if part)

    def _name(self, taken: SeatView) -> Text:
        hand, texts = self._table.hand, self._style.texts
        own = self._table.HasField("own_seat") and self._table.own_seat == self._number
        name = Text(taken.player[: WIDTH - 10] + (texts.you if own else ""), style="bold" if own else "")
        if hand.hand_id and hand.button == self._number:
            name.append(f" [{texts.button}]", style="bold magenta")
        return name

    def _stack(self, taken: SeatView) -> Text:
        return Text(str(taken.stack), style="bold cyan")

    def _bet(self) -> Text:
        if self._dealt is None or not self._dealt.bet or not hand_runs(self._table):
            return Text("")
        return Text(self._style.texts.bet.format(amount=self._dealt.bet), style="yellow")

    def _cards(self) -> Text:
        dealt = self._dealt
        if dealt is None:
            return Text("")
        if dealt.cards:
            return cards(dealt.cards, self._style.card_text)
        return Text("") if dealt.folded else backs(dealt.card_count, self._style.card_text)

    def _state(self, seconds: int | None) -> Text:
        texts = self._style.texts
        if seconds is not None:
            mark = "▶" if self._style.card_text is suit_signs else ">"
            left = 0 if self._taken is None else self._taken.time_banks
            clock = (texts.clock_more if left else texts.clock).format(seconds=seconds, left=left)
            return Text(f"{mark} {clock}", style="bold yellow")
        if self._taken is not None and self._taken.leaving:
            return Text(texts.left, style="red")
        out = texts.sits_out.get(self._taken.sitting_out, "") if self._taken is not None else ""
        if self._dealt is None or (out and not hand_runs(self._table)):
            return Text(out or (texts.not_dealt if hand_runs(self._table) else ""), style="dim")
        return Text(", ".join([*_states(self._dealt, texts), *([out] if out else [])]))


def _states(dealt: HandSeatView, texts: TableTexts) -> list[str]:
    if dealt.folded:
        return [texts.folded]
    states = [texts.all_in] if dealt.all_in and dealt.paid else []
    if dealt.HasField("discarded"):
        states.append(texts.drew.format(count=dealt.discarded) if dealt.discarded else texts.pat)
    if dealt.owed:
        states.append(texts.owed.format(count=dealt.owed))
    return states
