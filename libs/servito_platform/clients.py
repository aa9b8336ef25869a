"""redis-py's clients of the state server: of a single one, of a primary under Sentinel, of a Cluster.

For all that need not be quick: timers, tools, tests. They never repeat a command by themselves (redis.py says
why). Not here: the quick connections (state.py).
"""

from __future__ import annotations

from typing import Any, Final

import redis
import redis.asyncio
from redis.asyncio.cluster import ClusterNode as AsyncClusterNode
from redis.asyncio.retry import Retry as AsyncRetry
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.asyncio.sentinel import SentinelConnectionPool
from redis.backoff import NoBackoff
from redis.cluster import ClusterNode
from redis.retry import Retry
from redis.sentinel import Sentinel

from servito_platform.place import Mode, Place
from servito_platform.settings import ServiceSettings

Client = redis.asyncio.Redis | redis.asyncio.RedisCluster
BlockingClient = redis.Redis | redis.RedisCluster

_CONNECT_SECONDS: Final = 1.0


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
            sentinel = AsyncSentinel(place.nodes, sentinel_kwargs=to_sentinels(place, settings.state_timeout))
            client: redis.asyncio.Redis = sentinel.master_for(
                place.master, connection_pool_class=_GroupPool, **_to_group(place), **options
            )
            return client
        case Mode.CLUSTER:
            nodes = [AsyncClusterNode(host, port) for host, port in place.nodes]
            return redis.asyncio.RedisCluster(startup_nodes=nodes, **_who(place), **options)


def blocking_state_client(settings: ServiceSettings) -> BlockingClient:
    """A client for threads (the timers)."""
    return blocking_client(settings.state, settings.state_timeout)


def blocking_client(place: Place, seconds: float) -> BlockingClient:
    """A client for threads and tools; here the socket timeout is the deadline of a call."""
    options: dict[str, Any] = {
        "retry": Retry(NoBackoff(), 0),
        "socket_timeout": seconds,
        "socket_connect_timeout": _CONNECT_SECONDS,
        "protocol": 2,
    }
    match place.mode:
        case Mode.SINGLE:
            return redis.Redis.from_url(place.url, **options)
        case Mode.SENTINEL:
            sentinel = Sentinel(place.nodes, sentinel_kwargs=to_sentinels(place, seconds))
            client: redis.Redis = sentinel.master_for(place.master, **_to_group(place), **options)
            return client
        case Mode.CLUSTER:
            nodes = [ClusterNode(host, port) for host, port in place.nodes]
            return redis.RedisCluster(startup_nodes=nodes, **_who(place), **options)


def server_of(client: BlockingClient, key: str) -> redis.Redis:
    """A client of the server that holds a key; to read what redis-py reads otherwise of a Cluster."""
    if isinstance(client, redis.Redis):
        return client
    return client.get_redis_connection(client.get_node_from_key(key))


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
        **_tls(place),
    }


def _tls(place: Place) -> dict[str, Any]:
    return {} if place.tls is None else {"ssl": True, **place.tls.options}


def _to_group(place: Place) -> dict[str, Any]:
    """How the servers of a group are spoken to."""
    return {"db": place.db, **_who(place)}


def to_sentinels(place: Place, seconds: float) -> dict[str, Any]:
    """How the Sentinels are spoken to. One that hangs must not take the time of the others."""
    return {
        "username": place.sentinel_username or None,
        "password": place.sentinel_password or None,
        "socket_timeout": seconds,
        "socket_connect_timeout": seconds,
        **_tls(place),
    }
