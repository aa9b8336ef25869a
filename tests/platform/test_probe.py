"""The probe of containers says what the health service says, without grpc in its process."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys

import pytest
from grpc import aio

from servito_platform.caller import no_tokens
from servito_platform.grpc_server import listen, new_server
from servito_platform.health import Health
from servito_platform.metrics import new_registry
from servito_platform.probe import NoAnswer, ask

NAME = "x.v1.X"


async def asked(address: str, service: str = "") -> str:
    """What the probe hears of a service at HOST:PORT."""
    host, _, port = address.rpartition(":")
    return await asyncio.to_thread(ask, (host, int(port)), service)


def program(bind: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The probe as an engine runs it."""
    return subprocess.run(
        [sys.executable, "-m", "servito_platform.probe", *arguments],
        env={**os.environ, "SERVITO_GRPC_BIND": bind},
        capture_output=True,
        text=True,
        check=False,
    )


async def serving(health: Health) -> tuple[aio.Server, str]:
    """A server as every service has it, and where it is."""
    server = new_server(new_registry(), no_tokens)
    health.serve_on(server)
    address = listen(server, "127.0.0.1:0")
    await server.start()
    return server, address


async def test_it_says_what_health_says() -> None:
    """Liveness and readiness, while all is well, in an outage and in the drain; a name that nobody has."""
    trouble: list[str] = []

    async def check() -> None:
        if trouble:
            raise ConnectionError

    health = Health()
    health.check(check)
    server, address = await serving(health)
    watching = asyncio.create_task(health.watch([NAME]))
    await asyncio.sleep(0.1)
    assert (await asked(address), await asked(address, NAME)) == ("SERVING", "SERVING")
    trouble.append("outage")
    await health.refresh()
    assert (await asked(address), await asked(address, NAME)) == ("SERVING", "NOT_SERVING")
    with pytest.raises(NoAnswer, match="of such a service"):
        await asked(address, "y.v1.Y")
    health.drain()
    assert await asked(address) == "NOT_SERVING"
    watching.cancel()
    await asyncio.gather(watching, return_exceptions=True)
    await server.stop(0)


async def test_its_exit_code_is_the_answer() -> None:
    """0 for SERVING, 1 for everything else, with a reason."""
    health = Health()
    server, address = await serving(health)
    well = await asyncio.to_thread(program, address.replace("127.0.0.1", "0.0.0.0"))  # noqa: S104 - as in a container
    assert (well.returncode, well.stdout) == (0, "SERVING\n")
    unknown = await asyncio.to_thread(program, address, NAME)
    assert (unknown.returncode, unknown.stderr) == (1, "no health is told there of such a service\n")
    health.drain()
    leaving = await asyncio.to_thread(program, address)
    assert (leaving.returncode, leaving.stdout) == (1, "NOT_SERVING\n")
    await server.stop(0)


@pytest.mark.parametrize("hello", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\xff" * 64])
def test_whoever_else_listens_is_no_health(hello: bytes) -> None:
    """A server that speaks something else, or hangs up, is no answer."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        async def both() -> None:
            with pytest.raises(NoAnswer):
                await asyncio.gather(
                    asked(f"127.0.0.1:{server.getsockname()[1]}"), asyncio.to_thread(greet, server, hello)
                )

        asyncio.run(both())


def greet(server: socket.socket, hello: bytes) -> None:
    """Say something to the first caller, and hang up."""
    connection, _ = server.accept()
    with connection:
        connection.recv(24)
        connection.sendall(hello)


def test_it_loads_no_grpc() -> None:
    """It runs every few seconds in every container."""
    heavy = ("grpc", "asyncio", "pydantic")
    code = f"import sys, servito_platform.probe; print([each for each in {heavy} if each in sys.modules])"
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert seen.stdout == "[]\n"


def test_a_port_has_to_be_named() -> None:
    """Without an address in its environment it says so."""
    assert "SERVITO_GRPC_BIND names no port" in program("").stderr
