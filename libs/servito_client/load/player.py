"""A bot that measures how long the others at its table wait for an act, besides playing."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from random import Random
from time import monotonic, perf_counter
from typing import Final

from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import Strategy
from servito_client.client import Servito
from servito_client.load.plan import LoadPlan, Pace
from servito_client.load.tally import Tally, record
from servito_client.messages import HandEnded, Offer, SeatActed
from servito_client.updates import Snapshot, Told

THOUGHT: Final = (0.5, 4.0)
"""Seconds that a person thinks, least and most."""
REMEMBERED: Final = 64
"""Turns of a table whose acts are still expected by others."""


@dataclass(slots=True)
class SharedTable:
    """What the players of one table know together: when acts were due, by turn; when anything came last."""

    name: str
    table_id: str
    due: OrderedDict[int, float] = field(default_factory=OrderedDict)
    last_told: float = field(default_factory=monotonic)
    last_version: int = 0

    def acting(self, turn_id: int, due: float) -> None:
        """An act on that turn is under way."""
        self.due[turn_id] = due
        while len(self.due) > REMEMBERED:
            self.due.popitem(last=False)


class LoadPlayer(Bot):
    """One player of a load run."""

    def __init__(
        self,
        servito: Servito,
        plan: LoadPlan,
        table: SharedTable,
        tally: Tally,
        report: Report,
        strategy: Strategy,
        rng: Random,
    ) -> None:
        think = (lambda: rng.uniform(*THOUGHT)) if plan.pace is Pace.HUMAN else None
        super().__init__(
            servito,
            table.table_id,
            strategy=strategy,
            rng=rng,
            buy_in=plan.buy_in,
            report=report,
            think=think,
        )
        self._table, self._tally = table, tally
        self._turn = 0

    def _acting(self, offer: Offer, due: float) -> None:
        self._table.acting(offer.turn_id, due)

    def _follow(self, told: Told) -> bool:
        self._table.last_told = monotonic()
        if isinstance(told, Snapshot):
            self._turn = told.table.hand.turn_id
        else:
            others = any(isinstance(event, SeatActed) and event.seat != self._seat for event in told.events)
            if others and (due := self._table.due.get(self._turn)) is not None:
                record(self._tally.event_us, perf_counter() - due)
            if told.version > self._table.last_version:  # the first of the table to hear of it counts it
                self._table.last_version = told.version
                self._tally.hands += sum(isinstance(event, HandEnded) for event in told.events)
            self._turn = told.turn_id
        return super()._follow(told)
