"""The answer of `servito odds` for people: every count, and what it is of a hundred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from servito_cli.console import card_text, output
from servito_core.cards import RANKS, deck_from
from servito_core.naming import RANK_NAMES, category_en, category_it
from servito_core.values import Category, SfKind
from servito_wire.odds import DrawsRequest, OpenersOddsRequest

Outcome = tuple[Category, SfKind | None]


@dataclass(frozen=True, slots=True)
class Answer:
    """What was asked, and what was counted."""

    draws: DrawsRequest | None
    counts: Mapping[Outcome, int]
    openers: OpenersOddsRequest | None
    chances: Sequence[tuple[int, int]]


def show(answer: Answer, preset: str) -> None:
    """Prints the draw, the opponents, or both."""
    console = output()
    asked = answer.draws or answer.openers
    if asked is None:
        console.print(
            f"Nothing to count: preset {preset} asks for no opening, and no draw was named (--keep)."
        )
        return
    deck = f"Deck of {4 * (15 - asked.lowest)} cards, from the {RANK_NAMES[asked.lowest].one} up"
    console.print(f"{deck}; preset {preset}. An unseen card may be anywhere, with equal chances.")
    if answer.draws:
        _show_draws(console, answer.draws, answer.counts)
    if answer.openers:
        _show_openers(console, answer.openers, answer.chances)


def _show_draws(console: Console, asked: DrawsRequest, counts: Mapping[Outcome, int]) -> None:
    text = card_text(console)
    total = sum(counts.values())
    kept = " ".join(text(card) for card in asked.kept) or "nothing"
    console.print(f"\nKeep {kept}: {_number(total, 'possible draw')}.", markup=False)
    table = _table("", "", "draws", "of 100")
    for category, kind in _in_order(asked):
        count = counts.get((category, kind), 0)
        table.add_row(
            category_it(category, kind), category_en(category, kind), str(count), _percent(count, total)
        )
    console.print(table)


def _show_openers(console: Console, asked: OpenersOddsRequest, chances: Sequence[tuple[int, int]]) -> None:
    rank = RANK_NAMES[RANKS.index(asked.requirement[0]) + 2]
    unseen = len(deck_from(asked.lowest)) - len(asked.known)
    wanted = f"{rank.many} or better" + (f" (or {asked.draw})" if asked.draw != "none" else "")
    console.print(f"\nThat one opponent at least holds {wanted}, of {unseen} unseen cards five each:")
    table = _table("opponents", "of 100", "deals", "of all deals")
    for opponents, (favourable, total) in enumerate(chances, 1):
        table.add_row(str(opponents), _percent(favourable, total), str(favourable), str(total))
    console.print(table)
    if len(chances) < asked.opponents:
        console.print(
            f"More than {_number(len(chances), 'opponent')} cannot be counted exactly in bounded time; "
            "nothing is estimated."
        )


def _in_order(asked: DrawsRequest) -> list[Outcome]:
    """Every outcome, the best category first under the rules; kinds of straight flush one by one."""
    categories = sorted(Category, reverse=True)
    if not asked.rules.flush_beats_full(asked.lowest):
        flush, full = categories.index(Category.FLUSH), categories.index(Category.FULL_HOUSE)
        categories[flush], categories[full] = Category.FULL_HOUSE, Category.FLUSH
    kinds: list[Outcome] = [(Category.STRAIGHT_FLUSH, kind) for kind in sorted(SfKind, reverse=True)]
    return kinds + [(category, None) for category in categories[1:]]


def _table(*headings: str) -> Table:
    """A plain table; columns with a heading hold numbers."""
    table = Table(box=None, pad_edge=False, show_header=True)
    for heading in headings:
        table.add_column(heading, justify="right" if heading else "left")
    return table


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _percent(count: int, total: int) -> str:
    """Four decimals, which tell the rarest single draw from none."""
    return f"{100 * count / total:.4f}"
