"""One table at which tests play: the real use case over twins in memory, and players who act by what is
offered.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import count

from servito_core.commands import Bet, Call, Check, Command, Draw, Fold, Open, Pass, RaiseTo
from servito_core.hand import legal_actions
from servito_core.state import HandState, Offer
from servito_table.app.commands import Act, Sit, Stand, TableCommand
from servito_table.app.commits import Answer, Known, Request
from servito_table.app.expiry import Expiry, expire
from servito_table.app.maintenance import Gate
from servito_table.app.opening import create
from servito_table.app.play import Play
from servito_table.app.ports import Announcer
from servito_table.app.state import TableConfig, TableState
from servito_table.app.waits import Wait, WaitKind, wait_of
from tests.table.asked import CoreEvaluator, DeckDealer
from tests.table.twins import Listener, MemoryStore, Tally

CONFIG = TableConfig(
    name="Tavolo 1",
    preset="italiana",
    options={},
    seats=6,
    min_buy_in=10,
    max_buy_in=200,
    turn_ms=15_000,
    pause_ms=2_000,
)


@dataclass
class Room:
    """See the module. `other()` is a second process on the same store."""

    store: MemoryStore = field(default_factory=MemoryStore)
    evaluator: CoreEvaluator = field(default_factory=CoreEvaluator)
    dealer: DeckDealer = field(default_factory=DeckDealer)
    listener: Announcer = field(default_factory=Listener)
    tally: Tally = field(default_factory=Tally)
    table_id: str = ""
    gate: Gate | None = None

    def __post_init__(self) -> None:
        self.play = Play(self.store, self.evaluator, self.dealer, self.listener, self.tally, gate=self.gate)
        self._ids = count(1)

    def other(self) -> Room:
        """Another process at the same table."""
        return Room(self.store, self.evaluator, self.dealer, Listener(), self.tally, self.table_id)

    async def open(self, config: TableConfig = CONFIG, request: str = "r0") -> str:
        """Create the table."""
        self.table_id = await create(self.store, "owner", request, config)
        return self.table_id

    @property
    def known(self) -> Known:
        """The table as the store holds it."""
        return self.store.tables[self.table_id]

    @property
    def state(self) -> TableState:
        """Its state."""
        return self.known.state

    @property
    def hand(self) -> HandState:
        """Its hand."""
        assert self.state.hand is not None
        return self.state.hand

    @property
    def wait(self) -> Wait:
        """What it waits for."""
        return wait_of(self.state)

    def waits_for(self, kind: WaitKind) -> bool:
        """Whether the table waits for that."""
        return self.wait.kind is kind

    async def run(self, command: TableCommand, request: Request | None = None) -> Answer:
        """Carry a command out, and all that follows without a player."""
        try:
            return await self.play.run(self.table_id, command, request)
        finally:
            await self.play.tasks.drain()

    async def sit(self, *players: str, buy_in: int = 100) -> None:
        """Seat these players."""
        for player in players:
            await self.run(Sit(player, None, buy_in), self.request(player))

    async def stand(self, player: str) -> Answer:
        """Let a player leave."""
        return await self.run(Stand(player), self.request(player))

    async def act(self, player: str, command: Command, turn: int | None = None) -> Answer:
        """Act for a player, by default in the current turn."""
        named = self.state.turn if turn is None else turn
        return await self.run(Act(player, named, "test", lambda _seat: command), self.request(player))

    async def expire(self, wait: int | str | None = None) -> Expiry:
        """Let the timers name a wait, by default the current turn."""
        named = self.state.turn if wait is None else wait
        result = await expire(self.play, self.store, self.tally, self.table_id, str(named))
        await self.play.tasks.drain()
        return result

    async def due(self) -> Expiry:
        """Let the deadline pass, and the timers name it."""
        self.store.now = self.known.deadline
        return await self.expire()

    def request(self, player: str, name: str = "", fingerprint: str = "f" * 16) -> Request:
        """A request that nobody made before."""
        return Request(player, name or f"r{next(self._ids)}", fingerprint)

    def offer(self) -> tuple[str, Offer]:
        """The player to act and what he may do."""
        own = next(own for own in self.state.seats if own.seat == self.wait.seat)
        offer = legal_actions(self.hand, own.seat)
        assert offer is not None
        return own.player, offer

    async def play_on(self, style: random.Random) -> None:
        """Let the seat to act do something legal."""
        player, offer = self.offer()
        await self.act(player, legal(offer, style, self.hand))


def legal(offer: Offer, style: random.Random, hand: HandState) -> Command:
    """A command of those offered."""
    seat = offer.seat
    choices: list[Command] = []
    if offer.can_pass:
        choices.append(Pass(seat))
    if offer.can_check:
        choices.append(Check(seat))
    if offer.can_fold:
        choices.append(Fold(seat))
    if offer.call is not None:
        choices.append(Call(seat))
    ranges = ((Open, offer.open), (Bet, offer.bet), (RaiseTo, offer.raise_to))
    choices += [make(seat, style.randint(*span)) for make, span in ranges if span]
    if offer.draw is not None:
        cards = next(player.cards for player in hand.players if player.seat == seat)
        choices.append(Draw(seat, tuple(style.sample(cards, style.randint(*offer.draw)))))
    return style.choice(choices)
