"""What surrounds a worker in these tests: real servers that can be killed, and a small table service.

The table service stands in for the real one (which has its own tests, and runs in tests/system): it keeps the
fence, so that an effect is a member that it removed, and counts the calls.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import grpc
import redis
from prometheus_client.parser import text_string_to_metric_families

from servito.table.v1 import table_pb2
from servito_local.ports import HOST
from servito_local.servers import redis_url, server
from servito_platform.clients import blocking_client, server_of
from servito_platform.deadlines import member
from servito_platform.keys import Keys
from servito_platform.place import read_place
from tests.modes.empty import empty
from tests.modes.programs import chosen

KEYS = Keys(64)
_SERVICE = "servito.table.v1.TableService"


class Server:
    """A server on a fixed port with an append-only file."""

    def __init__(self, name: str, port: int, directory: Path) -> None:
        self._part = server(name, port=port, directory=directory / name, rank=0)
        self.url = redis_url(port)
        self.client = redis.Redis.from_url(self.url)
        self.start()

    def start(self) -> None:
        """Start it, and wait until it answers."""
        with self._part.log.open("ab") as log:
            program = [str(chosen()), *self._part.program[1:]]
            self._process = subprocess.Popen(program, stdout=log, stderr=log)
        until(self._answers)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """kill -9."""
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End it, frozen or not."""
        self.client.close()
        self.kill()

    def _answers(self) -> bool:
        try:
            return bool(self.client.ping())
        except redis.ConnectionError:
            return False


class Elsewhere:
    """A state that is run in another way, for several tests: it is emptied here and goes on afterwards."""

    def __init__(self, url: str) -> None:
        self.url = empty(url)
        self.client = blocking_client(read_place(url), 5.0)

    def close(self) -> None:
        """Give the connections back."""
        self.client.close()


class Table:
    """Carries out a member by removing it, once; takes `pause` seconds for each call, until `go_on`."""

    def __init__(self, state: Server | Elsewhere, port: int) -> None:
        self.pause = 0.0
        self.sizes: list[int] = []
        self.callers: set[str] = set()
        self.most_at_once = 0
        self.effects: Counter[str] = Counter()
        self._state = state
        self._port = port
        self._lock = threading.Lock()
        self._at_once = 0
        self.start()

    def start(self) -> None:
        """Serve."""
        self._ended, self._woken = threading.Event(), threading.Event()
        self._pool = ThreadPoolExecutor(32)
        self._server = grpc.server(self._pool, options=(("grpc.so_reuseport", 0),))
        method = grpc.unary_unary_rpc_method_handler(
            self._expire_deadlines,
            request_deserializer=table_pb2.ExpireDeadlinesRequest.FromString,
            response_serializer=table_pb2.ExpireDeadlinesResponse.SerializeToString,
        )
        handler = grpc.method_handlers_generic_handler(_SERVICE, {"ExpireDeadlines": method})
        self._server.add_generic_rpc_handlers((handler,))
        self._server.add_insecure_port(f"{HOST}:{self._port}")
        self._server.start()

    def stop(self) -> None:
        """Break every call that runs: a thread that still paused would carry out the next world's members."""
        self._ended.set()
        self._woken.set()
        self._server.stop(0).wait()
        self._pool.shutdown()

    def go_on(self) -> None:
        """Carry out at once what it paused over, and what follows."""
        self.pause = 0.0
        self._woken.set()

    def _expire_deadlines(
        self, request: table_pb2.ExpireDeadlinesRequest, context: grpc.ServicerContext
    ) -> table_pb2.ExpireDeadlinesResponse:
        with self._lock:
            self.sizes.append(len(request.members))
            self.callers.add(str(dict(context.invocation_metadata())["authorization"]))
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if self._woken.wait(self.pause) and self._ended.is_set():
                context.abort(grpc.StatusCode.UNAVAILABLE, "the server has ended")
            return table_pb2.ExpireDeadlinesResponse(results=map(self._carry_out, request.members))
        finally:
            with self._lock:
                self._at_once -= 1

    def _carry_out(self, name: str) -> table_pb2.ExpireResult.ValueType:
        table_id = name.rpartition(":")[0]
        if not self._state.client.zrem(KEYS.deadlines(KEYS.partition(table_id)), name):
            return table_pb2.EXPIRE_RESULT_STALE
        with self._lock:
            self.effects[name] += 1
        return table_pb2.EXPIRE_RESULT_EXPIRED


class Worker:
    """`python -m servito_timers` in a process group of its own."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "servito_timers"],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        assert self._process.stdout is not None
        self.told = json.loads(self._process.stdout.readline() or '{"event": "ended"}')

    def metric(self, name: str, **labels: str) -> float:
        """The value of a metric now."""
        with urlopen(f"http://{self.told['metrics']}/metrics", timeout=20) as page:
            text = page.read().decode()
        for family in text_string_to_metric_families(text):
            for sample in family.samples:
                if sample.name == name and sample.labels == labels:
                    return sample.value
        raise KeyError(name)

    @property
    def broker_good(self) -> bool:
        """Whether it sends its claims through the broker."""
        return self.metric("servito_broker_good") == 1

    def kill(self) -> None:
        """kill -9 of the whole group."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self.wait()

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        self._process.send_signal(number)

    def terminate(self) -> None:
        """SIGTERM."""
        self.signal(signal.SIGTERM)

    def wait(self, seconds: float = 30) -> int:
        """The exit code."""
        code = self._process.wait(seconds)
        assert self._process.stdout is not None
        self._process.stdout.close()
        return code


class World:
    """Servers, table service, and as many workers as a test starts. `elsewhere`: the address of a state that
    there is; otherwise it is a server of this world, which tests may kill.
    """

    def __init__(self, directory: Path, ports: Callable[[], int], elsewhere: str | None = None) -> None:
        self.state: Any = Elsewhere(elsewhere) if elsewhere else Server("state", ports(), directory)
        self.broker = Server("broker", ports(), directory)
        table_port = ports()
        self.table = Table(self.state, table_port)
        self.environment = {
            "SERVITO_STATE_URL": self.state.url,
            "SERVITO_BROKER_URL": self.broker.url,
            "SERVITO_TABLE_TARGET": f"{HOST}:{table_port}",
        }
        self.workers: list[Worker] = []

    def worker(self, **settings: float | str) -> Worker:
        """Start a worker; settings by their names without `timers_`."""
        own = {f"SERVITO_{name.upper()}": str(value) for name, value in settings.items()}
        worker = Worker({**self.environment, **own})
        self.workers.append(worker)
        assert worker.told["event"] == "ready", "the worker did not start"
        return worker

    def good_worker(self, **settings: float | str) -> Worker:
        """Start a worker, and wait until it sends its claims through the broker."""
        worker = self.worker(**settings)
        until(lambda: worker.broker_good)
        return worker

    def arm(self, tables: Iterable[int], *, turn: int = 1, ms: int = 0) -> list[str]:
        """Set a deadline for each table, due in `ms` by the state server's clock; the members."""
        seconds, micros = server_of(self.state.client, KEYS.deadlines(0)).time()
        due = int(seconds) * 1000 + int(micros) // 1000 + ms
        names = []
        with self.state.client.pipeline(transaction=False) as pipe:
            for number in tables:
                names.append(member(f"t{number}", turn))
                pipe.zadd(KEYS.deadlines(KEYS.partition(f"t{number}")), {names[-1]: due})
            pipe.execute()
        return names

    def left(self) -> int:
        """How many deadlines are still set."""
        return sum(int(self.state.client.zcard(KEYS.deadlines(each))) for each in range(KEYS.partitions))

    def close(self) -> None:
        """End everything."""
        for worker in self.workers:
            worker.kill()
        self.table.stop()
        self.state.close()
        self.broker.close()


def until(condition: Callable[[], bool], seconds: float = 20) -> None:
    """Wait for `condition`; fail when it does not come about."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not come about in time"
        time.sleep(0.02)
