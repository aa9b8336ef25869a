"""How often and how long the SDK tries again, and the count of it.

Everything that changes something carries a request id, and a repeat carries the same one, so trying again
can never do a thing twice. Here: the policy, its arithmetic for calls (stamina) and for streams (Backoff).
Not here: which errors are worth another try (errors.py says)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from random import Random
from typing import TypeVar

import stamina

from servito_client.errors import TableError

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Seconds.

    The wait doubles from `first_wait` to `longest_wait`; nothing is tried after `give_up_after`.
    """

    first_wait: float = 0.05
    longest_wait: float = 1.0
    give_up_after: float = 30.0
    """Since the first try of a call; since the last sign of life of a stream."""
    call_timeout: float = 5.0
    """For one try: a call without an answer by then is sent again."""


@dataclass(slots=True)
class Effort:
    """What the network cost so far; one object may be shared by many players."""

    retries: int = 0
    """Calls and acts sent again, and streams opened again, because something failed."""
    led_on: int = 0
    """Streams that ended with a goodbye, as before a process is replaced, and were opened again; no failure.
    """


async def repeated(once: Callable[[], Awaitable[Answer]], policy: RetryPolicy, effort: Effort) -> Answer:
    """The answer of `once`, called again while its `TableError` is retryable and the policy allows.

    Hardly any call is repeated, and to begin with stamina costs more than all else that is done for one here:
    so it is told of the first failure only.
    """
    begun = asyncio.get_running_loop().time()
    try:
        return await once()
    except TableError as error:
        left = policy.give_up_after - (asyncio.get_running_loop().time() - begun)
        if not error.retryable or left <= 0:
            raise
        return await _again(error, once, policy, effort, left)


async def _again(
    error: TableError,
    once: Callable[[], Awaitable[Answer]],
    policy: RetryPolicy,
    effort: Effort,
    seconds: float,
) -> Answer:
    context = stamina.retry_context(
        on=_worth_it,
        attempts=None,
        timeout=seconds,
        wait_initial=policy.first_wait,
        wait_max=policy.longest_wait,
        wait_jitter=policy.first_wait,
    )
    async for attempt in context:
        with attempt:
            if attempt.num == 1:
                raise error
            effort.retries += 1
            return await once()
    raise AssertionError("a retry loop ends by an answer or by an error")


def _worth_it(error: Exception) -> bool:
    return isinstance(error, TableError) and error.retryable


class Backoff:
    """The pauses of one stream that is opened again and again; a sign of life begins them anew."""

    def __init__(self, policy: RetryPolicy, effort: Effort, rng: Random) -> None:
        self._policy, self._effort, self._rng = policy, effort, rng
        self._failures = 0
        self._dead_since: float | None = None
        self._led_on_at: float | None = None

    def alive(self) -> None:
        """Something arrived."""
        self._failures = 0
        self._dead_since = None

    async def led_on(self) -> None:
        """The server said goodbye: the next stream is opened at once, but not again and again."""
        now, before = asyncio.get_running_loop().time(), self._led_on_at
        self._led_on_at = now
        self._effort.led_on += 1
        if before is not None and now - before < self._policy.longest_wait:
            await asyncio.sleep(self._policy.first_wait * self._rng.uniform(0.5, 1.0))

    async def pause(self, error: TableError) -> None:
        """Waits before the next try; raises `error` when that is useless or nothing lived for too long."""
        now = asyncio.get_running_loop().time()
        self._dead_since = now if self._dead_since is None else self._dead_since
        if not error.retryable or now - self._dead_since > self._policy.give_up_after:
            raise error
        self._effort.retries += 1
        wait = min(self._policy.first_wait * 2**self._failures, self._policy.longest_wait)
        self._failures += 1
        await asyncio.sleep(wait * self._rng.uniform(0.5, 1.0))
