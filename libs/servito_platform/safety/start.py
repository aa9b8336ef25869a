"""Whether a service may start as it is configured: in production nothing unsafe, warnings in development.

Settings are judged first, then the state server, where the service uses one and it answers: an outage must
not keep a fleet from starting again, so a silent server is logged and nothing more (the doctor asks too). But
for the number of partitions: in the wrong one no mode lets a service run, and where the server was silent a
thread looks as soon as it answers, and ends the process then. Blocking; to be called before the event loop
runs.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator
from time import sleep
from typing import TYPE_CHECKING, Final

import structlog
from redis.exceptions import RedisClusterException, RedisError

from servito_platform.clients import blocking_client
from servito_platform.keys import Keys
from servito_platform.laid_out import OtherPartitions, lay_out
from servito_platform.redis import StateUnavailable
from servito_platform.safety.channels import judge_channels
from servito_platform.safety.facts import read_facts
from servito_platform.safety.names import Unsafe
from servito_platform.safety.servers import judge_server
from servito_platform.safety.servers_of import primaries
from servito_platform.safety.settings import Uses, judge_settings
from servito_platform.scheduling import work_in_batches

if TYPE_CHECKING:
    from servito_platform.settings import ServiceSettings

_PATIENCE: Final = 2.0
_AGAIN: Final = 0.25
"""Seconds between looks at a state server that was silent."""
_NO_ANSWER: Final = (RedisError, RedisClusterException, OSError, StateUnavailable)
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class UnsafeStart(Exception):  # noqa: N818 - the word for it
    """Production mode, and unsafe: one line for each risk, with what is allowed. Or, in any mode, partitions
    that are not those of the state.
    """


def check_safety(settings: ServiceSettings, uses: Uses) -> list[Unsafe]:
    """The risks that a service starts with; in production the accepted ones. UnsafeStart."""
    found = judge_settings(settings, uses)
    if uses.stores:
        found += _of_state(settings, uses)
        _check_partitions(settings)
    if not settings.development and (refused := [each for each in found if each.risk not in settings.risks]):
        raise UnsafeStart("\n".join(f"unsafe in production mode: {each}" for each in refused))
    for each in found:
        _log.warning("unsafe_configuration", risk=each.risk.value, told=str(each))
    return found


def _of_state(settings: ServiceSettings, uses: Uses) -> list[Unsafe]:
    try:
        return list(_judged(settings, uses))
    except _NO_ANSWER as error:
        _log.warning("state_server_unchecked", error=type(error).__name__)
        return []


def _judged(settings: ServiceSettings, uses: Uses) -> Iterator[Unsafe]:
    with primaries(settings.state, _PATIENCE) as servers:
        for address, client in servers:
            what = f"the state server {address}"
            yield from judge_server(read_facts(client, address), what, keeps=True)
            if uses.wakes:
                yield from judge_channels(client, Keys(settings.partitions), what)


def _check_partitions(settings: ServiceSettings) -> None:
    try:
        _lay_out(settings)
    except OtherPartitions as other:
        raise UnsafeStart(str(other)) from None
    except _NO_ANSWER as error:
        _log.warning("partitions_unchecked", error=type(error).__name__, said=str(error))
        threading.Thread(target=_check_later, args=(settings,), name="partitions", daemon=True).start()


def _lay_out(settings: ServiceSettings) -> None:
    with blocking_client(settings.state, _PATIENCE) as client:
        lay_out(client, settings.partitions)


def _check_later(settings: ServiceSettings) -> None:
    """Until the state server has answered; the end of the process where it answers with another number."""
    work_in_batches()  # this thread is there before its process says so for all that it starts
    while True:
        sleep(_AGAIN)
        try:
            _lay_out(settings)
        except OtherPartitions as other:
            sys.stderr.write(f"cannot go on:\n  {other}\n")
            sys.stderr.flush()
            os._exit(2)  # nothing of what it was about to do may be done any more
        except _NO_ANSWER:
            continue
        return
