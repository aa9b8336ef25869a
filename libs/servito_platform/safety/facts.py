"""What a Redis server says of itself: read once, judged by servers.py and by the doctor.

INFO, and CONFIG GET where the user may ask it (managed servers often forbid it: then those facts are None).
Blocking. Only reads.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from time import time
from typing import Any, Final, cast

import redis

_ASKED: Final = (
    "maxmemory-policy",
    "appendfsync",
    "min-replicas-to-write",
    "min-replicas-max-lag",
)


@dataclass(frozen=True, slots=True)
class Replica:
    """One that a primary knows."""

    address: str
    online: bool
    lag: int
    """Seconds since it was last heard."""
    behind: int
    """Bytes that it has not acknowledged."""


@dataclass(frozen=True, slots=True)
class Facts:
    """One server. Sizes are bytes, times seconds; what it does not tell is None."""

    address: str
    version: str
    """As Redis counts: Valkey says 7.2.4 here and its own version beside it."""
    program: str
    """For people: `Valkey 9.1.2`."""
    role: str
    """master or slave; sentinel for one of those."""
    clustered: bool
    loading: bool
    policy: str | None
    appends: bool | None
    fsync: str | None
    append_failing: bool
    snapshot_failing: bool
    used: int
    limit: int
    """Of memory; that of the machine where none is set, 0 where that is not known either."""
    limited: bool
    least_replicas: int | None
    most_lag: int | None
    replicas: tuple[Replica, ...]
    clock_ahead: float
    """Its clock less ours, corrected by half of the way; see `clock_doubt`."""
    clock_doubt: float

    @property
    def major(self) -> int:
        """The version's first number."""
        return int(self.version.partition(".")[0])


def read_facts(client: redis.Redis, address: str) -> Facts:
    """Ask one server. redis errors when it does not answer, or does not let us in."""
    began = time()
    seconds, micros = client.time()
    ended = time()
    info: dict[str, Any] = client.info("everything")
    config = _config(client)
    mode, valkey = info.get("server_mode", info.get("redis_mode")), info.get("valkey_version")
    limit = int(info.get("maxmemory", 0))
    return Facts(
        address=address,
        version=str(info["redis_version"]),
        program=f"Valkey {valkey}" if valkey else f"Redis {info['redis_version']}",
        role="sentinel" if mode == "sentinel" else str(info.get("role", "")),
        clustered=mode == "cluster" or bool(info.get("cluster_enabled")),
        loading=bool(info.get("loading")),
        policy=config.get("maxmemory-policy", info.get("maxmemory_policy")),
        appends=bool(info["aof_enabled"]) if "aof_enabled" in info else None,
        fsync=config.get("appendfsync"),
        append_failing="err" in (info.get("aof_last_write_status"), info.get("aof_last_bgrewrite_status")),
        snapshot_failing=info.get("rdb_last_bgsave_status") == "err",
        used=int(info.get("used_memory", 0)),
        limit=limit or int(info.get("total_system_memory", 0)),
        limited=bool(limit),
        least_replicas=_number(config.get("min-replicas-to-write")),
        most_lag=_number(config.get("min-replicas-max-lag")),
        replicas=_replicas(info),
        clock_ahead=seconds + micros / 1_000_000 - (began + ended) / 2,
        clock_doubt=(ended - began) / 2,
    )


def _config(client: redis.Redis) -> dict[str, str]:
    with suppress(redis.ResponseError):  # not for this user, or a server that has no such command
        return cast("dict[str, str]", client.config_get(*_ASKED))
    return {}


def _number(text: str | None) -> int | None:
    return None if text is None else int(text)


def _replicas(info: dict[str, Any]) -> tuple[Replica, ...]:
    offset = int(info.get("master_repl_offset", 0))
    found = (info[f"slave{place}"] for place in range(int(info.get("connected_slaves", 0))))
    return tuple(
        Replica(
            f"{each['ip']}:{each['port']}",
            each["state"] == "online",
            int(each["lag"]),
            max(0, offset - int(each["offset"])),
        )
        for each in found
    )
