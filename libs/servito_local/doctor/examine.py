"""Everything that the doctor looks at, in order: a report. Blocking; only reads.

What hangs on a server that does not answer is left out (`looked_at` is None), and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from servito_local.doctor.findings import Check, Finding, Kind, Report, Result, error, warning
from servito_local.doctor.opening import opened
from servito_local.doctor.replicas import replicas
from servito_local.doctor.servers import (
    BROKER,
    NO_ANSWER,
    PATIENCE,
    STATE,
    Reached,
    clocks,
    keeping,
    laid_out,
    memory,
    reached,
)
from servito_local.doctor.services import services
from servito_local.doctor.settings import Asking
from servito_local.doctor.tables import Seen
from servito_platform.clients import blocking_client
from servito_platform.keys import Keys
from servito_platform.place import Place
from servito_platform.safety.names import Risk
from servito_platform.settings import ServiceSettings, SettingsError, load_settings_from
from servito_witness.stored import partitions

if TYPE_CHECKING:
    from servito_local.doctor.where import Whereabouts
    from servito_platform.safety.facts import Facts

QUEUE: Final = "timeouts"
"""The list in the broker where Celery keeps the timers' claims."""
LONG_QUEUE: Final = 50
"""Claims; each worker has four under way at most."""

Servers = list[tuple[str, "Facts"]]


def examine(where: Whereabouts, *, patience: float) -> Report:
    """Look at all. `patience`: seconds after which a table that stands still counts as stuck."""
    asking = Asking(where)
    try:
        settings = load_settings_from(ServiceSettings, where.environment)
    except SettingsError:  # which each service says as well, by name
        return Report((asking.result(), *(Result(check, (), None) for check in list(Check)[1:])))
    results = look(where, settings, patience)
    return Report((asking.result(), *results))


def look(where: Whereabouts, settings: ServiceSettings, patience: float) -> tuple[Result, ...]:
    """Everything but the settings themselves."""
    state, broker = reached(settings.state, STATE), reached(settings.broker, BROKER)
    of_state: Servers = [(STATE, own) for own in state.servers]
    servers = [*of_state, *((BROKER, own) for own in broker.servers)]
    state_findings = [*state.findings, *(laid_out(settings) if of_state else ())]
    wanted = settings.replicas.wanted
    return (
        _of(Check.STATE, state_findings, of_state),
        _broker(settings.broker, broker),
        _each(Check.KEEPING, servers, lambda name, own: keeping(own, name, keeps=name == STATE)),
        _each(Check.MEMORY, servers, lambda name, own: memory(own, name)),
        _each(Check.REPLICAS, of_state, lambda _, own: replicas(own, wanted)),
        _of(Check.CLOCKS, clocks([*servers, *((STATE, own) for own in state.replicas)]), servers),
        *_stored(where, settings, patience, answers=bool(of_state)),
        services(where, settings),
    )


def _keeps_history(where: Whereabouts, settings: ServiceSettings) -> bool:
    """Whether there is an archive as far as can be seen from here: its address is the timers' secret."""
    if settings.development:
        return bool(where.environment.get("SERVITO_HISTORY_URL"))
    return Risk.NO_HISTORY not in settings.risks


def _of(check: Check, findings: Iterable[Finding], seen: Iterable[object]) -> Result:
    looked_at = len(list(seen))
    return Result(check, tuple(findings), looked_at or None)


def _each(check: Check, servers: Servers, judge: Callable[[str, Facts], Iterable[Finding]]) -> Result:
    return _of(check, (finding for name, own in servers for finding in judge(name, own)), servers)


def _broker(place: Place, found: Reached) -> Result:
    """Whether it answers, and how much nobody takes from it."""
    findings = list(found.findings)
    if found.servers:
        try:
            with blocking_client(place, PATIENCE) as client:
                length = int(client.llen(QUEUE))
        except NO_ANSWER as wrong:
            findings.append(error(Kind.UNREACHABLE, server=BROKER, error=type(wrong).__name__))
        else:
            if length > LONG_QUEUE:
                findings.append(warning(Kind.QUEUE_LONG, server=found.servers[0].address, length=length))
    return _of(Check.BROKER, findings, found.servers)


def _stored(
    where: Whereabouts, settings: ServiceSettings, patience: float, *, answers: bool
) -> tuple[Result, ...]:
    """Sweeps, deadlines, chips, hands and history, from one reading of all partitions; and what the table
    service says of the tables that are there.
    """
    seen, kept = Seen(patience), _keeps_history(where, settings)
    failed: tuple[Finding, ...] = ()
    held: tuple[Finding, ...] = ()
    if answers:
        try:
            with blocking_client(settings.state, PATIENCE) as client:
                keys = Keys(settings.partitions)
                for partition in partitions(client, keys):
                    seen.take(partition)
                held = tuple(seen.held.findings(client, keys))
        except (*NO_ANSWER, RuntimeError) as wrong:
            failed = (error(Kind.UNREACHABLE, server=STATE, error=type(wrong).__name__),)
            answers = False

    def result(check: Check, findings: Iterable[Finding], looked_at: int) -> Result:
        return Result(check, (*findings, *failed), looked_at if answers else None)

    return (
        result(Check.SWEEPS, seen.sweeps(), seen.partitions),
        result(Check.DEADLINES, seen.late(), seen.deadlines),
        result(Check.CHIPS, seen.chips(), seen.tables),
        result(Check.HANDS, (*seen.of_hands, *held), seen.hands),
        result(Check.HISTORY, seen.history(kept=kept), seen.partitions),
        opened(where, settings, seen.readable) if answers else result(Check.OPENING, (), 0),
    )
