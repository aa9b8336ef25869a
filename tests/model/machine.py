"""Everything that may happen at one table, in any order: two players and a third who comes and goes, two
table processes, sweepers, a state server with a replica that lags, and every way to lose a message.

Each rule is one step of one of them; how it is made to happen is in drive.py. What holds at all times is in
laws.py; `teardown` adds what holds in the end: when nothing goes wrong any more, the table goes on.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from servito_table.app.commands import Sit, SitIn, SitOut, Stand, TopUp
from servito_table.app.commits import Request
from servito_table.app.opening import create
from servito_table.app.state import TableConfig, actor_of
from tests.model.drive import Driven, fingerprint
from tests.model.laws import Asked
from tests.model.processes import settle

if TYPE_CHECKING:
    from servito_table.app.commands import TableCommand

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


class Protocol(Driven):
    """See the module."""

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
            self._ask(Asked(TopUp(player, 3), Request(player, name, fingerprint("other"))), process)
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
