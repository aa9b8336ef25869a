"""Whether a service may start as it is configured: in production nothing unsafe, warnings in development.

Settings are judged first, then the state server, where the service uses one and it answers: an outage must
not keep a fleet from starting again, so a silent server is logged and nothing more (the doctor asks too).
Blocking; to be called before the event loop runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

import structlog
from redis.exceptions import RedisClusterException, RedisError

from servito_platform.safety.facts import read_facts
from servito_platform.safety.names import Unsafe
from servito_platform.safety.servers import judge_server
from servito_platform.safety.servers_of import primaries
from servito_platform.safety.settings import Uses, judge_settings

if TYPE_CHECKING:
    from servito_platform.settings import ServiceSettings

_PATIENCE: Final = 2.0
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class UnsafeStart(Exception):  # noqa: N818 - the word for it
    """Production mode, and unsafe: one line for each risk, with what is allowed."""


def check_safety(settings: ServiceSettings, uses: Uses) -> list[Unsafe]:
    """The risks that a service starts with; in production the accepted ones. UnsafeStart."""
    found = judge_settings(settings, uses)
    if uses.stores:
        found += _of_state(settings)
    if not settings.development and (refused := [each for each in found if each.risk not in settings.risks]):
        raise UnsafeStart("\n".join(f"unsafe in production mode: {each}" for each in refused))
    for each in found:
        _log.warning("unsafe_configuration", risk=each.risk.value, told=str(each))
    return found


def _of_state(settings: ServiceSettings) -> Sequence[Unsafe]:
    try:
        return list(_judged(settings))
    except (RedisError, RedisClusterException, OSError) as error:
        _log.warning("state_server_unchecked", error=type(error).__name__)
        return ()


def _judged(settings: ServiceSettings) -> Iterator[Unsafe]:
    with primaries(settings.state, _PATIENCE) as servers:
        for address, client in servers:
            yield from judge_server(read_facts(client, address), f"the state server {address}", keeps=True)
