"""Real servers in the three ways of running them, each out of one program (PITFALLS R5, R15; programs.py).

Each keeps its port and its append-only file, so that what was killed can come back. With a guard they speak
TLS and let nobody in without a password.
"""

from __future__ import annotations

import signal
import subprocess
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import redis

from servito_local.ports import HOST, Reservations
from servito_platform.place import Mode
from tests.modes.guard import PASSWORD, USER, WATCHER, WATCHWORD
from tests.modes.programs import chosen, debian
from tests.modes.until import until

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tests.modes.guard import Guard

MASTER = "servito"
_SLOTS = 16384
_OPTIONS = {
    "bind": HOST,
    "appendonly": "yes",
    "appendfsync": "everysec",
    "save": "",
    "maxmemory-policy": "noeviction",
    "repl-diskless-sync-delay": "0",
}


class Server:
    """A server on a fixed port, running."""

    _who = USER, PASSWORD

    def __init__(self, port: int, directory: Path, guard: Guard | None = None, **options: str) -> None:
        directory.mkdir(parents=True)
        self.port = port
        self._log = directory / "log"
        self._program = [str(debian() if guard else chosen())]
        named = {name.replace("_", "-"): value for name, value in options.items()}
        all_options = _OPTIONS | {"port": str(port), "dir": str(directory)} | named
        who: dict[str, Any] = {}
        if guard:
            settings = directory / "settings.conf"
            settings.write_text(guard.settings)
            self._program.append(str(settings))
            all_options |= {"port": "0", "tls-port": str(port)} | guard.options
            who = {"username": self._who[0], "password": self._who[1], **guard.client}
        self._program += [part for option, value in all_options.items() for part in (f"--{option}", value)]
        # Untyped: the published result types allow for everything that any server might send.
        self.client: Any = redis.Redis(HOST, port, socket_timeout=2, **who)
        self.start()

    @property
    def connection_url(self) -> str:
        """Its address, of a server without a guard."""
        return f"redis://{HOST}:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._program, stdout=log, stderr=log)
        until(self.answers)

    def answers(self) -> bool:
        """Whether it serves."""
        try:
            return bool(self.client.ping())
        except redis.RedisError:
            return False

    def kill(self) -> None:
        """kill -9."""
        self._process.kill()
        self._process.wait()

    def freeze(self) -> None:
        """SIGSTOP: connections stay, nobody answers."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """SIGCONT."""
        self._process.send_signal(signal.SIGCONT)

    def restore(self) -> None:
        """Have it run again, whatever became of it."""
        if self._process.poll() is not None:
            self.start()
        self.thaw()

    def close(self) -> None:
        """End it, frozen or not."""
        self.client.close()
        self.kill()


class Sentinel(Server):
    """A Sentinel; its settings are in a file, which it writes itself."""

    _who = WATCHER, WATCHWORD

    def __init__(self, port: int, directory: Path, primary: int, guard: Guard | None = None) -> None:
        settings = directory.parent / f"{directory.name}.conf"
        settings.write_text(
            f"sentinel monitor {MASTER} {HOST} {primary} 2\n"
            f"sentinel down-after-milliseconds {MASTER} 1000\n"
            f"sentinel failover-timeout {MASTER} 3000\n"
            f"bind {HOST}\ndir {directory}\n"
            + (f"port 0\ntls-port {port}\n{guard.of_sentinel(MASTER)}" if guard else f"port {port}\n")
        )
        self._settings = settings
        super().__init__(port, directory, guard)

    def start(self) -> None:
        """See Server."""
        self._program[1:] = [str(self._settings), "--sentinel"]
        super().start()


class Group:
    """A primary with a replica, or some, watched by three Sentinels, any two of which may decide."""

    def __init__(
        self, directory: Path, ports: Reservations, guard: Guard | None = None, *, replicas: int = 1
    ) -> None:
        with ExitStack() as stack:
            first = stack.enter_context(closing(Server(ports.reserve(), directory / "s0", guard)))
            behind = {"replicaof": f"{HOST} {first.port}"}
            self.servers = [first] + [
                stack.enter_context(
                    closing(Server(ports.reserve(), directory / f"s{place}", guard, **behind))
                )
                for place in range(1, 1 + replicas)
            ]
            self.sentinels = [
                stack.enter_context(
                    closing(Sentinel(ports.reserve(), directory / f"w{place}", first.port, guard))
                )
                for place in range(3)
            ]
            who = {"sentinel_username": WATCHER, "sentinel_password": WATCHWORD}
            self.url = _url("redis+sentinel", self.sentinels, f"/{MASTER}/0", guard, who)
            until(lambda: all(self._knows_all(each) for each in self.sentinels))
            self._stack = stack.pop_all()

    @property
    def primary(self) -> Server:
        """The server that the Sentinels name."""
        answer = self.sentinels[0].client.execute_command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER)
        return next(server for server in self.servers if server.port == int(answer[1]))

    def ready_to_fail_over(self) -> bool:
        """Whether every server is well and each replica has all that the primary has."""
        if not all(server.answers() for server in self.servers):
            return False
        caught_up = hears(self.primary, len(self.servers) - 1)
        return caught_up and all(self._knows_all(each) for each in self.sentinels)

    def close(self) -> None:
        """End everything."""
        self._stack.close()

    def _knows_all(self, sentinel: Server) -> bool:
        state = sentinel.client.sentinel_masters()[MASTER]
        well = not (state["is_sdown"] or state["is_odown"] or state["is_disconnected"])
        replicas = sentinel.client.sentinel_slaves(MASTER)
        up = [each for each in replicas if not (each["is_sdown"] or each["is_disconnected"])]
        return bool(well and state["num-other-sentinels"] == 2 and len(up) == len(self.servers) - 1)


class Cluster:
    """Three primaries, each with a replica; the healthy part goes on while a slot has nobody."""

    def __init__(self, directory: Path, ports: Reservations, guard: Guard | None = None) -> None:
        with ExitStack() as stack:
            self.servers = [
                stack.enter_context(
                    closing(
                        Server(
                            ports.reserve(),
                            directory / f"c{place}",
                            guard,
                            cluster_enabled="yes",
                            cluster_port=str(ports.reserve()),
                            cluster_node_timeout="1000",
                            cluster_require_full_coverage="no",
                            cluster_replica_validity_factor="0",
                        )
                    )
                )
                for place in range(6)
            ]
            self.url = _url("redis+cluster", self.servers[:3], "", guard)
            self._join()
            self._stack = stack.pop_all()

    def holder(self, key: str) -> Server:
        """The primary that holds a key."""
        slot = self.servers[0].client.cluster("KEYSLOT", key)
        for server in self.servers:
            if not server.answers():
                continue
            for first, last, (_, port, *_), *_ in server.client.execute_command("CLUSTER", "SLOTS"):
                if first <= slot <= last:
                    return next(each for each in self.servers if each.port == port)
        raise LookupError(f"nobody holds {key}")

    def other_than(self, server: Server) -> Server:
        """Another primary."""
        primaries = (each for each in self.servers if each.client.role()[0] == b"master")
        return next(each for each in primaries if each is not server)

    def ready_to_fail_over(self) -> bool:
        """Whether all agree that every primary is well and has a replica with all that it has."""
        return all(server.answers() and self._is_well(server) for server in self.servers)

    def close(self) -> None:
        """End everything."""
        self._stack.close()

    def _join(self) -> None:
        size = _SLOTS // 3 + 1
        for place, server in enumerate(self.servers):
            server.client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", place + 1)
            if place < 3:
                last = min((place + 1) * size, _SLOTS) - 1
                server.client.execute_command("CLUSTER", "ADDSLOTSRANGE", place * size, last)
            if place:
                bus = server.client.config_get("cluster-port")["cluster-port"]
                self.servers[0].client.execute_command("CLUSTER", "MEET", HOST, server.port, bus)
        until(lambda: all(_info(each)["cluster_known_nodes"] == "6" for each in self.servers))
        for primary, replica in zip(self.servers[:3], self.servers[3:], strict=True):
            name = primary.client.execute_command("CLUSTER", "MYID")
            until(partial(_replicates, replica, name))
        until(self.ready_to_fail_over)

    def _is_well(self, server: Server) -> bool:
        info = _info(server)
        if info["cluster_state"] != "ok" or info["cluster_slots_ok"] != str(_SLOTS):
            return False
        return server.client.role()[0] != b"master" or hears(server)


@contextmanager
def served(mode: Mode, directory: Path, guard: Guard | None = None) -> Iterator[str]:
    """The address of a state that is run in that way, for as long as the context lasts."""
    with Reservations() as ports, ExitStack() as stack:
        match mode:
            case Mode.SINGLE:
                server = stack.enter_context(closing(Server(ports.reserve(), directory / "s", guard)))
                yield _url("redis", [server], "/0", guard)
            case Mode.SENTINEL:
                yield stack.enter_context(closing(Group(directory, ports, guard))).url
            case Mode.CLUSTER:
                yield stack.enter_context(closing(Cluster(directory, ports, guard))).url


def hears(primary: Server, replicas: int = 1) -> bool:
    """Whether it is a primary and so many replicas have all that it has.

    `state=online` and a small lag in its INFO do not say so: a primary calls a replica online once it has
    sent its data, and sends what was done since when they are loaded, up to a second later. Until then the
    replica takes over without any of that: with what an earlier test left, and not the FLUSHDB between the
    two. So something is written, and WAIT tells who has it. It waits for what its own connection wrote, so
    after a PUBLISH, which a Cluster does not replicate, it answers at once; FUNCTION FLUSH needs no slot.
    """
    with primary.client.pipeline(transaction=False) as pipe:
        pipe.role()
        pipe.execute_command("FUNCTION", "FLUSH")
        pipe.wait(replicas, 500)
        role, _, acknowledged = pipe.execute(raise_on_error=False)  # a replica refuses to WAIT
    return bool(role[0] == b"master" and acknowledged >= replicas)


def _replicates(server: Server, name: bytes) -> bool:
    try:
        return bool(server.client.execute_command("CLUSTER", "REPLICATE", name))
    except redis.ResponseError:  # it has not heard of that primary yet
        return False


def _info(server: Server) -> dict[str, str]:
    answer = server.client.execute_command("CLUSTER", "INFO")
    if isinstance(answer, dict):
        return {str(name): str(value) for name, value in answer.items()}
    return dict(line.split(":", 1) for line in answer.decode().split() if ":" in line)


def _url(
    scheme: str,
    servers: Sequence[Server],
    path: str,
    guard: Guard | None,
    more: Mapping[str, str] | None = None,
) -> str:
    """An address as services are given it."""
    hosts = ",".join(f"{HOST}:{server.port}" for server in servers)
    if guard is None:
        return f"{scheme}://{hosts}{path}"
    secured = scheme.replace("redis", "rediss", 1)
    query = "&".join(part for part in (urlencode(more or {}), guard.query) if part)
    return f"{secured}://{quote(USER)}:{quote(PASSWORD, safe='')}@{hosts}{path}?{query}"
