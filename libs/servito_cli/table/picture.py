"""A table as it is drawn in a terminal: the seats round it, the pot in the middle, what happened last below.

Here: one renderable for `rich`, made anew whenever something changed. A terminal that is too small for the
round table gets a line for each seat. Not here: seats (seats.py), lines (log.py), keys (`servito_cli.play`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.align import Align
from rich.console import Console, ConsoleOptions, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from servito_cli.table.cards import coloured
from servito_cli.table.places import Places, places
from servito_cli.table.seats import WIDTH, Seat, Style
from servito_cli.texts import TEXTS, Language
from servito_client.messages import Phase, TableView, hand_runs

BOX_ROWS: Final = 5
LEAST_LOG: Final = 3
"""Lines of what happened, without which the round table gives way to the list."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What is to be seen now. `seconds` are what is left to the seat to act; `below` comes last."""

    table: TableView
    style: Style
    language: Language
    seconds: int | None
    lines: Sequence[str]
    """What happened, the latest last; as many are shown as fit."""
    below: Sequence[RenderableType] = ()

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        height = options.height or options.size.height
        yield _one_line(self._heading())
        around = places(max(2, self.table.config.seats), _own(self.table))
        log_rows = height - 1 - len(self.below) - BOX_ROWS * (2 + bool(around.above))
        if around.widest * WIDTH <= options.max_width and log_rows >= LEAST_LOG:
            yield from self._round(around)
        else:
            log_rows = height - 2 - len(self.below) - self.table.config.seats
            yield from self._list()
        told = [_one_line(coloured(line)) for line in self.lines[-max(log_rows, 1) :]]
        yield from told
        yield from (Text("") for _ in range(log_rows - len(told)))
        yield from self.below

    def _heading(self) -> Text:
        config, hand, texts = self.table.config, self.table.hand, self.style.texts
        preset = f"{config.preset} *" if config.options else config.preset
        if not hand.hand_id:
            before = texts.heading_before.format(name=config.name, preset=preset)
            return Text(before + self._status() + self._waiting(), style="reverse")
        ranks = TEXTS[self.language].story.ranks.get(hand.lowest_rank, "")
        cards = 4 * (15 - hand.lowest_rank)
        heading = texts.heading.format(
            name=config.name, preset=preset, number=hand.number, cards=cards, ranks=ranks
        )
        return Text(heading + self._status() + self._waiting(), style="reverse")

    def _status(self) -> str:
        """That the table is paused, closes or is closed, and that there is maintenance."""
        texts = self.style.texts
        said = [texts.statuses.get(self.table.status), texts.maintenance if self.table.maintenance else None]
        return "".join(f"   {word}" for word in said if word)

    def _waiting(self) -> str:
        """Who waits for a seat, and for whom one is held."""
        texts = self.style.texts
        names = [
            texts.offered.format(name=one.player, seat=one.seat) if one.HasField("seat") else one.player
            for one in self.table.waiting
        ]
        return "   " + texts.waiting.format(names=", ".join(names)) if names else ""

    def _round(self, around: Places) -> Iterator[RenderableType]:
        if around.above:
            yield _row(self._boxes(around.above))
        middle = [*self._boxes(around.left), self._middle(), *self._boxes(around.right)]
        yield _row(middle)
        yield _row(self._boxes(around.below))

    def _list(self) -> Iterator[RenderableType]:
        yield _one_line(Text("   ").join(self._facts()))
        for number in range(self.table.config.seats):
            yield _one_line(Seat(self.table, number, self.style).line(self._seconds_of(number)))

    def _boxes(self, numbers: Iterable[int]) -> list[RenderableType]:
        return [Seat(self.table, n, self.style).box(self._seconds_of(n)) for n in numbers]

    def _middle(self) -> RenderableType:
        facts = Table.grid(expand=True)
        facts.add_column(justify="center", no_wrap=True, overflow="ellipsis")
        for fact in self._facts()[: BOX_ROWS - 2]:
            facts.add_row(fact)
        return Panel(facts, width=2 * WIDTH - 4, height=BOX_ROWS, style="on grey11", border_style="green")

    def _facts(self) -> list[Text]:
        texts, hand = self.style.texts, self.table.hand
        running = hand_runs(self.table)
        pot = hand.pot if running else self.table.carried
        carried = f"   {texts.carried.format(amount=hand.carried)}" if running and hand.carried else ""
        phase = texts.phases[hand.phase]
        if hand.phase in (Phase.PHASE_DEAL, Phase.PHASE_OPENING) and hand.requirement != "none":
            phase += ": " + texts.requirement.format(requirement=hand.requirement)
        stock = texts.stock.format(count=hand.stock) if running else ""
        return [
            Text(texts.pot.format(amount=pot) + carried, style="bold yellow"),
            Text(phase),
            Text(stock, style="dim"),
        ]

    def _seconds_of(self, number: int) -> int | None:
        hand = self.table.hand
        return self.seconds if hand.HasField("to_act") and hand.to_act == number else None


def _own(table: TableView) -> int | None:
    return table.own_seat if table.HasField("own_seat") else None


def _row(boxes: Iterable[RenderableType]) -> RenderableType:
    row = Table.grid()
    row.add_row(*boxes)
    return Align.center(row)


def _one_line(text: Text) -> Text:
    text.no_wrap, text.overflow = True, "ellipsis"
    return text
