"""Clients of the state server, and scripts on it.

Here: how a client is made from the settings (a single server; Sentinel and Cluster get their place in the two
factories), the deadline of a call, and Script. Not here: key names (keys.py), what a script does (the .lua
files beside their users).

Theory. redis-py repeats a command up to ten times by itself, which doubles effects; here it never does. Its
socket timeout costs a third of the throughput and swallows cancellations; here there is none, and every call
has a deadline of its own instead. A call that missed it, or lost its connection, may have been carried out:
its outcome is unknown, and only a script that carries a request id may be sent again. A caller that goes away
does not stop a script halfway to its answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha1
from importlib import resources
from typing import Any, Final, Self, TypeVar

import grpc
import redis
import redis.asyncio
from redis.asyncio.retry import Retry as AsyncRetry
from redis.backoff import NoBackoff
from redis.exceptions import NoScriptError
from redis.retry import Retry

from servito_platform.errors import RpcError
from servito_platform.settings import ServiceSettings

Argument = str | bytes | int | float
T = TypeVar("T")

_CONNECT_SECONDS: Final = 1.0
_BENEFIT_OF_DOUBT: Final = 0.1
"""Part of the time for an answer that is waited for once more."""
_NO_ANSWER: Final = (redis.exceptions.ConnectionError, redis.exceptions.TimeoutError, TimeoutError, OSError)
_running: Final[set[asyncio.Task[Any]]] = set()


class StateUnavailable(RpcError):  # noqa: N818 - it says what is the case
    """The state server gave no answer in time; what was asked may have been done, or not."""

    def __init__(self) -> None:
        super().__init__(
            grpc.StatusCode.UNAVAILABLE,
            "UNAVAILABLE",
            "the state server did not answer; send the same request again",
            retry_after=0.25,
        )


def state_client(settings: ServiceSettings) -> redis.asyncio.Redis:
    """A client with a bounded pool; whoever makes it closes it with `aclose()`."""
    pool = redis.asyncio.BlockingConnectionPool.from_url(
        settings.state_url.get_secret_value(),
        max_connections=settings.state_connections,
        timeout=settings.state_timeout,
        retry=AsyncRetry(NoBackoff(), 0),
        socket_timeout=None,
        socket_connect_timeout=_CONNECT_SECONDS,
        protocol=2,
    )
    return redis.asyncio.Redis.from_pool(pool)


def blocking_state_client(settings: ServiceSettings) -> redis.Redis:
    """A client for threads (the timers); here the socket timeout is the deadline of a call."""
    return redis.Redis.from_url(
        settings.state_url.get_secret_value(),
        retry=Retry(NoBackoff(), 0),
        socket_timeout=settings.state_timeout,
        socket_connect_timeout=_CONNECT_SECONDS,
        protocol=2,
    )


async def within(seconds: float, answer: Awaitable[T]) -> T:
    """Await an answer of the state server; StateUnavailable when none comes in `seconds` and a tenth."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(None) as limit:
            # Perhaps it was this process that stood still until the time was over, and the answer is there
            # and not read yet: then it is read before the second moment.
            look = loop.call_later(
                seconds, lambda: limit.reschedule(loop.time() + _BENEFIT_OF_DOUBT * seconds)
            )
            try:
                return await answer
            finally:
                look.cancel()
    except _NO_ANSWER as error:
        raise StateUnavailable from error


@contextmanager
def unavailable_on_no_answer() -> Iterator[None]:
    """For blocking clients: StateUnavailable when the server does not answer inside."""
    try:
        yield
    except _NO_ANSWER as error:
        raise StateUnavailable from error


class Script:
    """A Lua script, sent by its hash and, when the server does not know it, in full with the same effect."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.sha = sha1(text.encode(), usedforsecurity=False).hexdigest()

    @classmethod
    def of_package(cls, package: str, name: str) -> Self:
        """The script in file `name` of `package`."""
        return cls(resources.files(package).joinpath(name).read_text(encoding="utf-8"))

    async def run(
        self,
        client: redis.asyncio.Redis,
        keys: Sequence[str],
        args: Sequence[Argument],
        *,
        seconds: float,
    ) -> Any:
        """Its answer, bytes and ints as Redis sends them; StateUnavailable when none comes in `seconds`.

        It runs to its end even if the caller is cancelled meanwhile.
        """
        task = asyncio.ensure_future(within(seconds, self._send(client, keys, args)))
        _running.add(task)
        task.add_done_callback(_running.discard)
        return await asyncio.shield(task)

    def run_blocking(self, client: redis.Redis, keys: Sequence[str], args: Sequence[Argument]) -> Any:
        """Its answer, in a thread; StateUnavailable when none comes within the client's deadline."""
        return self.run_blocking_each(client, [(keys, args)])[0]

    def run_blocking_each(
        self, client: redis.Redis, calls: Sequence[tuple[Sequence[str], Sequence[Argument]]]
    ) -> list[Any]:
        """Several runs with their own keys and arguments, sent in one go; otherwise as run_blocking."""
        with unavailable_on_no_answer():
            answers = self._send_each(client, "EVALSHA", self.sha, calls)
            unknown = [place for place, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
            again = self._send_each(client, "EVAL", self.text, [calls[place] for place in unknown])
        for place, answer in zip(unknown, again, strict=True):
            answers[place] = answer
        for answer in answers:
            if isinstance(answer, redis.RedisError):
                raise answer
        return answers

    @staticmethod
    def _send_each(
        client: redis.Redis,
        command: str,
        script: str,
        calls: Sequence[tuple[Sequence[str], Sequence[Argument]]],
    ) -> list[Any]:
        with client.pipeline(transaction=False) as pipe:
            for keys, args in calls:
                pipe.execute_command(command, script, len(keys), *keys, *args)
            return pipe.execute(raise_on_error=False)

    async def _send(self, client: redis.asyncio.Redis, keys: Sequence[str], args: Sequence[Argument]) -> Any:
        try:
            return await client.execute_command("EVALSHA", self.sha, len(keys), *keys, *args)
        except NoScriptError:
            return await client.execute_command("EVAL", self.text, len(keys), *keys, *args)
