"""Clients of the state server, and scripts on it.

Here: how a client is made from the settings (of a single server, of a primary under Sentinel, of a Cluster),
the deadline of a call, and Script. Not here: the quick connections (state.py), key names (keys.py), what a
script does (the .lua files beside their users).

Theory. redis-py repeats a command up to ten times by itself, which doubles effects; here it never does. Its
socket timeout costs a third of the throughput and swallows cancellations; here there is none, and every call
has a deadline of its own instead. A call that missed it, or lost its connection, may have been carried out:
its outcome is unknown, and only a script that carries a request id may be sent again. A caller that goes away
does not stop a script halfway to its answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha1
from importlib import resources
from typing import Any, Final, Self, TypeVar

import grpc
import redis
import redis.asyncio
from redis import exceptions
from redis.asyncio.cluster import ClusterNode as AsyncClusterNode
from redis.asyncio.retry import Retry as AsyncRetry
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode
from redis.exceptions import NoScriptError
from redis.retry import Retry
from redis.sentinel import Sentinel

from servito_platform.errors import RpcError
from servito_platform.place import Mode, Place
from servito_platform.settings import ServiceSettings

Argument = str | bytes | int | float
Client = redis.asyncio.Redis | redis.asyncio.RedisCluster
BlockingClient = redis.Redis | redis.RedisCluster
Call = tuple[Sequence[str], Sequence[Argument]]
"""Keys and arguments of a script."""
T = TypeVar("T")

_CONNECT_SECONDS: Final = 1.0
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
)
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


def state_client(settings: ServiceSettings) -> Client:
    """A client with a bounded pool; whoever makes it closes it with `aclose()`."""
    place = settings.state
    options: dict[str, Any] = {
        "retry": AsyncRetry(NoBackoff(), 0),
        "socket_timeout": None,
        "socket_connect_timeout": _CONNECT_SECONDS,
        "protocol": 2,
        "max_connections": settings.state_connections,
    }
    match place.mode:
        case Mode.SINGLE:
            pool = redis.asyncio.BlockingConnectionPool.from_url(
                place.url, timeout=settings.state_timeout, **options
            )
            return redis.asyncio.Redis.from_pool(pool)
        case Mode.SENTINEL:
            sentinel = AsyncSentinel(place.nodes, sentinel_kwargs=_to_sentinels(settings))
            client: redis.asyncio.Redis = sentinel.master_for(
                place.master, connection_pool_class=_GroupPool, **_to_group(place), **options
            )
            return client
        case Mode.CLUSTER:
            nodes = [AsyncClusterNode(host, port) for host, port in place.nodes]
            return redis.asyncio.RedisCluster(startup_nodes=nodes, **_who(place), **options)


def blocking_state_client(settings: ServiceSettings) -> BlockingClient:
    """A client for threads (the timers); here the socket timeout is the deadline of a call."""
    place = settings.state
    options: dict[str, Any] = {
        "retry": Retry(NoBackoff(), 0),
        "socket_timeout": settings.state_timeout,
        "socket_connect_timeout": _CONNECT_SECONDS,
        "protocol": 2,
    }
    match place.mode:
        case Mode.SINGLE:
            return redis.Redis.from_url(place.url, **options)
        case Mode.SENTINEL:
            sentinel = Sentinel(place.nodes, sentinel_kwargs=_to_sentinels(settings))
            client: redis.Redis = sentinel.master_for(place.master, **_to_group(place), **options)
            return client
        case Mode.CLUSTER:
            nodes = [ClusterNode(host, port) for host, port in place.nodes]
            return redis.RedisCluster(startup_nodes=nodes, **_who(place), **options)


class _GroupPool(SentinelConnectionPool):
    """Gives the connections to the Sentinels back with all others; redis-py would leave them open."""

    async def disconnect(self, inuse_connections: bool = True) -> None:
        await super().disconnect(inuse_connections)
        if inuse_connections:
            await self.sentinel_manager.aclose()


def _who(place: Place) -> dict[str, Any]:
    return {
        "username": place.username or None,
        "password": place.password or None,
        **({"ssl": True} if place.tls else {}),
    }


def _to_group(place: Place) -> dict[str, Any]:
    """How the servers of a group are spoken to."""
    return {"db": place.db, **_who(place)}


def _to_sentinels(settings: ServiceSettings) -> dict[str, Any]:
    """How the Sentinels are spoken to. One that hangs must not take the time of the others."""
    place = settings.state
    return {
        "username": place.sentinel_username or None,
        "password": place.sentinel_password or None,
        "socket_timeout": settings.state_timeout,
        "socket_connect_timeout": settings.state_timeout,
        **({"ssl": True} if place.tls else {}),
    }


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


def send_each(client: BlockingClient, commands: Sequence[tuple[str, Sequence[Argument]]]) -> list[Any]:
    """Send commands in one go, each with its key; their answers and errors in the same order.

    A StateUnavailable takes the place of every answer that did not come. On a Cluster each primary gets its
    own in turn, so that one that is silent costs the others its deadline and nothing else; redis-py's own
    pipeline would send one by one again what it owes, and ask the server where each key of a script is.
    """
    answers: list[Any] = [None] * len(commands)
    for server, places in _by_server(client, [key for key, _ in commands]):
        try:
            with unavailable_on_no_answer(), server.pipeline(transaction=False) as pipe:
                for place in places:
                    pipe.execute_command(*commands[place][1])
                found = pipe.execute(raise_on_error=False)
        except StateUnavailable as error:
            found = [error] * len(places)
        for place, answer in zip(places, found, strict=True):
            answers[place] = StateUnavailable() if isinstance(answer, _NO_ANSWER) else answer
    if isinstance(client, redis.RedisCluster) and any(isinstance(each, StateUnavailable) for each in answers):
        with suppress(*_NO_ANSWER):  # nobody says where the slots are now: the next time then
            client.nodes_manager.initialize()
    return answers


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

    def __init__(self, text: str) -> None:
        self.text = text
        self.sha = sha1(text.encode(), usedforsecurity=False).hexdigest()

    @classmethod
    def of_package(cls, package: str, name: str) -> Self:
        """The script in file `name` of `package`."""
        return cls(resources.files(package).joinpath(name).read_text(encoding="utf-8"))

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
