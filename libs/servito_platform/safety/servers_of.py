"""The servers behind an address: those that write, one client for each. Blocking.

A single server; the primary that Sentinels name; the primaries of a Cluster.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import redis

from servito_platform.clients import blocking_client
from servito_platform.place import Mode, Place


@contextmanager
def primaries(place: Place, seconds: float) -> Iterator[list[tuple[str, redis.Redis]]]:
    """Address and client of each; redis errors when they are not found. `seconds`: how long one may take."""
    with blocking_client(place, seconds) as client:
        if isinstance(client, redis.RedisCluster):
            yield [(str(node.name), client.get_redis_connection(node)) for node in client.get_primaries()]
        else:
            yield [(_address(client, place), client)]


def _address(client: redis.Redis, place: Place) -> str:
    if place.mode is Mode.SENTINEL:
        return f"the primary of {place.master}"
    options = client.connection_pool.connection_kwargs
    return str(options.get("path") or f"{options.get('host', 'localhost')}:{options.get('port', 6379)}")
