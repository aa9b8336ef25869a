"""A service process: the line that says where it serves, health, a drain in order and in time."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import urllib.request
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

import grpc
import pytest
from grpc import aio

from servito_local.ports import Reservations
from servito_platform.grpc_channel import open_channel
from servito_platform.metrics_page import read_page
from tests.modes.until import until
from tests.platform.asking import NOT_SERVING, SERVING, health_of, read_to_end, reflects, watch_health
from tests.platform.echo import SERVICE, EchoClient
from tests.platform.signing import ISSUER, Issuer, jwks

PRODUCTION = {
    "mode": "production",
    "auth_jwks": jwks(Issuer().jwk()),
    "auth_issuer": ISSUER,
    "accepted_risks": "no-password,no-replica,plain-grpc",
}
"""As unsafe as a test may be there."""


@dataclass
class Process:
    """A running `python -m tests.platform.echo` and what its ready line said."""

    child: asyncio.subprocess.Process
    ready: dict[str, Any]

    async def begun(self, calls: int) -> None:
        """Wait until so many unary calls have reached it."""

        def reached() -> bool:
            page = read_page(self.ready["metrics"])
            return page.total("grpc_server_started_total", grpc_method="Unary") >= calls

        await asyncio.to_thread(until, reached)

    async def end(self, *signals: signal.Signals) -> tuple[int, float]:
        """Send the signals, 0.2 s apart; the exit code and the seconds that it took."""
        begin = monotonic()
        for number in signals:
            self.child.send_signal(number)
            await asyncio.sleep(0.2)
        code = await asyncio.wait_for(self.child.wait(), 20)
        return code, monotonic() - begin


async def spawn(**variables: str) -> asyncio.subprocess.Process:
    """Start it with these SERVITO_ variables."""
    environment = os.environ | {f"SERVITO_{name.upper()}": value for name, value in variables.items()}
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.platform.echo",
        env=environment,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


Start = Callable[..., Awaitable[Process]]


@pytest.fixture
async def start() -> AsyncIterator[Start]:
    """Starts processes and leaves none behind."""
    children: list[asyncio.subprocess.Process] = []

    async def start(**variables: str) -> Process:
        child = await spawn(**variables)
        children.append(child)
        assert child.stdout is not None
        return Process(child, json.loads(await asyncio.wait_for(child.stdout.readline(), 20)))

    yield start
    for child in children:
        if child.returncode is None:
            child.kill()
        await child.communicate()


async def test_the_ready_line_tells_where_it_serves(start: Start) -> None:
    """Port 0 becomes a real port; gRPC, health, reflection and metrics answer there when the line is out."""
    process = await start()
    assert process.ready["event"] == "ready"
    assert process.ready["name"] == "echo"
    assert process.ready["pid"] == process.child.pid
    async with open_channel(process.ready["grpc"], timeout=5) as channel:
        assert await EchoClient(channel).unary(b"x") == b"x"
        assert await health_of(channel, "") == SERVING
        assert await health_of(channel, SERVICE) == SERVING
    url = f"http://{process.ready['metrics']}/metrics"
    page = await asyncio.to_thread(lambda: urllib.request.urlopen(url, timeout=20).read().decode())
    assert "grpc_server_handled_total" in page
    code, _ = await process.end(signal.SIGTERM)
    assert code == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_drain_finishes_what_runs(start: Start, number: signal.Signals) -> None:
    """Running calls get their answers, streams their last word, then the exit code is 0 (PITFALLS G4)."""
    process = await start()
    async with open_channel(process.ready["grpc"], timeout=5) as channel:
        client = EchoClient(channel)
        stream = client.server_stream(b"x")
        assert await stream.read() == b"x"
        calls = [asyncio.ensure_future(client.unary(b"slow")) for _ in range(50)]
        await process.begun(50)
        ended = asyncio.ensure_future(process.end(number))
        assert await asyncio.gather(*calls) == [b"slow"] * 50
        assert await stream.read() == b"resume at 17"
        assert await stream.read() == aio.EOF
        code, seconds = await ended
    assert code == 0
    assert seconds < 5


async def test_a_replica_that_stops_costs_its_clients_no_error(start: Start) -> None:
    """Calls come one after the other from everywhere while one of two replicas is told to stop: the other
    answers what this one does not, and nobody notices (PITFALLS G4, K1).
    """
    replicas = [await start(), await start()]
    target = "ipv4:" + ",".join(process.ready["grpc"] for process in replicas)
    answered, over = 0, asyncio.Event()

    async def ask(client: EchoClient) -> None:
        nonlocal answered
        while not over.is_set():
            assert await client.unary(b"x") == b"x"
            answered += 1

    async with open_channel(target, timeout=20) as channel, asyncio.TaskGroup() as asking:
        for _ in range(32):
            asking.create_task(ask(EchoClient(channel)))
        await asyncio.gather(*(replica.begun(100) for replica in replicas))
        code, seconds = await replicas[0].end(signal.SIGTERM)
        before = answered
        async with asyncio.timeout(20):
            while answered < before + 100:  # noqa: ASYNC110 - the others' answers, in the same loop
                await asyncio.sleep(0.02)
        over.set()
    assert code == 0
    assert seconds < 5
    assert before > 100


async def test_a_draining_service_is_not_ready(start: Start) -> None:
    """Whoever watches its health learns of the drain before the server stops."""
    process = await start()
    async with open_channel(process.ready["grpc"], timeout=5) as channel:
        watch = watch_health(channel, SERVICE)
        assert (await watch.read()).status == SERVING
        slow = asyncio.ensure_future(EchoClient(channel).unary(b"slow"))
        await process.begun(1)
        ended = asyncio.ensure_future(process.end(signal.SIGTERM))
        assert (await watch.read()).status == NOT_SERVING
        assert await slow == b"slow"
        code, seconds = await ended
        assert await watch.read() == aio.EOF
    assert code == 0
    assert seconds < 5  # not the ten seconds of the drain: who watches holds up nothing


async def test_a_drain_ends_in_bounded_time(start: Start) -> None:
    """A stream whose client never leaves is cut when the drain's time is over; the exit code is still 0."""
    process = await start(drain_seconds="1")
    async with open_channel(process.ready["grpc"], timeout=5) as channel:
        stream = EchoClient(channel).server_stream(b"big")
        await stream.read()
        code, seconds = await process.end(signal.SIGTERM)
        with pytest.raises(aio.AioRpcError) as caught:
            await read_to_end(stream)
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert code == 0
    assert 0.5 < seconds < 4


async def test_the_second_signal_ends_the_waiting(start: Start) -> None:
    """Somebody who presses Ctrl-C twice does not wait for the drain's time."""
    process = await start(drain_seconds="60")
    async with open_channel(process.ready["grpc"], timeout=5) as channel:
        stream = EchoClient(channel).server_stream(b"big")
        await stream.read()
        code, seconds = await process.end(signal.SIGINT, signal.SIGINT)
    assert code == 0
    assert seconds < 5


@pytest.mark.parametrize(("fault", "signals"), [(b"hold", 1), (b"hold", 2), (b"block", 1)])
async def test_what_never_ends_is_ended(start: Start, fault: bytes, signals: int) -> None:
    """A connection that does not close, an event loop that stands still: gone in the drain's time, or within
    a second of the second signal, with exit code 0.
    """
    process = await start(drain_seconds="2" if signals == 1 else "60")
    async with open_channel(process.ready["grpc"], timeout=5) as channel:
        await EchoClient(channel).unary(fault)
    code, seconds = await process.end(*[signal.SIGTERM] * signals)
    assert code == 0
    assert (1.5 if signals == 1 else 0.5) < seconds < 6


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"partitions": "0"}, b"SERVITO_PARTITIONS"),
        ({"grpc_bind": "127.0.0.1:1.5"}, b"SERVITO_GRPC_BIND"),
        ({"grpc_bind": "192.0.2.1:0"}, b"SERVITO_GRPC_BIND: cannot listen on 192.0.2.1:0"),
        ({"metrics_bind": "192.0.2.1:0"}, b"SERVITO_METRICS_BIND"),
    ],
)
async def test_what_does_not_let_it_start_is_named(variables: dict[str, str], named: bytes) -> None:
    """A wrong setting, an address that cannot be had: exit code 2, its name on stderr, no ready line."""
    child = await spawn(**variables)
    out, err = await asyncio.wait_for(child.communicate(), 20)
    assert child.returncode == 2
    assert out == b""
    assert b"echo cannot start" in err
    assert named in err
    assert b"Traceback" not in err


async def test_an_unsafe_configuration_does_not_start_in_production() -> None:
    """Exit code 2, a line for each risk with what is allowed, and nothing was served; in development the same
    is a line in the log for each.
    """
    child = await spawn(mode="production")
    out, err = await asyncio.wait_for(child.communicate(), 20)
    assert (child.returncode, out) == (2, b"")
    lines = err.decode().splitlines()
    assert "echo cannot start:" in lines
    told = [line for line in lines if line.startswith("  unsafe in production mode: ")]
    assert [line.rpartition("[")[2] for line in told] == [
        "dev-tokens]",
        "no-replica]",
        "no-password]",
        "plain-grpc]",
    ]


async def test_development_warns_of_each_risk(start: Start) -> None:
    """One line of the log for each risk, and the metrics page names them."""
    process = await start()
    url = f"http://{process.ready['metrics']}/metrics"
    page = await asyncio.to_thread(lambda: urllib.request.urlopen(url, timeout=20).read().decode())
    _, logged = await asyncio.gather(process.end(signal.SIGTERM), process.child.communicate())
    warned = [
        line["risk"]
        for line in map(json.loads, logged[1].splitlines())
        if line["event"] == "unsafe_configuration"
    ]
    assert warned == ["dev-tokens", "no-replica", "no-password", "plain-grpc"]
    for risk in warned:
        assert f'servito_unsafe_configuration{{risk="{risk}"}} 1.0' in page
    assert 'servito_build_info{mode="development",version="' in page


async def test_health_for_probes_is_a_port_of_its_own(start: Start) -> None:
    """A probe that knows no TLS asks there for health, and gets nothing else (PITFALLS G14)."""
    with Reservations() as ports:
        bind = f"127.0.0.1:{ports.reserve()}"
        process = await start(health_bind=bind)
        async with open_channel(bind, timeout=5) as channel:
            assert await health_of(channel, SERVICE) == SERVING
            with pytest.raises(aio.AioRpcError) as refused:
                await EchoClient(channel).unary(b"x")
            assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED
        code, _ = await process.end(signal.SIGTERM)
    assert code == 0


@pytest.mark.parametrize(("argument", "code"), [("--check", 0), ("--chekc", 2)])
async def test_settings_are_checked_without_a_start(argument: str, code: int) -> None:
    """`--check` says in one line what is known, wrong and unsafe; another argument is refused by name."""
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "tests.platform.echo", argument),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await asyncio.wait_for(child.communicate(), 20)
    assert child.returncode == code
    if code:
        assert b"there is no argument '--chekc'; allowed is --check" in err
        return
    told = json.loads(out)
    assert (told["name"], told["mode"], told["errors"]) == ("echo", "development", [])
    assert "SERVITO_STATE_URL" in told["known"]
    assert {"risk": "dev-tokens", "what": ""} in told["risks"]


async def test_production_hides_its_protocols(start: Start) -> None:
    """Reflection answers in development mode and is not there in production mode."""
    for mode, found in (({}, True), (PRODUCTION, False)):
        process = await start(**mode)
        async with open_channel(process.ready["grpc"], timeout=5) as channel:
            assert await reflects(channel) is found
        await process.end(signal.SIGTERM)
