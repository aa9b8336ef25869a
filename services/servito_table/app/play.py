"""The one use case that everything goes through: load, decide, commit, announce, go on.

A command is decided on what this process knows of the table and made true by one commit. If the table had
moved, it is decided again on what the commit says. A refusal is only final once the store has confirmed that
the table is as we knew it and that the request was not carried out before. After a commit the table may go on
by itself: it gets its cards, or begins the next hand. That happens outside of the call, and if this process
dies first, the deadline of the wait brings another one to it (`expiry.py`). What each command does is in
`decide.py`. Money of whoever asks is only answered for when it is safe; the table goes on meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito_core.commands import Void
from servito_core.state import CardsNeeded
from servito_platform.log_context import enter
from servito_table.app.amnesty import restoring
from servito_table.app.cache import Cache, Locks
from servito_table.app.commands import Act, GoOn, Hold
from servito_table.app.commits import Answer, Committed, Moved, Repeated, Spared, Unmade
from servito_table.app.counting import count
from servito_table.app.decide import decide
from servito_table.app.moment import check_lineage
from servito_table.app.plan import kind_of, planned
from servito_table.app.ports import NeverDealt, NeverJudged
from servito_table.app.refusals import NotDue, OutcomeUnknown, TableReason, TableRefused, Unavailable, Unsafe
from servito_table.app.tasks import Tasks
from servito_table.app.waits import begins_hand

if TYPE_CHECKING:
    from servito_table.app.commands import TableCommand
    from servito_table.app.commits import Commit, Known, Request
    from servito_table.app.decide import Cards, Judgement, Question
    from servito_table.app.maintenance import Gate
    from servito_table.app.plan import Plan
    from servito_table.app.ports import Announcer, Dealer, Evaluator, Monitor, Safety, Store

CONFLICTS: Final = 5
"""How often a command is decided again because somebody else changed the table in between."""


class Play:
    """The tables of this process. Any process may serve any table; each remembers `remembered` of them
    decoded. Without `safety` a commit that is made is safe, without `gate` there is no maintenance.
    """

    def __init__(
        self,
        store: Store,
        evaluator: Evaluator,
        dealer: Dealer,
        announcer: Announcer,
        monitor: Monitor,
        remembered: int = 4096,
        safety: Safety | None = None,
        gate: Gate | None = None,
    ) -> None:
        self.cache = Cache(remembered)
        self.tasks = Tasks(TableRefused, NotDue)
        self._store = store
        self._evaluator = evaluator
        self._dealer = dealer
        self._announcer: Announcer = announcer
        self._monitor = monitor
        self._locks = Locks()
        self._safety = safety
        self._gate = gate

    async def run(self, table_id: str, command: TableCommand, request: Request | None = None) -> Answer:
        """Carry out a command to its end, even if the caller goes away. Raises TableRefused, NotDue."""
        work = self._run if self._safety is None else self._safely
        return await self.tasks.finish(work(table_id, command, request))

    async def see(self, table_id: str, min_version: int = 0) -> Known:
        """The table as the store has it now. Refused: UNKNOWN_TABLE, UNAVAILABLE (also if it is older than
        asked).
        """
        known = await self._look(table_id, self.cache.get(table_id), None)
        if isinstance(known, Answer):
            raise TypeError("a look without a request has no answer")
        if known.version < min_version:
            raise TableRefused(
                TableReason.UNAVAILABLE, f"the table is at version {known.version}", known.version
            )
        self.cache.offer(known)
        return known

    async def _safely(self, table_id: str, command: TableCommand, request: Request | None) -> Answer:
        answer = await self._run(table_id, command, request)
        if request is None or self._safety is None or not answer.moved_money:
            return answer
        if not await self._safety.has_request(table_id, request):
            raise Unsafe
        return answer

    async def _run(self, table_id: str, command: TableCommand, request: Request | None) -> Answer:
        await self._locks.acquire(table_id)
        try:
            held = self.cache.get(table_id)
            for _ in range(1 + CONFLICTS):
                plan = await self._plan(table_id, held, command, request)
                if isinstance(plan, Answer):
                    self._acted(command, "repeated")
                    return plan
                made = await self._carry_out(plan)
                if isinstance(made, Committed):
                    self._acted(command, "accepted")
                    return plan.commit.answer
                if isinstance(made, Repeated):
                    self._acted(command, "repeated")
                    return made.answer
                if isinstance(made, Spared):
                    held, command = plan.commit.before, restoring(plan.commit, made)
                else:
                    held = made.known
        finally:
            self._locks.release(table_id)
        raise TableRefused(TableReason.CONTENDED, "the table changed faster than this could be decided")

    async def _plan(
        self, table_id: str, held: Known | None, command: TableCommand, request: Request | None
    ) -> Plan | Answer:
        """What to commit next for `command`, or the answer that it got before."""
        if held is not None:
            try:
                return await self._judged(held, command, request)
            except Unavailable:
                raise
            except TableRefused:
                pass  # it may only seem so: what we hold may be old, or the request was carried out before
        looked = await self._look(table_id, held, request)
        if isinstance(looked, Answer):
            return looked
        try:
            return await self._judged(looked, command, request)
        except TableRefused as refused:
            self._acted(command, "refused")
            raise refused.at(looked.version) from None

    async def _judged(self, known: Known, command: TableCommand, request: Request | None) -> Plan:
        """The plan for `command`, with the questions of the decision answered."""
        enter(message=known.state)  # what is logged from now on, and what others are asked, is about this
        if isinstance(command, Act):
            check_lineage(known, command)
        elif self._gate is not None and begins_hand(known.state, command) and await self._gate.holds():
            command = Hold(on=True)
        deciding = decide(known.state, command)
        try:
            question = next(deciding)
            while True:
                question = deciding.send(await self._answered(question))
        except StopIteration as decided:
            return planned(known, command, decided.value, request)

    async def _answered(self, question: Question) -> Cards | Judgement:
        try:
            if not isinstance(question.needed, CardsNeeded):
                return await self._evaluator.judge(question.hand, question.needed)
            return await self._dealer.cards(
                question.table_id, question.hand, question.needed, question.holders
            )
        except (NeverDealt, NeverJudged) as never:
            who = "dealer" if isinstance(never, NeverDealt) else "evaluator"
            self._monitor.stalled(question.table_id, f"the {who} refuses for good: {never}; the hand is void")
            return Void()

    async def _carry_out(self, plan: Plan) -> Committed | Moved | Repeated | Spared:
        try:
            outcome = await self._store.commit(plan.commit)
        except OutcomeUnknown:
            self.cache.drop(plan.commit.state.id)
            raise
        if isinstance(outcome, Unmade):
            raise _unmade(outcome, plan)
        if isinstance(outcome, Committed):
            self._committed(plan, outcome)
        elif isinstance(outcome, Moved):
            self.cache.put(outcome.known)
            self._monitor.conflict()
        return outcome

    def _committed(self, plan: Plan, outcome: Committed) -> None:
        """What everybody is told, and what follows."""
        self.cache.put(outcome.known)
        self._announcer.committed(outcome.known, plan.commit.events)
        count(self._monitor, plan.commit, outcome)
        self._look_after_money(plan.commit, outcome)
        if plan.at_once:
            state = outcome.known.state
            self.tasks.spawn(self._go_on(state.id, state.turn))

    def _look_after_money(self, commit: Commit, outcome: Committed) -> None:
        """Where nobody waits for an answer about money that moved, see to its safety all the same."""
        if commit.money and self._safety is not None and not (commit.request and commit.answer.moved_money):
            self.tasks.spawn(self._safety.has_commit(outcome))

    async def _go_on(self, table_id: str, turn: int) -> None:
        """What follows without a player. If it fails, the deadline of the wait brings somebody back to it."""
        try:
            await self._run(table_id, GoOn(turn), None)
        except NotDue:
            pass  # somebody left meanwhile, and nothing is to be done until others come
        except TableRefused as refused:
            if refused.reason is not TableReason.STALE_TURN:  # somebody else went on
                self._monitor.stalled(table_id, refused.message)

    async def _look(self, table_id: str, held: Known | None, request: Request | None) -> Known | Answer:
        """The table as it is, or what the request was answered before."""
        looked = await self._store.look(table_id, held, request)
        if looked is None:
            raise TableRefused(TableReason.UNKNOWN_TABLE, "there is no table of this id")
        if isinstance(looked, Repeated):
            return looked.answer
        if isinstance(looked, Unmade):
            raise id_reused()
        return looked

    def _acted(self, command: TableCommand, outcome: str) -> None:
        kind = kind_of(command)
        if kind is not None:
            self._monitor.acted(kind, outcome)


def id_reused() -> TableRefused:
    """The refusal of a request id that was used before for something else."""
    return TableRefused(TableReason.REQUEST_ID_REUSED, "this request id was used before with other content")


def _unmade(why: Unmade, plan: Plan) -> Exception:
    version = plan.commit.version - 1
    if why is Unmade.REUSED:
        return id_reused().at(version)
    if why is Unmade.EARLY:
        return NotDue()
    return TableRefused(TableReason.TOO_LATE, "the time for this was up before it arrived", version)
