"""Spans around what is asked of the state server, where that is done in a trace that is recorded.

Nothing here begins a trace: what a process does for itself (looking around, sweeping) has none.
"""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeVar

from opentelemetry.trace import SpanKind

from servito_platform.firm import FirmLane
from servito_platform.lane import Lane
from servito_platform.log_context import current_trace
from servito_platform.tracing import Attribute, Value

if TYPE_CHECKING:
    from servito_platform.firm import Firm
    from servito_platform.redis import Argument, Script
    from servito_platform.tracing import Tracing

T = TypeVar("T")
_HASH_TAG: Final = "{p"


class TracedLane(Lane):
    """A lane, with spans."""

    def __init__(self, lane: Lane, tracing: Tracing) -> None:  # it has no connection of its own to set up
        self._lane = lane
        self._tracing = tracing

    async def execute(self, *command: Argument) -> Any:
        """See Lane."""
        asked = self._lane.execute(*command)
        key = command[1] if len(command) > 1 else ""
        return await _spanned(self._tracing, asked, Attribute.DB_COMMAND, str(command[0]), key)

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[Argument]) -> Any:
        """See Lane."""
        asked = self._lane.run(script, keys, args)
        return await _spanned(self._tracing, asked, Attribute.DB_SCRIPT, script.name, keys[0])

    async def execute_asking(self, *command: Argument) -> Any:
        """See Lane."""
        return await self._lane.execute_asking(*command)

    async def check(self) -> None:
        """See Lane."""
        await self._lane.check()

    async def close(self) -> None:
        """See Lane."""
        await self._lane.close()


class TracedFirmLane(FirmLane):
    """A firm lane, with spans, which show how long replicas were waited for."""

    def __init__(self, firm: FirmLane, tracing: Tracing) -> None:
        self._firm = firm
        self._tracing = tracing

    async def run(self, script: Script, keys: Sequence[str], args: Sequence[Argument]) -> Firm:
        """See FirmLane."""
        asked = self._firm.run(script, keys, args)
        return await _spanned(self._tracing, asked, Attribute.DB_SCRIPT, script.name, keys[0], firm=True)

    async def close(self) -> None:
        """See FirmLane."""
        await self._firm.close()


async def _spanned(
    tracing: Tracing,
    asked: Awaitable[T],
    attribute: Attribute,
    what: str,
    key: Argument,
    *,
    firm: bool = False,
) -> T:
    trace = current_trace()
    if trace is None or not trace.sampled:
        return await asked
    about: dict[Attribute, Value] = {Attribute.DB_SYSTEM: "redis", attribute: what}
    if isinstance(key, str) and key.startswith(_HASH_TAG):
        about[Attribute.PARTITION] = key[1 : key.index("}")]
    name = f"redis {what}" + (" and replicas" if firm else "")
    with tracing.span(name, SpanKind.CLIENT, about):
        return await asked
