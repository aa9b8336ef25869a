"""Calls of the state server, and scripts on it.

Here: the deadline of a call, and Script. Not here: how clients are made (clients.py), the quick connections
(state.py), key names (keys.py), what a script does (the .lua files beside their users).

Theory. redis-py repeats a command up to ten times by itself, which doubles effects; here it never does. Its
socket timeout costs a third of the throughput and swallows cancellations; here there is none, and every call
has a deadline of its own instead. A call that missed it, or lost its connection, may have been carried out:
its outcome is unknown, and only a script that carries a request id may be sent again. A caller that goes away
does not stop a script halfway to its answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha1
from importlib import resources
from typing import Any, Final, Self, TypeVar, cast

import grpc
import hiredis
import redis
from redis import exceptions
from redis.exceptions import NoScriptError

from servito_platform.clients import BlockingClient, Client
from servito_platform.errors import RpcError

Argument = str | bytes | int | float
pack: Final = cast("Callable[[Sequence[Argument]], bytes]", hiredis.pack_command)
"""A command as bytes; published with a type that allows for one argument only."""
Call = tuple[Sequence[str], Sequence[Argument]]
"""Keys and arguments of a script."""
T = TypeVar("T")

_BENEFIT_OF_DOUBT: Final = 0.1
"""Part of the time for an answer that is waited for once more."""
_NO_ANSWER: Final = (
    exceptions.ConnectionError,
    exceptions.TimeoutError,
    TimeoutError,
    OSError,
    # what a server says that is none any more, and what redis-py says of a Cluster in disorder
    exceptions.ReadOnlyError,
    exceptions.ClusterError,
    exceptions.AskError,
    exceptions.TryAgainError,
    exceptions.RedisClusterException,
    # refusals (see REFUSES) of which redis-py makes something else than a ResponseError with its code
    exceptions.OutOfMemoryError,
    exceptions.NoPermissionError,
)
REFUSES: Final = (
    "OOM",
    "READONLY",
    "LOADING",
    "MISCONF",
    "MASTERDOWN",
    "CLUSTERDOWN",
    "NOREPLICAS",
    "BUSY ",
    "NOAUTH",
    "NOPERM",
)
"""Errors with which a server refuses a command or a script before it does anything: it is full, its disk is,
it has too few replicas, is just starting, or lets this user do nothing. They pass, by an operator's hand or
by themselves, so whoever meets them tries again.
"""
_running: Final[set[asyncio.Task[Any]]] = set()


def _is_no_answer(error: Exception) -> bool:
    refuses = isinstance(error, exceptions.ResponseError) and str(error).startswith(REFUSES)
    return refuses or isinstance(error, _NO_ANSWER)


class StateUnavailable(RpcError):  # noqa: N818 - it says what is the case
    """The state server gave no answer in time; what was asked may have been done, or not."""

    def __init__(self) -> None:
        super().__init__(
            grpc.StatusCode.UNAVAILABLE,
            "UNAVAILABLE",
            "the state server did not answer; send the same request again",
            retry_after=0.25,
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
    except (*_NO_ANSWER, exceptions.ResponseError) as error:
        if not _is_no_answer(error):
            raise
        raise StateUnavailable from error


@contextmanager
def unavailable_on_no_answer() -> Iterator[None]:
    """For blocking clients: StateUnavailable when the server does not answer inside, or refuses for now."""
    try:
        yield
    except (*_NO_ANSWER, exceptions.ResponseError) as error:
        if not _is_no_answer(error):
            raise
        raise StateUnavailable from error


def send_each(client: BlockingClient, commands: Sequence[tuple[str, Sequence[Argument]]]) -> list[Any]:
    """Send commands in one go, each with its key; their answers, bytes and ints as Redis sends them, and
    errors in the same order.

    A StateUnavailable takes the place of every answer that did not come, or that refuses for now. On a
    Cluster each primary gets its own in turn, so that one that is silent costs the others its deadline and
    nothing else; redis-py's own pipeline would send one by one again what it owes, and ask the server where
    each key of a script is.
    """
    answers: list[Any] = [None] * len(commands)
    for server, places in _by_server(client, [key for key, _ in commands]):
        try:
            with unavailable_on_no_answer():
                found = _exchange(server, [commands[place][1] for place in places])
        except StateUnavailable as error:
            found = [error] * len(places)
        for place, answer in zip(places, found, strict=True):
            lacks = isinstance(answer, Exception) and _is_no_answer(answer)
            answers[place] = StateUnavailable() if lacks else answer
    if isinstance(client, redis.RedisCluster) and any(isinstance(each, StateUnavailable) for each in answers):
        with suppress(*_NO_ANSWER):  # nobody says where the slots are now: the next time then
            client.nodes_manager.initialize()
    return answers


def _exchange(server: redis.Redis, commands: Sequence[Sequence[Argument]]) -> list[Any]:
    """One write, and an answer or error for each. redis-py's own pipeline takes three times as long."""
    pool = server.connection_pool
    connection: Any = pool.get_connection()  # its type knows nothing of sending
    try:
        connection.send_packed_command([b"".join(pack(tuple(each)) for each in commands)])
        return [_answer(connection) for _ in commands]
    except BaseException:
        connection.disconnect()  # an answer that nobody read must never be another one's
        raise
    finally:
        pool.release(connection)


def _answer(connection: Any) -> Any:
    try:
        return connection.read_response()
    except exceptions.ResponseError as error:
        return error


def _by_server(client: BlockingClient, keys: Sequence[str]) -> Iterator[tuple[redis.Redis, list[int]]]:
    """Servers, and the places of the keys that each of them holds."""
    if isinstance(client, redis.Redis):
        yield client, list(range(len(keys)))
        return
    places: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        places.setdefault(client.get_node_from_key(key).name, []).append(place)
    for name, those in places.items():
        yield client.get_redis_connection(client.get_node(node_name=name)), those


class Script:
    """A Lua script, sent by its hash and, when the server does not know it, in full with the same effect."""

    def __init__(self, text: str, name: str = "script") -> None:
        self.text = text
        self.name = name
        self.sha = sha1(text.encode(), usedforsecurity=False).hexdigest()

    @classmethod
    def of_package(cls, package: str, name: str) -> Self:
        """The script in file `name` of `package`."""
        return cls(resources.files(package).joinpath(name).read_text(encoding="utf-8"), name)

    async def run(
        self,
        client: Client,
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

    def run_blocking(self, client: BlockingClient, keys: Sequence[str], args: Sequence[Argument]) -> Any:
        """Its answer, in a thread; StateUnavailable when none comes within the client's deadline."""
        return self.run_blocking_each(client, [(keys, args)])[0]

    def run_blocking_each(self, client: BlockingClient, calls: Sequence[Call]) -> list[Any]:
        """Several runs with their own keys and arguments, sent in one go; otherwise as run_blocking.

        On a Cluster a StateUnavailable takes the place of the answers that a silent primary owes, unless all
        are silent.
        """
        answers = self._send_each(client, "EVALSHA", self.sha, calls)
        unknown = [place for place, answer in enumerate(answers) if isinstance(answer, NoScriptError)]
        again = self._send_each(client, "EVAL", self.text, [calls[place] for place in unknown])
        for place, answer in zip(unknown, again, strict=True):
            answers[place] = answer
        silent = [answer for answer in answers if isinstance(answer, StateUnavailable)]
        if silent and len(silent) == len(answers):
            raise silent[0]
        for answer in answers:
            if isinstance(answer, redis.RedisError):
                raise answer
        return answers

    @staticmethod
    def _send_each(client: BlockingClient, command: str, script: str, calls: Sequence[Call]) -> list[Any]:
        """Answers and errors; every lack of an answer as a StateUnavailable."""
        if not calls:
            return []
        commands = [(command, script, len(keys), *keys, *args) for keys, args in calls]
        return send_each(
            client, [(keys[0], command) for (keys, _), command in zip(calls, commands, strict=True)]
        )

    async def _send(self, client: Client, keys: Sequence[str], args: Sequence[Argument]) -> Any:
        try:
            return await client.execute_command("EVALSHA", self.sha, len(keys), *keys, *args)
        except NoScriptError:
            return await client.execute_command("EVAL", self.text, len(keys), *keys, *args)
