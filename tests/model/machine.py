"""Everything that may happen at one table, in any order: two players and a third who comes and goes, two
table processes, sweepers, a state server with a replica that lags, and every way to lose a message.

Each rule is one step of one of them. What holds at all times is in laws.py; `teardown` adds what holds in the
end: when nothing goes wrong any more, the table goes on.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from enum import StrEnum
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, ClassVar, Final

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from servito_core.commands import Bet, Call, Check, Draw, Fold, Open, Pass, RaiseTo
from servito_core.hand import legal_actions
from servito_platform.deadlines import Deadlines, Sweep
from servito_platform.keys import Keys
from servito_platform.redis import Script
from servito_table.app.commands import Act, Sit, SitIn, SitOut, Stand, TopUp
from servito_table.app.commits import Request
from servito_table.app.expiry import expire
from servito_table.app.opening import create
from servito_table.app.state import TableConfig, actor_of
from tests.model.laws import Asked, Book, Law, Sent, hold
from tests.model.processes import OUTAGE_MS, Held, Process, settle
from tests.model.server import Server
from tests.table.twins import DeckDealer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_core.commands import Command
    from servito_core.state import HandState
    from servito_table.app.commands import TableCommand
    from tests.model.server import Cut

CONFIG: Final = TableConfig(
    name="Modello",
    preset="italiana",
    options={"open.requirement": "none"},
    seats=3,
    min_buy_in=10,
    max_buy_in=90,
    turn_ms=5_000,
    pause_ms=2_000,
    away_after=3,
    sit_out_ms=20_000,
    time_bank_ms=3_000,
    time_banks=1,
    time_bank_hands=2,
)
PLAYERS: Final = ("ann", "bob", "cat")
LEASE_MS: Final = 1_000
ROUNDS: Final = 6
"""Waits that have to come to their end once the faults have stopped."""
PATIENCE: Final = 4
"""How often one of them may be due: a lease of before runs out, a time bank and an outage prolong it."""
MEND: Final = Script.of_package("servito_table.adapters", "mend.lua")
PLACES: Final = st.integers(0, 7)
PROCESS: Final = st.integers(0, 1)
SWEPT: Final = st.sampled_from((True, True, True, False))
CHOICES: Final = st.lists(PLACES, max_size=5)


class Fate(StrEnum):
    """What may become of a call to the state server or the dealer."""

    ARRIVES = "carried out, and its answer arrives"
    CARRIED_OUT = "carried out, its answer is on its way"
    ANSWER_LOST = "carried out, and its caller never learns of it"
    LOST = "never arrives"
    NOT_SENT = "cannot be sent, and its caller knows that"
    LATE = "is given up, and arrives later"


_CARRIED: Final = (Fate.ARRIVES, Fate.CARRIED_OUT, Fate.ANSWER_LOST)


class Protocol(RuleBasedStateMachine):
    """See the module. A twin sets `cuts` or overrides `expire`."""

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
        self.asked: list[Asked] = []
        self.calls: list[tuple[asyncio.Task[Any], Sent | str]] = []
        self.claims: list[list[str]] = []
        self.late: list[Held] = []
        """Calls that were given up, and are still on their way."""

    @initialize(sits=st.integers(2, 3), begun=st.booleans(), banks=st.integers(0, 1))
    def opened(self, sits: int, begun: bool, banks: int) -> None:
        """The table exists, and players sit there; perhaps it is somebody's turn already."""
        store = self.processes[0].store
        creating = self.processes[0].begin(create(store, "owner", "r0", replace(CONFIG, time_banks=banks)))
        self.table_id = ""
        settle(self.loop)
        self._carry_out_all()
        self.table_id = creating.result()
        for player in PLAYERS[:sits]:
            self._ask(Asked(Sit(player, None, 40), self._request(player, "sit")), 0)
            self._carry_out_all()
        if begun:
            self._a_wait_ends()

    @precondition(lambda self: actor_of(self.on.state) is not None)
    @rule(choice=PLACES, process=PROCESS)
    def act(self, choice: int, process: int) -> None:
        """The player whose turn it is does something."""
        self._act(choice, process)

    @precondition(lambda self: actor_of(self.on.state) is not None)
    @rule(choice=PLACES, process=PROCESS, off=st.sampled_from((-1, 0, 1, 300, 301)), swept=SWEPT)
    def act_at_the_last_moment(self, choice: int, process: int, off: int, swept: bool) -> None:
        """The same, about when the deadline passes."""
        ends = self.on.row.waits[str(self.on.row.turn)]
        self._act(choice, process)
        self._pass_time(max(0, ends + off - self.server.now), swept=swept)
        self._carry_out_all(process)

    @rule(
        player=st.sampled_from(PLAYERS),
        what=st.sampled_from((TopUp, TopUp, Sit, Stand, SitOut, SitIn)),
        process=PROCESS,
    )
    def ask(self, player: str, what: type[Any], process: int) -> None:
        """Somebody wants something that is no act."""
        commands: dict[type[Any], TableCommand] = {
            TopUp: TopUp(player, 7),
            Sit: Sit(player, None, 40),
            Stand: Stand(player),
            SitOut: SitOut(player),
            SitIn: SitIn(player),
        }
        self._ask(Asked(commands[what], self._request(player, what.__name__)), process)

    @precondition(lambda self: self.asked)
    @rule(which=PLACES, process=PROCESS, otherwise=st.sampled_from((False, False, True)))
    def ask_again(self, which: int, process: int, otherwise: bool) -> None:
        """A request is sent once more, the latest ones rather than others; or its id is used for something
        else.
        """
        earlier = self.asked[-1 - which % len(self.asked)]
        if otherwise:
            player, name = earlier.key
            self._ask(Asked(TopUp(player, 3), Request(player, name, _mark("other"))), process)
        else:
            self._send(earlier, process)

    @precondition(lambda self: self._held())
    @rule(which=PLACES, fate=st.sampled_from(Fate))
    def a_call(self, which: int, fate: Fate) -> None:
        """Something becomes of a call that was made."""
        held = self._held()[which % len(self._held())]
        if fate in _CARRIED and not held.carried:
            held.carry_out()
        if fate is Fate.ARRIVES:
            held.hand_over()
        elif fate is Fate.NOT_SENT and not held.carried:
            held.refuse()
        elif fate is not Fate.CARRIED_OUT:
            held.lose()
        if fate is Fate.LATE and not held.carried:
            self.late.append(held)
        self._settled()

    @precondition(lambda self: self.late)
    @rule(which=PLACES)
    def arrives_late(self, which: int) -> None:
        """What was given up is carried out."""
        self.late.pop(which % len(self.late)).carry_out()

    @rule(ms=st.sampled_from((1, 250, 1_000, 2_000, 6_000)), swept=SWEPT)
    def time_passes(self, ms: int, swept: bool) -> None:
        """The clock goes on; somebody sweeps, and has no room for a claim, or nobody does."""
        self._pass_time(ms, swept=swept)

    @precondition(lambda self: self.on.row.waits)
    @rule(off=st.sampled_from((-1, 0, 0, 0, 300, 301)), swept=SWEPT)
    def a_deadline_comes(self, off: int, swept: bool) -> None:
        """The clock goes on to where a deadline is."""
        self._pass_time(max(0, min(self.on.row.waits.values()) + off - self.server.now), swept=swept)

    @precondition(lambda self: self.on.row.members)
    @rule(which=PLACES)
    def a_deadline_is_lost(self, which: int) -> None:
        """Somebody takes one from where the timers look."""
        members = sorted(self.on.row.members)
        wait = members[which % len(members)]
        self.server.client.zrem(self.keys.deadlines(0), f"{self.table_id}:{wait}")
        self.on.lost(wait)

    @rule()
    def mended(self) -> None:
        """A process looks whether all deadlines are there."""
        self._mend()

    @rule(limit=st.sampled_from((1, 256)))
    def sweep(self, limit: int) -> None:
        """A sweeper claims what is due."""
        if waits := self._claim(limit):
            self.claims.append(waits)

    @precondition(lambda self: self.claims)
    @rule(which=PLACES, process=PROCESS, again=st.booleans())
    def claim_arrives(self, which: int, process: int, again: bool) -> None:
        """A claim reaches a table process; perhaps once more later."""
        waits = self.claims[which % len(self.claims)]
        if not again:
            self.claims.remove(waits)
        for wait in waits:
            self._expire(wait, process)

    @precondition(lambda self: self.claims)
    @rule(which=PLACES)
    def claim_lost(self, which: int) -> None:
        """A worker dies with its claim."""
        self.claims.pop(which % len(self.claims))

    @precondition(lambda self: self.on.row.turn)
    @rule(which=PLACES, process=PROCESS)
    def misfire(self, which: int, process: int) -> None:
        """A wait is named that nobody claimed, or somebody long ago."""
        turn = self.on.row.turn
        waits = sorted({*self.on.row.waits, *(str(number) for number in range(max(0, turn - 2), turn))})
        self._expire(waits[which % len(waits)], process)

    @rule(process=PROCESS, late=st.booleans())
    def killed(self, process: int, late: bool) -> None:
        """A table process dies, and another takes its place that knows nothing."""
        left = self.processes[process].kill()
        if late:
            self.late += left
        self._settled()

    @precondition(lambda self: len(self.on.story) > self.on.replicated)
    @rule()
    def replica_catches_up(self) -> None:
        """The replica has all that there is."""
        self.on.replicate()

    @precondition(lambda self: len(self.on.story) > self.on.replicated)
    @rule(choices=CHOICES, process=PROCESS)
    def failover(self, choices: list[int], process: int) -> None:
        """The primary dies: what its replica did not have is lost, and what was on its way to it. Then the
        table goes on, perhaps, before everybody noticed.
        """
        self.late.clear()
        self.on.fail_over()
        self._go_on(choices, process)

    @rule(choices=CHOICES, process=PROCESS)
    def a_quiet_moment(self, choices: list[int], process: int) -> None:
        """Nothing goes wrong for a while: what was sent arrives, players act, waits end where nobody does."""
        self._carry_out_all()
        self._go_on(choices, process)

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
        return Request(player, f"r{len(self.asked) + 1}", _mark(content))

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


def _mark(content: str) -> str:
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
