"""An empty state, in whichever way it is run."""

from __future__ import annotations

import redis

from servito_platform.clients import blocking_client
from servito_platform.place import read_place


def empty(url: str) -> str:
    """Forget everything stored at an address, and every script; the address again."""
    with blocking_client(read_place(url), 5.0) as client:
        if isinstance(client, redis.RedisCluster):
            servers = [client.get_redis_connection(node) for node in client.get_primaries()]
        else:
            servers = [client]
        for server in servers:
            server.flushdb()
            server.script_flush()
    return url
