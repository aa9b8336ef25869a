"""What drives the model: processes, the clock, sweepers, the players' hands. A rule of machine.py says what
happens, a method here makes it happen and tells the book.
"""

from __future__ import annotations

import asyncio
import sys
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Final

from hypothesis.stateful import RuleBasedStateMachine

from servito_core.commands import Bet, Call, Check, Draw, Fold, Open, Pass, RaiseTo
from servito_core.hand import legal_actions
from servito_platform.deadlines import Deadlines, Sweep
from servito_platform.keys import Keys
from servito_platform.redis import Script
from servito_table.app.commands import Act
from servito_table.app.commits import Request
from servito_table.app.expiry import expire
from servito_table.app.state import actor_of
from tests.model.laws import Asked, Book, Law, Sent, hold
from tests.model.processes import OUTAGE_MS, Held, Process, settle
from tests.model.server import Server
from tests.table.asked import DeckDealer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_core.commands import Command
    from servito_core.state import HandState
    from tests.model.server import Cut

LEASE_MS: Final = 1_000
ROUNDS: Final = 6
"""Waits that have to come to their end once the faults have stopped."""
PATIENCE: Final = 4
"""How often one of them may be due: a lease of before runs out, a time bank and an outage prolong it."""
MEND: Final = Script.of_package("servito_table.adapters", "mend.lua")


class Driven(RuleBasedStateMachine):
    """One table with all that has to do with it. A twin sets `cuts` or overrides `expire`."""

    url: ClassVar[str]
    cuts: ClassVar[Sequence[Cut]] = ()
    expire: ClassVar[Any] = staticmethod(expire)
    lineages: ClassVar[bool] = True
    """Acts name the lineage that their turn was offered with."""
    firm: ClassVar[bool] = True
    """A replica has what moved money before that is answered."""

    def __init__(self) -> None:
        super().__init__()
        self.keys = Keys(1)
        self.server = Server(self.url, self.keys, self.cuts)
        self.loop = asyncio.new_event_loop()
        self.dealer = DeckDealer()
        self.processes = [Process(self.loop, self.server, self.keys, self.dealer, self) for _ in range(2)]
        self.deadlines = Deadlines(self.server.client, self.keys)
        self.book: Book | None = None
        self.table_id = ""
        self.asked: list[Asked] = []
        self.calls: list[tuple[asyncio.Task[Any], Sent | str]] = []
        self.claims: list[list[str]] = []
        self.late: list[Held] = []
        """Calls that were given up, and are still on their way."""

    def teardown(self) -> None:
        """The faults stop; then the loop is closed."""
        try:
            if sys.exc_info()[0] is None:
                self._calm()
        finally:
            self.close()

    def close(self) -> None:
        """Nothing runs any more."""
        for process in self.processes:
            process.kill()
        self.loop.close()
        self.server.client.close()

    @property
    def on(self) -> Book:
        """The book of the table."""
        assert self.book is not None
        return self.book

    def _calm(self) -> None:
        """What was sent arrives, and the timers work: every wait for time ends."""
        self.late.clear()
        self.claims.clear()
        self._carry_out_all()
        self._mend()
        for _ in range(ROUNDS):
            if not self.on.row.waits:
                return
            self._a_wait_ends()

    def _go_on(self, choices: list[int], process: int) -> None:
        """At that process the players do what is chosen, and waits end."""
        for choice in choices:
            if actor_of(self.on.state) is not None:
                self._act(choice, process)
                self._carry_out_all(process)
            elif self.on.row.waits:
                self._a_wait_ends(process)

    def _a_wait_ends(self, process: int = 0) -> None:
        """The timers do their work until the wait that is next to end is over, or its clock is prolonged."""
        self._mend()
        row = self.on.row
        hold(Law.GOES_ON, bool(row.members), f"no timer would find {row.waits}")
        wait = min(row.members, key=row.members.__getitem__)
        for _ in range(PATIENCE):
            self._pass_time(max(0, self.on.row.members[wait] - self.server.now), swept=True)
            for due in self._claim(256):
                self._expire(due, process)
            self._carry_out_all(process)
            if wait not in self.on.row.waits:
                return
        hold(Law.GOES_ON, False, f"nothing ends {wait} of {row.waits}")

    def _pass_time(self, ms: int, *, swept: bool) -> None:
        while swept and ms > 1_000:
            self.server.pass_time(1_000)
            ms -= 1_000
            self._claim(0)
        self.server.pass_time(ms)

    def _mend(self) -> None:
        keys = [self.keys.deadlines(0), self.keys.table(self.table_id)]
        self.on.mended(self.server.run(MEND, keys, [self.table_id], self.table_id)[0])

    def _claim(self, limit: int) -> list[str]:
        self.server.tell_time()
        claim = self.deadlines.claim(0, limit=limit, lease_ms=LEASE_MS, sweep=Sweep(OUTAGE_MS))
        waits = [due.wait for due in claim.due]
        self.on.claimed(waits, LEASE_MS)
        return waits

    def heard(self, commit: Any, reply: Any, row: Any) -> None:
        """See tests.model.processes.Witness."""
        if self.book is None:
            self.book = Book(self.server, commit.state.id)
        self.book.heard(commit, reply, row)

    def replicated(self, request: Request | None) -> bool:
        """See tests.model.processes.Witness."""
        if self.firm:
            self.on.replicate()
        return request is None or self.on.has(request)

    def _request(self, player: str, content: str) -> Request:
        return Request(player, f"r{len(self.asked) + 1}", fingerprint(content))

    def _ask(self, asked: Asked, process: int) -> None:
        self.asked.append(asked)
        self._send(asked, process)

    def _send(self, asked: Asked, process: int) -> None:
        sent = self.on.sending(asked)
        on = self.processes[process]
        self.calls.append((on.begin(on.play.run(self.table_id, asked.command, asked.request)), sent))
        self._settled()

    def _act(self, choice: int, process: int) -> None:
        state = self.on.state
        player = actor_of(state)
        own = state.seat_of(player or "")
        assert player is not None
        assert own is not None
        assert state.running is not None
        legal = _legal(state.running, own.seat)
        command = legal[choice % len(legal)]
        lineage = self.on.row.begun if self.lineages else 0
        act = Act(player, state.turn, "act", lambda _seat: command, lineage=lineage)
        self._ask(Asked(act, self._request(player, repr((state.turn, command))), self.on.turn), process)

    def _expire(self, wait: str, process: int) -> None:
        on = self.processes[process]
        call = on.begin(self.expire(on.play, on.store, on.tally, self.table_id, wait))
        self.calls.append((call, wait))
        self._settled()

    def _held(self) -> list[Held]:
        return [held for process in self.processes for held in process.held]

    def _carry_out_all(self, process: int | None = None) -> None:
        """What was sent arrives, and its answers; of one process only, or of all."""
        settle(self.loop)
        while held := self._held() if process is None else self.processes[process].held:
            if not held[0].carried:
                held[0].carry_out()
            held[0].hand_over()
            self._settled()

    def _settled(self) -> None:
        """Let everything run as far as it can, and look at what was answered."""
        settle(self.loop)
        open_calls = []
        for task, about in self.calls:
            if not task.done():
                open_calls.append((task, about))
            elif task.cancelled():
                continue
            elif isinstance(about, str):
                self.on.expired(about, task.result())
            else:
                self.on.answered(about, task.exception() or task.result())
        self.calls = open_calls


def fingerprint(content: str) -> str:
    """Equal for equal content: that of a request."""
    return blake2b(content.encode(), digest_size=8).hexdigest()


def _legal(hand: HandState, seat: int) -> list[Command]:
    """What the seat may do, the least of each kind."""
    offer = legal_actions(hand, seat)
    assert offer is not None
    choices: list[Command] = []
    if offer.call is not None:
        choices.append(Call(seat))
    choices += [
        make(seat, span[0])
        for make, span in ((Open, offer.open), (Bet, offer.bet), (RaiseTo, offer.raise_to))
        if span
    ]
    if offer.can_check:
        choices.append(Check(seat))
    if offer.can_pass:
        choices.append(Pass(seat))
    if offer.draw is not None:
        held = next(player.cards for player in hand.players if player.seat == seat)
        choices += [Draw(seat, tuple(held[:count])) for count in (0, 2)]
    if offer.can_fold:
        choices.append(Fold(seat))
    return choices
