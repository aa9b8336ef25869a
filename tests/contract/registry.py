"""The table rpc x reason -> how that refusal is met, and rpc -> how it succeeds.

A case is an async function that gets the `Stage` and returns what is to be asked; whoever adds an rpc, or a
reason to an rpc's comment, writes its cases into a module of `tests/contract/cases`, where they are found by
themselves:

    @succeeds("Sit")
    async def a_free_seat(stage: Stage) -> Asked: ...

    @refuses("Sit", "SEAT_TAKEN")
    async def somebody_sits_there(stage: Stage) -> Asked: ...

The case of success also serves every general refusal of that rpc (`general`). Not here: what is promised
(`promises`) and what is asserted of an answer (`test_refusals`, `test_successes`).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tests.contract import cases

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from google.protobuf.message import Message

    from tests.contract.stage import Stage


@dataclass(frozen=True)
class Asked:
    """A request, ready to be sent: by a player or a service, or, `player` being None, by nobody."""

    request: Message
    player: str | None = "ann"
    token: str | None = None
    """Another `authorization` than that of the player."""
    raw: bytes | None = None
    """Sent instead of the request."""
    damage: AbstractAsyncContextManager[None] | None = None
    """What is wrong with the world while it is sent; see `tests.contract.damage`."""
    hasty: bool = False
    """Send it to the table process that waits only a little for its state server."""

    @property
    def content(self) -> bytes:
        """What is sent."""
        return self.request.SerializeToString() if self.raw is None else self.raw

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What goes with the call."""
        if self.token is not None:
            return (("authorization", self.token),)
        return () if self.player is None else (("authorization", f"Bearer dev:{self.player}"),)


Case = Callable[["Stage"], Awaitable[Asked]]


@dataclass(frozen=True)
class Registry:
    """All cases; see the module."""

    successes: dict[str, Case]
    refusals: dict[tuple[str, str], list[Case]]
    impossible: dict[tuple[str, str], str]
    """General refusals that an rpc cannot meet, with the reason why."""
    alone: set[tuple[str, str]]
    """General refusals that an rpc meets only by its own cases."""


_registry = Registry({}, {}, {}, set())


def succeeds(rpc: str) -> Callable[[Case], Case]:
    """The function says how that rpc succeeds; one for each rpc."""

    def register(case: Case) -> Case:
        assert rpc not in _registry.successes, f"{rpc} has a case of success already"
        _registry.successes[rpc] = case
        return case

    return register


def refuses(rpc: str, reason: str, *, alone: bool = False) -> Callable[[Case], Case]:
    """The function says how that rpc is refused for that reason; there may be several. `alone`: where the
    reason is a general one, the general way to it does not lead there.
    """

    def register(case: Case) -> Case:
        _registry.refusals.setdefault((rpc, reason), []).append(case)
        if alone:
            _registry.alone.add((rpc, reason))
        return case

    return register


def cannot(rpc: str, reason: str, why: str) -> None:
    """No case can be written for a general refusal of that rpc, and why."""
    _registry.impossible[rpc, reason] = why


@cache
def registry() -> Registry:
    """The cases of all modules of `tests.contract.cases`."""
    for module in pkgutil.iter_modules(cases.__path__):
        importlib.import_module(f"{cases.__name__}.{module.name}")
    return _registry
