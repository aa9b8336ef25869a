"""Table processes whose every word to the outside is held until the model says what becomes of it.

The use case, the store and the codec are the real ones. In place of the connections to state server and
dealer stands a gate: a call waits there until it is carried out, its answer until it is handed over; either
may be lost, and what was lost may arrive later all the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from servito_platform.clock import ServerClock
from servito_platform.lane import NotSent
from servito_platform.metrics import new_registry
from servito_platform.redis import StateUnavailable
from servito_table.adapters.codec import Codec
from servito_table.adapters.meters import Meters
from servito_table.adapters.store import RedisStore
from servito_table.app.play import Play
from servito_table.app.ports import NeverDealt
from servito_table.app.refusals import Unavailable
from tests.table.asked import CoreEvaluator, DeckDealer
from tests.table.twins import Listener, Tally

if TYPE_CHECKING:
    from servito_core.state import CardsNeeded, HandState
    from servito_platform.keys import Keys
    from servito_platform.redis import Argument, Script
    from servito_table.app.commits import Commit, Committed, Moved, Repeated, Request, Spared, Unmade
    from servito_table.app.deal_events import Holder, Proofs, Supplied
    from tests.model.server import Row, Server

OUTAGE_MS: Final = 2_000
"""For how long nobody sweeps in an outage."""


class Witness(Protocol):
    """Who is told what the servers did."""

    def heard(self, commit: Commit, reply: Any, row: Row | None) -> None:
        """The state server carried a commit out, answered so, and holds that then."""

    def replicated(self, request: Request | None) -> bool:
        """A replica has everything now; whether the request was carried out by what it has."""


@dataclass(eq=False)
class Held:
    """A call at the gate. `reply`: what it was answered, once it is carried out."""

    process: Process
    carry: Callable[[], Any]
    lost: Callable[[], Exception]
    """What its caller hears if no answer comes."""
    refused: Callable[[], Exception]
    """What its caller hears if it never left."""
    future: asyncio.Future[Any]
    carried: bool = False
    reply: Any = None

    def carry_out(self) -> None:
        """It arrives."""
        try:
            self.reply = self.carry()
        except NeverDealt as error:
            self.reply = error
        self.carried = True

    def hand_over(self) -> None:
        """Its answer arrives."""
        if isinstance(self.reply, Exception):
            self._fail(self.reply)
        elif not self.future.done():
            self.future.set_result(self.reply)

    def lose(self) -> None:
        """No answer arrives."""
        self._fail(self.lost())

    def refuse(self) -> None:
        """It cannot be sent."""
        self._fail(self.refused())

    def _fail(self, error: Exception) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class Gate:
    """A lane, a dealer's client, and what knows of replicas, of one process."""

    def __init__(self, process: Process, server: Server, dealer: DeckDealer, witness: Witness) -> None:
        self._process = process
        self._server = server
        self._dealer = dealer
        self._witness = witness
        self.commit: Commit | None = None
        """What the next call carries."""

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[Argument]) -> Any:
        """See servito_platform.lane."""
        commit, self.commit = self.commit, None

        def carry() -> Any:
            table_id = keys[0].rpartition(":")[2]
            reply, row = self._server.run(script, keys, args, table_id)
            if commit is not None:
                self._witness.heard(commit, reply, row)
            return reply

        return await self._held(carry, StateUnavailable, NotSent)

    async def cards(
        self, table_id: str, hand: HandState, needed: CardsNeeded, holders: Sequence[Holder]
    ) -> Supplied:
        """See app.ports.Dealer."""

        def carry() -> Any:
            return finished(self._dealer.cards(table_id, hand, needed, holders))

        def lost() -> Unavailable:
            return Unavailable("the dealer")

        supplied: Supplied = await self._held(carry, lost, lost)
        return supplied

    async def proofs(self, hand: str, positions: Iterable[int]) -> Proofs:
        """See app.ports.Dealer."""
        return await self._dealer.proofs(hand, positions)

    async def has_request(self, _table_id: str, request: Request) -> bool:
        """See app.ports.Safety: whether a replica has it, if it can be asked."""
        return await self._replicated(request)

    async def has_commit(self, _committed: Committed) -> bool:
        """See app.ports.Safety."""
        return await self._replicated(None)

    async def _replicated(self, request: Request | None) -> bool:
        try:
            safe: bool = await self._held(
                lambda: self._witness.replicated(request), StateUnavailable, StateUnavailable
            )
        except StateUnavailable:
            return False
        return safe

    async def _held(
        self, carry: Callable[[], Any], lost: Callable[[], Exception], refused: Callable[[], Exception]
    ) -> Any:
        held = Held(self._process, carry, lost, refused, asyncio.get_running_loop().create_future())
        self._process.held.append(held)
        try:
            return await held.future
        finally:
            if held in self._process.held:
                self._process.held.remove(held)


class _Store(RedisStore):
    """The real store, which lets the gate know what it sends."""

    gate: Gate

    async def commit(self, commit: Commit) -> Committed | Moved | Repeated | Spared | Unmade:
        """See app.ports.Store."""
        self.gate.commit = commit
        return await super().commit(commit)


@dataclass(eq=False)
class Process:
    """One table process. `begin` starts a call in it; `kill` ends it as kill -9 does."""

    loop: asyncio.AbstractEventLoop
    server: Server
    keys: Keys
    dealer: DeckDealer
    witness: Witness
    held: list[Held] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.start()

    def start(self) -> None:
        """It knows nothing yet."""
        self.calls: set[asyncio.Task[Any]] = set()
        self.gate = Gate(self, self.server, self.dealer, self.witness)
        lane: Any = self.gate
        self.store = _Store(lane, self.keys, Codec(), ServerClock(), Meters(new_registry()), OUTAGE_MS)
        self.store.gate = self.gate
        self.tally = Tally()
        self.listener = Listener()
        self.play = Play(self.store, CoreEvaluator(), self.gate, self.listener, self.tally, safety=self.gate)

    def begin(self, call: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """Let `call` run up to the gate."""
        task = self.loop.create_task(call)
        self.calls.add(task)
        return task

    def kill(self) -> list[Held]:
        """Everything that it remembers is gone; what it had sent may still arrive."""
        left, self.held = self.held, []
        for task in (*self.calls, *self.play.tasks._running):
            task.cancel()
        settle(self.loop)
        self.start()
        return [held for held in left if not held.carried]


def settle(loop: asyncio.AbstractEventLoop) -> None:
    """Run until everything waits at a gate, or is done."""
    ready: Any = loop
    while ready._ready:
        loop.call_soon(loop.stop)
        loop.run_forever()


def finished(call: Coroutine[Any, Any, Any]) -> Any:
    """The result of a coroutine that waits for nothing."""
    try:
        call.send(None)
    except StopIteration as done:
        return done.value
    raise RuntimeError("it waits for something")
