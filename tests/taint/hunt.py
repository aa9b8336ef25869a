"""A game that is played while everything that anybody receives, and all logs and metrics, are searched."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tests.taint.audience import ANSWERS
from tests.taint.detector import CARDS, in_logs, in_pages, in_receipts, named
from tests.taint.game import Game
from tests.taint.house import House
from tests.taint.logs import captured
from tests.taint.stored import in_stored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.taint.audience import Receipt
    from tests.taint.detector import Finding

FREE_OPENING: Final = {"open.requirement": "none"}
RULES: Final[dict[str, dict[str, str]]] = {
    "italiana": {},
    "free": FREE_OPENING,
    "concede": {**FREE_OPENING, "show.muck": "may_concede"},
    "proof": {"open.proof": "show_on_uncalled_win", "draw.opener_split": "announce", "draw.max": "5"},
    "carried": {"parola.mode": "carry_over", "blind.depth": "3", "open.pass": "is_out"},
    "refills": {**FREE_OPENING, "draw.max": "5", "draw.deferred": "none"},
}
"""Ways to play in which other cards are hidden and shown."""


@dataclass
class Hunt:
    """What was found, and how much was searched."""

    findings: list[Finding] = field(default_factory=list)
    searched: Counter[str] = field(default_factory=Counter)

    def add(self, other: Hunt) -> None:
        """Both together."""
        self.findings += other.findings
        self.searched += other.searched

    def search(self, game: Game) -> None:
        """Search what everybody received since the last time."""
        self.searched["hands"] += 1
        self.searched["hands shown"] += len({seat for seat, _ in game.truth.hand.shown})
        for viewer in game.everybody:
            self.findings += in_receipts(viewer, viewer.receipts, game.truth)
            self.searched["messages"] += len(viewer.receipts)
            self.searched["bytes"] += sum(len(receipt.content) for receipt in viewer.receipts)
            self.searched["refusals"] += sum(receipt.refused for receipt in viewer.receipts)
            self.searched["cards named"] += sum(_cards(viewer.receipts))
            viewer.receipts.clear()
        kept = game.house.store.kept
        self.findings += in_stored(kept, game.truth)
        self.searched["stored bytes"] += sum(len(each) for own in kept for _, _, each in own.messages())
        kept.clear()


async def hunt(seed: str, players: int, options: dict[str, str], hands: int) -> Hunt:
    """Play so many hands, or until nobody has chips, and search after each."""
    found = Hunt()
    with captured() as logs:
        house = House(seed)
        game = Game(house, seed, players, options)
        await game.open()
        for _ in range(hands):
            if not await game.play_hand():
                break
            found.search(game)
        found.findings += in_pages(house.pages(), game.truth)
        await game.close()
        found.findings += in_logs(logs, game.truth)
        found.findings += house.spans.findings(game.truth)
        found.searched["spans"] += len(house.spans.lines())
    found.searched["log lines"] += len(logs)
    return found


def _cards(receipts: Iterable[Receipt]) -> Iterator[int]:
    for receipt in receipts:
        if not receipt.refused:
            message = ANSWERS[receipt.method].FromString(receipt.content)
            yield from (len(numbers) for _, numbers in named(message, CARDS))
