"""What clients of any service meet: identity, errors, deadlines, and streams that end cleanly."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import grpc
import pytest
import structlog
from grpc import aio

from servito_platform.caller import development_tokens, no_tokens
from servito_platform.errors import RpcError
from servito_platform.grpc_channel import open_channel
from servito_platform.grpc_server import listen, new_server
from servito_platform.metrics import new_registry
from tests.platform.echo import REFUSED, SERVICE, Echo, EchoClient, Running

ANNA = (("authorization", "Bearer dev:anna"),)


async def refusal(call: Awaitable[object]) -> RpcError:
    """What the client is told when a call fails."""
    with pytest.raises(aio.AioRpcError) as caught:
        await call
    return RpcError.from_call(caught.value)


async def test_the_caller_is_known_from_the_metadata(running: Running) -> None:
    """The development token names the player; calls of two players at once do not mix."""
    assert await running.client.unary(b"who", metadata=ANNA) == b"anna"
    names = [f"p{number}" for number in range(50)]
    answers = await asyncio.gather(
        *(running.client.unary(b"who", metadata=(("authorization", f"bearer dev:{name}"),)) for name in names)
    )
    assert [answer.decode() for answer in answers] == names


@pytest.mark.parametrize(
    "token", [None, "", "dev:a", "Bearer a", "Bearer dev:", "Bearer dev:a b", "Basic dev:a"]
)
async def test_an_unknown_caller_is_refused_where_it_matters(running: Running, token: str | None) -> None:
    """No token, or one that names nobody: refused where a caller is needed, no hindrance elsewhere."""
    metadata = () if token is None else (("authorization", token),)
    error = await refusal(running.client.unary(b"who", metadata=metadata))
    assert (error.code, error.reason) == (grpc.StatusCode.UNAUTHENTICATED, "UNAUTHENTICATED")
    assert "authorization" in error.text
    assert await running.client.unary(b"hello", metadata=metadata) == b"hello"


async def test_without_a_verifier_nobody_is_known() -> None:
    """What production mode does until it is given a verifier: the development token is worth nothing."""
    server, echo = new_server(new_registry(), no_tokens), Echo()
    echo.add_to(server)
    address = listen(server, "127.0.0.1:0")
    await server.start()
    async with open_channel(address, timeout=5) as channel:
        error = await refusal(EchoClient(channel).unary(b"who", metadata=ANNA))
    assert error.code is grpc.StatusCode.UNAUTHENTICATED
    await server.stop(0)


async def test_a_refusal_survives_the_wire(running: Running) -> None:
    """Code, reason, text, metadata and the time to retry arrive as they were raised."""
    error = await refusal(running.client.unary(b"refuse"))
    assert (error.code, error.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "X_OUT_OF_RANGE")
    assert (error.text, error.metadata, error.retry_after) == (REFUSED, {"max": "5"}, 0.5)


async def test_a_stream_can_refuse_after_it_began(running: Running) -> None:
    """Messages sent before the refusal arrive, then the reason."""
    call = running.client.server_stream(b"refuse")
    assert await call.read() == b"refuse"
    error = await refusal(call.read())
    assert (error.code, error.reason) == (grpc.StatusCode.NOT_FOUND, "NO_MORE")


async def test_a_status_of_somebody_else_has_no_reason(running: Running) -> None:
    """An error that gRPC itself made is read without inventing a reason."""
    error = await refusal(running.client.method(f"/{SERVICE}/Nothing")(b""))
    assert (error.code, error.reason, error.metadata) == (grpc.StatusCode.UNIMPLEMENTED, "", {})


async def test_a_fault_of_ours_tells_an_incident_and_no_more(running: Running) -> None:
    """The client gets INTERNAL with an id that the log has too; the exception's text stays inside."""
    with structlog.testing.capture_logs() as lines:
        error = await refusal(running.client.unary(b"crash"))
    assert (error.code, error.reason) == (grpc.StatusCode.INTERNAL, "INTERNAL")
    assert "Ah" not in f"{error.text} {error.metadata}"
    incidents = [line["incident"] for line in lines if line["event"] != "call_ended"]
    assert incidents == [error.metadata["incident"]]
    assert await running.client.unary(b"still there") == b"still there"


async def test_all_four_kinds_answer(running: Running) -> None:
    """Unary, server stream, client stream and bidirectional stream pass the plumbing unchanged."""
    assert await running.client.unary(b"x") == b"x"
    assert await running.client.server_stream(b"x").read() == b"x"
    joined = running.client.client_stream(iter([b"a", b"b"]))
    assert await joined == b"ab"
    both = running.client.bidi_stream(iter([b"who", b"b"]), metadata=ANNA)
    assert [answer async for answer in both] == [b"anna", b"b"]


@pytest.mark.parametrize("request_", [b"small", b"big"])
async def test_a_vanished_client_ends_its_stream_at_once(running: Running, request_: bytes) -> None:
    """Whether the stream waits or is in the middle of a write, the handler's cleanup runs (PITFALLS G2)."""
    call = running.client.server_stream(request_)
    await call.read()
    await asyncio.sleep(0.1)
    assert running.open_streams() == 1
    call.cancel()
    await asyncio.wait_for(running.echo.stream_closed.wait(), 20)
    await asyncio.sleep(0)
    assert running.open_streams() == 0
    assert running.handled("ServerStream", "server_stream", "CANCELLED") == 1


async def test_every_call_has_a_deadline(running: Running) -> None:
    """A call that names none gets the channel's; one that names its own keeps it."""
    async with open_channel(running.address, timeout=60) as channel:
        client = EchoClient(channel)
        assert 35_000 < int(await client.unary(b"left")) <= 60_100
        assert 5_000 < int(await client.unary(b"left", timeout=30)) <= 30_100


async def test_a_call_on_behalf_of_another_never_outlives_it(running: Running) -> None:
    """Inside a handler the channel gives what is left to the caller, less a margin for the answer."""

    async def front(request: bytes, context: object) -> bytes:
        async with open_channel(running.address, timeout=60) as behind:
            answer: bytes = await EchoClient(behind).unary(request)
        return answer

    server = new_server(new_registry(), development_tokens)
    handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "Front": grpc.unary_unary_rpc_method_handler(front)
    }
    server.add_generic_rpc_handlers([grpc.method_handlers_generic_handler("servito.test.v1.Front", handlers)])
    address = listen(server, "127.0.0.1:0")
    await server.start()
    async with open_channel(address, timeout=60) as channel:
        answer = await EchoClient(channel).method("/servito.test.v1.Front/Front")(b"left", timeout=9)
    await server.stop(0)
    assert 1_000 < int(answer) <= 8_970


async def test_a_restarted_server_costs_time_and_no_error() -> None:
    """A call made while the server is away waits for it within its deadline."""
    registry = new_registry()
    first = new_server(registry, development_tokens)
    Echo().add_to(first)
    address = listen(first, "127.0.0.1:0")
    await first.start()
    async with open_channel(address, timeout=20) as channel:
        say = EchoClient(channel).unary
        assert await say(b"one") == b"one"
        await first.stop(0)
        waiting = asyncio.ensure_future(say(b"two"))
        await asyncio.sleep(0.3)
        assert not waiting.done()
        second = new_server(new_registry(), development_tokens)
        Echo().add_to(second)
        listen(second, address)
        await second.start()
        assert await waiting == b"two"
    await second.stop(0)


async def test_a_taken_port_is_an_error_and_not_a_shared_one(running: Running) -> None:
    """Two servers on one port would share its calls in silence; the second is refused."""
    other = new_server(new_registry(), development_tokens)
    with pytest.raises(OSError, match="cannot listen on"):
        listen(other, running.address)
