"""Broken twins of the protocol: each leaves out one thing that it relies on, and breaks laws for it.

A twin is the real thing but for one cut in the text of a script, or one function in another's place. A cut
that does not fit the script any more is an error, so that no twin becomes whole unnoticed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

from servito_table.app.expiry import Expiry, expire
from servito_table.app.refusals import TableRefused
from tests.model.laws import Law
from tests.model.machine import Protocol

if TYPE_CHECKING:
    from servito_table.app.play import Play
    from servito_table.app.ports import Monitor, Store
    from tests.model.server import Cut

COMMIT, LOOK, CLAIM, MEND = "commit.lua", "look.lua", "claim.lua", "mend.lua"
_PACKAGES: Final = {
    COMMIT: "servito_table.adapters",
    LOOK: "servito_table.adapters",
    CLAIM: "servito_platform",
    MEND: "servito_table.adapters",
}


@dataclass(frozen=True)
class Twin:
    """What is left out, and the laws of which it has to break one. `cuts`: script, text, what takes its
    place; `members`: what its machine has otherwise; `rules`: what may happen besides quiet moments.
    """

    laws: frozenset[Law]
    rules: frozenset[str]
    cuts: tuple[tuple[str, str, str], ...] = ()
    members: Mapping[str, Any] = field(default_factory=dict)
    path: Callable[[Protocol], None] | None = None
    """Events that lead there, where the search takes long."""

    def machine(self, url: str, *, narrow: bool = True) -> type[Protocol]:
        """The machine that drives it; `narrow`: by its rules alone."""
        names = {name for name, what in vars(Protocol).items() if hasattr(what, "hypothesis_stateful_rule")}
        if not self.rules < names:
            raise ValueError(f"there is no rule {self.rules - names}")
        left_out = dict.fromkeys(names - self.rules - {"a_quiet_moment"} if narrow else ())
        cuts = tuple(_fitting(*cut) for cut in self.cuts)
        return type("Twin", (Protocol,), {"url": url, "cuts": cuts, **left_out, **self.members})


def _fitting(script: str, old: str, new: str) -> Cut:
    text = resources.files(_PACKAGES[script]).joinpath(script).read_text(encoding="utf-8")
    if text.count(old) != 1:
        raise ValueError(f"{script} has this {text.count(old)} times, not once: {old!r}")
    return old, new


async def _rereading(play: Play, store: Store, monitor: Monitor, table_id: str, wait: str) -> Expiry:
    """End the turn of now, whichever wait the claim named (PITFALLS R17)."""
    try:
        known = await play.see(table_id)
    except TableRefused:
        return Expiry.FAILED
    return await expire(play, store, monitor, table_id, str(known.state.turn) if wait.isdecimal() else wait)


def _remembered_before(table: Protocol) -> None:
    """One process remembers a version that is lost; the other one makes it anew; the first one acts on it."""
    table.opened(sits=2, begun=True, banks=0)
    table.replica_catches_up()
    table.a_quiet_moment(choices=[0], process=0)
    table.failover(choices=[1], process=1)
    table.act(choice=0, process=0)


def _acted_before(table: Protocol) -> None:
    """An act is on its way when its turn is lost, and arrives in another one of that number."""
    table.opened(sits=2, begun=True, banks=0)
    table.replica_catches_up()
    table.a_quiet_moment(choices=[1], process=0)
    table.act(choice=0, process=1)
    table.failover(choices=[1], process=0)


def _laws(*laws: Law) -> frozenset[Law]:
    return frozenset(laws)


def _rules(*names: str) -> frozenset[str]:
    return frozenset(names)


_LEASE: Final = "redis.call('ZADD', KEYS[1], 'XX', now + ARGV[2], due[i])"
_SAME: Final = "if version .. ' ' .. lineage ~= ARGV[1] then"
_SWEEPS: Final = ("sweep", "claim_arrives", "claim_lost", "a_deadline_comes", "a_call")
TWINS: Final = {
    "no fence for the timers": Twin(
        _laws(Law.NOT_EARLY),
        _rules("misfire"),
        ((COMMIT, "elseif not (ends > 0 and ends <= now) then", "elseif false then"),),
    ),
    "no fence for acts": Twin(
        _laws(Law.IN_TIME),
        _rules("act_at_the_last_moment"),
        ((COMMIT, "if ends > 0 and now > ends + string.match(ARGV[5], '%d+') and not (", "if false and ("),),
    ),
    "the turn is read again": Twin(
        _laws(Law.NOT_ACTED_ON),
        _rules("misfire", "act_at_the_last_moment", "a_deadline_comes"),
        members={"expire": staticmethod(_rereading)},
    ),
    "an outage is forgotten": Twin(
        _laws(Law.NO_OUTAGE),
        _rules("time_passes", "sweep", "misfire"),
        ((COMMIT, "if left and ARGV[4] == 'turn' then", "if false then"),),
    ),
    "a claim has no lease": Twin(_laws(Law.ONE_CLAIM), _rules(*_SWEEPS), ((CLAIM, _LEASE, ""),)),
    "a claim removes what the commit should": Twin(
        _laws(Law.GOES_ON, Law.DEADLINES),
        _rules("sweep", "claim_lost", "a_deadline_comes"),
        ((CLAIM, _LEASE, "redis.call('ZREM', KEYS[1], due[i])"),),
    ),
    "the request id is not looked at": Twin(
        _laws(Law.ONCE, Law.FIRST_ANSWER),
        _rules("ask", "ask_again", "a_call"),
        (
            (COMMIT, "if request ~= '' then\n  local _", "if false then\n  local _"),
            (LOOK, "if ARGV[2] ~= '' then", "if false then"),
        ),
    ),
    "the content of a request is not looked at": Twin(
        _laws(Law.FIRST_ANSWER),
        _rules("ask", "ask_again", "a_call"),
        (
            (COMMIT, "if string.sub(saved, 1, 16) == ARGV[11] then", "if true then"),
            (LOOK, "if string.sub(saved, 1, 16) == ARGV[3] then", "if true then"),
        ),
    ),
    "the version is not compared": Twin(
        _laws(Law.GAPLESS, Law.STORY, Law.CHIPS),
        _rules("ask", "act", "a_call"),
        ((COMMIT, _SAME, "if false then"),),
    ),
    "the lineage is not compared": Twin(
        _laws(Law.GAPLESS, Law.STORY, Law.CHIPS),
        _rules("failover", "replica_catches_up"),
        (
            (COMMIT, _SAME, "if version ~= string.match(ARGV[1], '%d+') then"),
            (
                LOOK,
                "if version .. ' ' .. lineage == ARGV[1] then",
                "if version == string.match(ARGV[1], '%d+') then",
            ),
        ),
        path=_remembered_before,
    ),
    "acts do not say in which lineage": Twin(
        _laws(Law.MOMENT),
        _rules("failover", "act", "ask_again"),
        members={"lineages": False},
        path=_acted_before,
    ),
    "money is answered for before a replica has it": Twin(
        _laws(Law.KEPT), _rules("failover", "ask"), members={"firm": False}
    ),
    "the deadline of a turn stays behind": Twin(
        _laws(Law.DEADLINES), _rules("act"), ((COMMIT, "redis.call('ZREM', KEYS[2], over)", ""),)
    ),
    "mending does not look what is there": Twin(
        _laws(Law.ONE_CLAIM),
        _rules("sweep", "a_deadline_comes", "mended"),
        ((MEND, "'NX', held[1]", "held[1]"), (MEND, "'NX', ends", "ends")),
    ),
    "the deadline is not written with the turn": Twin(
        _laws(Law.DEADLINES, Law.GOES_ON),
        _rules("act"),
        ((COMMIT, "redis.call('ZADD', KEYS[2], deadline, member)", ""),),
    ),
}
