"""A followed table with the last things that happened in it, told: what both watching and playing show.

Joins the stream's messages with the story teller and a clock of this process. Not here: drawing."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Mapping
from time import monotonic

from servito_cli.story.telling import Teller
from servito_cli.texts.form.story import StoryTexts
from servito_cli.words import CardText
from servito_client.bots.own_cards import OwnCards
from servito_client.following import Following
from servito_client.messages import HandEnded, TableView
from servito_client.updates import Snapshot, Told, Warned

KEPT = 60
"""Lines; more than a tall terminal shows."""


class Followed:
    """A table and its last lines; `hands` is how many ended meanwhile.

    `own` holds the cards of the listener's seat, which may be told to him. `now` is a clock in seconds."""

    def __init__(
        self,
        texts: StoryTexts,
        card_text: CardText,
        *,
        player: str | None = None,
        own: Mapping[int, OwnCards] | None = None,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self._table = Following(player)
        self._teller = Teller(self._table, texts, card_text, own)
        self._now = now
        self._deadline = 0.0
        self._lines: deque[str] = deque(maxlen=KEPT)
        self.hands = 0

    @property
    def view(self) -> TableView:
        """The table after everything that was told."""
        return self._table.view

    @property
    def lines(self) -> list[str]:
        """What happened, the latest last."""
        return list(self._lines)

    @property
    def seconds(self) -> int | None:
        """What is left to the seat to act, in whole seconds begun; None when nobody is to act."""
        if not self.view.hand.HasField("to_act"):
            return None
        return max(0, math.ceil(self._deadline - self._now()))

    def take(self, told: Told) -> list[str]:
        """Takes in one message of the stream; the lines that it adds."""
        if isinstance(told, Snapshot):
            self._table.snapshot(told.table)
            self._deadline = self._now() + told.table.hand.remaining_ms / 1000
            return []
        if isinstance(told, Warned):
            self._table.take(told)
            self._deadline = self._now() + told.remaining_ms / 1000
            return []
        added = []
        for event in told.events:
            added += [line.strip() for line in self._teller.lines(event)]
            self.hands += isinstance(event, HandEnded)
        self._table.turn(told)
        self._deadline = self._now() + told.remaining_ms / 1000
        self._lines.extend(added)
        return added
