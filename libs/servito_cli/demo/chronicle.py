"""What is remembered of one table so that a few of its hands can be told: the best ones, and the numbers of
all.

Fed by the spectator's stream and by the bots' own cards; reading only. Not here: how a hand is told
(`servito_cli.story`)."""

from __future__ import annotations

import heapq
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from servito_cli.story.telling import Tale
from servito_client.bots.own_cards import OwnCards
from servito_client.messages import (
    CardsDrawn,
    Event,
    HandEnded,
    HandShown,
    HandStarted,
    PlayerSat,
    PotAwarded,
    TableConfig,
    TurnExpired,
    UncalledBetReturned,
    hand_runs,
)
from servito_client.updates import Snapshot, Told

REMEMBERED = 20
"""Hands whose own cards are kept: a bot may tell them a little after the spectator saw the end."""


@dataclass(slots=True)
class _Hand:
    hand_id: str
    names: Mapping[int, str]
    events: list[Event] = field(default_factory=list)


class Chronicle:
    """The hands of one table, as its spectator sees them. `keep` of them can be told."""

    def __init__(self, config: TableConfig, keep: int = 3) -> None:
        self._config, self._keep = config, keep
        self._names: dict[int, str] = {}
        self._hand: _Hand | None = None
        self._own: OrderedDict[str, dict[int, OwnCards]] = OrderedDict()
        self._best: list[tuple[int, int, _Hand]] = []
        self._order = count()
        self.hands = 0
        """Deals that are over."""
        self.timeouts = 0
        self.running = False
        """A hand has begun and not ended."""

    def told(self, told: Told) -> None:
        """Takes in what the spectator's stream told."""
        if isinstance(told, Snapshot):
            return self._restart(told)
        for event in told.events:
            self._event(event)
        return None

    def own_cards(self, seat: int, cards: OwnCards) -> None:
        """A bot tells what it held in a hand that is over."""
        self._own.setdefault(cards.hand_id, {})[seat] = cards
        kept = {hand.hand_id for _, _, hand in self._best}
        while len(self._own) > REMEMBERED + len(kept):
            oldest = next(hand_id for hand_id in self._own if hand_id not in kept)
            del self._own[oldest]

    def best(self) -> list[tuple[int, Tale]]:
        """The hands worth telling with how much they offer, best first."""
        ranked = sorted(self._best, key=lambda entry: entry[:2], reverse=True)
        return [
            (worth, Tale(self._config, hand.names, hand.events, self._own.get(hand.hand_id, {})))
            for worth, _, hand in ranked
        ]

    def _restart(self, told: Snapshot) -> None:
        """After a gap the running hand cannot be told any more; its number is still known."""
        table = told.table
        self._names = {seat.seat: seat.player for seat in table.seats}
        self._hand = None
        self.running = hand_runs(table)
        self.hands = max(self.hands, table.hand.number - self.running)

    def _event(self, event: Event) -> None:
        match event:
            case PlayerSat():
                self._names[event.seat] = event.player
            case TurnExpired():
                self.timeouts += 1
            case HandStarted():
                self.running = True
                self._hand = _Hand(event.hand_id, dict(self._names))
        if self._hand is not None:
            self._hand.events.append(event)
        if isinstance(event, HandEnded):
            self.running = False
            self.hands += 1
            self._judge()

    def _judge(self) -> None:
        if self._hand is not None:
            heapq.heappush(self._best, (_worth(self._hand.events), -next(self._order), self._hand))
            if len(self._best) > self._keep:
                heapq.heappop(self._best)
        self._hand = None


def _worth(events: list[Event]) -> int:
    """How much a hand has to tell: hands shown, side pots, cards owed or shuffled again, bets given back."""
    worth = 0
    for event in events:
        match event:
            case HandShown():
                worth += 2
            case PotAwarded():
                worth += 3 * event.index + len(event.shares)
            case CardsDrawn():
                worth += 2 * event.deferred + 3 * bool(event.reshuffled)
            case UncalledBetReturned():
                worth += 1
    return worth
