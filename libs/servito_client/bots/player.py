"""A bot at a table: sits down, plays by its strategy, buys in again when broke, stands up when told.

It sits in again where the clock took it to be away, as a slow machine may make it seem.

Here: what a player does besides choosing. It knows the table only through the SDK, so it can do nothing
that a person could not. Not here: how it chooses (strategies.py), what its cards are (own_cards.py)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from time import perf_counter

from servito_client.actions import draw
from servito_client.bots.consent import Consent
from servito_client.bots.own_cards import OwnCards, OwnCardsReader
from servito_client.bots.report import Report
from servito_client.bots.strategies import Strategy
from servito_client.client import Seated, Servito
from servito_client.errors import Refusal
from servito_client.messages import (
    Action,
    ActionKind,
    Event,
    HandEnded,
    HandStarted,
    Offer,
    PlayerStood,
    PotAwarded,
    SatIn,
    SatOut,
    SeatActed,
    SitOutReason,
    TableConfig,
    hand_runs,
)
from servito_client.seat import Seat
from servito_client.table_rules import rule_of
from servito_client.updates import Snapshot, Told

LATE = frozenset({"STALE_TURN", "TOO_LATE"})
"""Refusals that only say that the clock was quicker."""

GONE = frozenset({"NOT_SEATED", "TABLE_CLOSED"})
"""Refusals that say that the table has taken the seat back, or is about to."""

OPENERS_REQUIRED = "OPENERS_REQUIRED"

Listener = Callable[[int, OwnCards], None]
"""Told the seat and its cards at the end of each hand that the bot was dealt into."""


class Bot:
    """One player of one table. `play()` returns once the bot has left; whatever fails comes out of it."""

    def __init__(
        self,
        servito: Servito,
        table_id: str,
        *,
        strategy: Strategy,
        rng: Random,
        buy_in: int,
        report: Report,
        listener: Listener | None = None,
        think: Callable[[], float] | None = None,
    ) -> None:
        """`think`: seconds before each act, asked for anew each time; without it the bot acts at once."""
        self._servito, self._table_id = servito, table_id
        self._strategy, self._rng, self._buy_in = strategy, rng, buy_in
        self._report, self._listener, self._think = report, listener, think
        self._cards = OwnCardsReader()
        self._consent = Consent(servito, table_id)
        self.agrees = True
        """What it answers when somebody proposes other rules; may be set at any time."""
        self._seated: Seated | None = None
        self._changing = asyncio.Lock()
        """Held while the bot sits or stands, so that leaving and buying in again cannot cross."""
        self._leaving = False
        self._last_turn = 0
        self._contests = False
        """Dealt into the running hand, not folded, no pot won so far."""
        self._maybe_broke = False
        self._away = False
        """Sits out because its turns expired."""
        self._least = 1
        """Chips that it takes to be dealt in; more than one where a short stack is not (`ante.short`)."""

    async def play(self) -> None:
        """Sits down and plays until `leave` was called and the chips are cashed out, or the table took the
        seat back."""
        async with self._changing:
            if self._leaving:
                return
            self._seated = await self._sit()
        async with self._servito.play(self._table_id) as stream:
            async for told in stream:
                if self._follow(told):
                    self._seated = None
                    return
                if not self._leaving:
                    await self._consent.answer(agree=self.agrees)
                if told.offer is not None:
                    await self._act(stream, told.offer)
                elif self._away:
                    await self._sit_in()
                elif self._maybe_broke:
                    await self._buy_in_if_broke()

    async def _sit(self) -> Seated:
        return await self._servito.sit(self._table_id, buy_in=self._buy_in)

    async def leave(self) -> None:
        """Stands up; `play` goes on listening until the hand, if any, lets go of the chips."""
        async with self._changing:
            self._leaving = True
            if self._seated is not None:
                await self._servito.stand(self._table_id)

    @property
    def _seat(self) -> int | None:
        return self._seated.seat if self._seated else None

    def _follow(self, told: Told) -> bool:
        """Takes in what happened; whether the bot has left the table for good."""
        if isinstance(told, Snapshot):
            self._cards.snapshot(told.table, self._seat)
            self._consent.snapshot(told.table, self._seat)
            self._least = _least_stack(told.table.config)
            self._maybe_broke = True
            if told.rewound:  # the turns that it remembers never were, and their numbers come again
                self._last_turn = 0
            self._away = any(
                seat.seat == self._seat and seat.sitting_out == SitOutReason.SIT_OUT_REASON_AWAY
                for seat in told.table.seats
            )
            self._contests = hand_runs(told.table) and any(
                seat.seat == self._seat and not seat.folded for seat in told.table.hand.seats
            )
            return not told.table.HasField("own_seat") and self._sat_before(told.version)
        stood = False
        for event in told.events:
            self._cards.event(event, self._seat)
            self._consent.event(event, self._seat)
            self._count(event)
            stood |= isinstance(event, PlayerStood) and event.seat == self._seat
        return stood and self._sat_before(told.version)

    def _sat_before(self, version: int) -> bool:
        return self._seated is not None and version > self._seated.version

    def _count(self, event: Event) -> None:
        match event:
            case HandStarted():
                self._contests = self._seat in event.seats
            case SatOut() if event.seat == self._seat:
                self._away = event.reason == SitOutReason.SIT_OUT_REASON_AWAY
            case SatIn() if event.seat == self._seat:
                self._away = False
            case SeatActed() if event.seat == self._seat:
                self._contests &= event.kind != ActionKind.ACTION_KIND_FOLD
            case PotAwarded():
                self._contests &= all(share.seat != self._seat or not share.amount for share in event.shares)
            case HandEnded():
                self._maybe_broke |= self._contests or self._least > 1
                if self._listener and self._seat is not None and self._cards.hand.dealt:
                    self._listener(self._seat, self._cards.hand)

    async def _act(self, stream: Seat, offer: Offer) -> None:
        if offer.turn_id <= self._last_turn:
            return
        self._last_turn = offer.turn_id
        # The act is due when the thinking ends. Its latency counts from there, not from when a busy event
        # loop came to send it: what waits for a slow system has to be measured, too.
        due = perf_counter() + (self._think() if self._think is not None else 0.0)
        await asyncio.sleep(max(0.0, due - perf_counter()))
        if self._leaving:
            return
        action = self._strategy(self._cards.hand.held, offer, self._rng)
        self._acting(offer, due)
        try:
            await self._ask(stream, offer, action)
        except Refusal as refusal:
            if refusal.reason not in LATE and not self._leaving:
                raise
            self._report.late += not self._leaving
        else:
            self._report.acted(perf_counter() - due)

    def _acting(self, offer: Offer, due: float) -> None:
        """An act that was due then is sent now; for those who measure."""

    async def _ask(self, stream: Seat, offer: Offer, action: Action) -> None:
        """An opener who may not break his opening, and would have, stands pat (`draw.opener_split`)."""
        try:
            await stream.act(offer, action)
        except Refusal as refusal:
            if refusal.reason != OPENERS_REQUIRED or action.kind != ActionKind.ACTION_KIND_DRAW:
                raise
            await stream.act(offer, draw())

    async def _sit_in(self) -> None:
        self._away = False
        async with self._changing:
            if self._leaving:
                return
            try:
                await self._servito.sit_in(self._table_id)
            except Refusal as refusal:
                # It acted just then, and was back by that; or the stream will tell that its seat is gone.
                if refusal.reason not in GONE | {"NOTHING_TO_CHANGE"}:
                    raise

    async def _buy_in_if_broke(self) -> None:
        """Buys in again when the table says that it has too few chips to be dealt in (`ante.short`)."""
        self._maybe_broke = False
        async with self._changing:
            if self._leaving:
                return
            table = await self._servito.table(self._table_id)
            playing = hand_runs(table) and any(seat.seat == self._seat for seat in table.hand.seats)
            own = next((seat for seat in table.seats if seat.seat == self._seat), None)
            if playing or own is None or own.stack >= self._least:
                return
            try:
                await self._servito.top_up(self._table_id, self._buy_in - own.stack)
            except Refusal as refusal:
                # It was asked about the table of before: a failover may have given the chips back meanwhile.
                if refusal.reason not in GONE | {"BUY_IN_OUT_OF_LIMITS"}:
                    raise
            else:
                self._report.rebuys += 1


def _least_stack(config: TableConfig) -> int:
    return 1 if rule_of(config, "ante.short") == "all_in" else int(rule_of(config, "ante"))
