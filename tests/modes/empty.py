"""An empty state, in whichever way it is run."""

from __future__ import annotations

import redis
from pydantic import SecretStr

from servito_platform.redis import blocking_state_client
from servito_platform.settings import ServiceSettings


def empty(url: str) -> str:
    """Forget everything stored at an address, and every script; the address again."""
    with blocking_state_client(ServiceSettings(state_url=SecretStr(url), state_timeout=5.0)) as client:
        if isinstance(client, redis.RedisCluster):
            servers = [client.get_redis_connection(node) for node in client.get_primaries()]
        else:
            servers = [client]
        for server in servers:
            server.flushdb()
            server.script_flush()
    return url
