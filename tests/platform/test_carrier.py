"""Many calls over one stream: as if each came by itself, whatever becomes of the stream."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest
from google.protobuf.wrappers_pb2 import BytesValue
from grpc import aio
from prometheus_client import CollectorRegistry

from servito.calls.v1 import calls_pb2 as pb
from servito.calls.v1.calls_pb2_grpc import (
    CallsServiceServicer,
    CallsServiceStub,
    add_CallsServiceServicer_to_server,
)
from servito_platform.ages import Ages
from servito_platform.caller import development_tokens
from servito_platform.carrier import Carrier
from servito_platform.carrying import MOST_RUNNING, Carried
from servito_platform.errors import RpcError
from servito_platform.grpc_channel import open_channel
from servito_platform.grpc_deadline import start_countdown
from servito_platform.grpc_server import layered_server, listen, new_layers
from servito_platform.metrics import new_registry
from tests.local.parts import until
from tests.platform.echo import REFUSED, SERVICE, Echo

PATH = f"/{SERVICE}/Unary"
ANN = (("authorization", "Bearer dev:ann"),)
Ask = Callable[[bytes], Coroutine[Any, Any, bytes]]


@dataclass
class Carrying:
    """A server that carries the calls of an echo."""

    registry: CollectorRegistry = field(default_factory=new_registry)
    echo: Echo = field(default_factory=Echo)
    address: str = "127.0.0.1:0"
    asked: list[bytes] = field(default_factory=list)
    mute: bool = False
    held: bytes | None = None

    async def unary(self, request: BytesValue, context: Any) -> BytesValue:
        """What the echo says; nothing while it is mute, or to the question that is held."""
        self.asked.append(request.value)
        while self.mute or request.value == self.held:  # noqa: ASYNC110 - the test sets it, in the same loop
            await asyncio.sleep(0.01)
        return BytesValue(value=await self.echo.unary(request.value, context))

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[Carried]:
        """While it serves, always at the same address."""
        layers = new_layers(self.registry, development_tokens)
        server, carried = layered_server(layers), Carried(layers, Ages(300))
        carried.add_method(PATH, self.unary, BytesValue.FromString)
        carried.serve_on(server)
        self.address = listen(server, self.address)
        await server.start()
        try:
            yield carried
        finally:
            await server.stop(0)

    def handled(self, code: str) -> float:
        """How many calls were counted with that code."""
        labels = {"grpc_service": SERVICE, "grpc_method": "Unary", "grpc_type": "unary", "grpc_code": code}
        return self.registry.get_sample_value("grpc_server_handled_total", labels) or 0


@asynccontextmanager
async def asking(address: str, timeout: float = 5.0) -> AsyncIterator[Ask]:
    """Ask what serves at the address."""
    async with (
        open_channel(address, timeout=timeout) as channel,
        Carrier(channel, timeout=timeout, metadata=lambda: ANN) as carrier,
    ):
        method = carrier.method(PATH, BytesValue)

        async def ask(question: bytes) -> bytes:
            return (await method(BytesValue(value=question))).value

        yield ask


async def test_answers_go_to_who_asked() -> None:
    """A thousand questions at once: each gets its own answer, over one stream, and each is counted as a
    call.
    """
    carrying, style = Carrying(), random.Random(1)
    async with carrying.serving(), asking(carrying.address) as ask:
        questions = [b"%d" % number * style.randrange(1, 50) for number in range(1000)]
        assert await asyncio.gather(*map(ask, questions)) == questions
        assert carrying.handled("OK") == 1000
        labels = {"grpc_service": "servito.calls.v1.CallsService", "grpc_method": "Carry"}
        assert carrying.registry.get_sample_value("grpc_server_open_streams", labels) == 1


class Sizes(CallsServiceServicer):
    """Serves the stream by saying everything back, and notes how many calls came in each message."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    async def Carry(  # noqa: N802 - the name in the proto
        self,
        requests: AsyncIterator[pb.CarryRequest],
        context: Any,  # noqa: ARG002 - every method has it
    ) -> AsyncIterator[pb.CarryResponse]:
        """See the proto."""
        async for request in requests:
            self.sizes.append(len(request.calls))
            yield pb.CarryResponse(
                answers=[pb.Answer(id=call.id, response=call.request) for call in request.calls]
            )


async def test_what_is_asked_in_short_succession_leaves_together() -> None:
    """A question after a silence is a message of its own; many of the next moment are a few messages."""
    sizes, server = Sizes(), aio.server()
    add_CallsServiceServicer_to_server(sizes, server)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with asking(f"127.0.0.1:{port}") as ask:
            assert await ask(b"first") == b"first"
            assert sizes.sizes == [1]
            questions = []
            for number in range(40):
                questions.append(asyncio.create_task(ask(b"%d" % number)))
                await asyncio.sleep(0)  # each in a round of the loop of its own
            assert await asyncio.gather(*questions) == [b"%d" % number for number in range(40)]
    finally:
        await server.stop(0)
    assert sum(sizes.sizes) == 41
    assert len(sizes.sizes) <= 10


async def test_a_slow_answer_holds_up_nobody() -> None:
    """Answers come in the order in which they are ready."""
    carrying = Carrying(held=b"held")
    async with carrying.serving(), asking(carrying.address, 20) as ask:
        slow = asyncio.create_task(ask(b"held"))
        await until(lambda: bool(carrying.asked), 20)
        assert await ask(b"quick") == b"quick"
        assert not slow.done()
        carrying.held = None
        assert await slow == b"held"


async def test_a_call_is_refused_as_if_it_came_by_itself() -> None:
    """Reason, text, metadata, the time to wait and the counted code; a defect shows an incident only; the
    caller is who opened the stream.
    """
    carrying = Carrying()
    async with carrying.serving(), asking(carrying.address) as ask:
        with pytest.raises(RpcError) as refused:
            await ask(b"refuse")
        error = refused.value
        assert (error.code, error.reason, error.text) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "X_OUT_OF_RANGE",
            REFUSED,
        )
        assert (error.metadata, error.retry_after) == ({"max": "5"}, 0.5)
        with pytest.raises(RpcError) as crashed:
            await ask(b"crash")
        assert crashed.value.reason == "INTERNAL"
        assert "Ah" not in str(crashed.value)
        assert await ask(b"who") == b"ann"
        assert (carrying.handled("FAILED_PRECONDITION"), carrying.handled("INTERNAL")) == (1, 1)


async def test_what_is_no_message_and_what_is_no_method() -> None:
    """MALFORMED and UNIMPLEMENTED; the stream goes on."""
    carrying = Carrying()
    async with (
        carrying.serving(),
        open_channel(carrying.address, timeout=5) as channel,
        Carrier(channel, timeout=5) as carrier,
    ):
        with pytest.raises(RpcError) as malformed:
            await carrier._repeated(PATH, b"\xff\xff")
        assert malformed.value.reason == "MALFORMED"
        with pytest.raises(RpcError) as unknown:
            await carrier.method("/servito.test.v1.Echo/Other", BytesValue)(BytesValue())
        assert unknown.value.code is grpc.StatusCode.UNIMPLEMENTED
        await carrier.method(PATH, BytesValue)(BytesValue(value=b"still here"))


async def test_time_is_bounded_by_the_callers() -> None:
    """The handler is told what is left of the caller's time, and an answer is not waited for beyond it."""
    carrying = Carrying(held=b"held")
    async with carrying.serving(), asking(carrying.address, 60) as ask:
        assert 35_000 < int(await ask(b"left")) <= 60_000
        start_countdown(30)
        assert 5_000 < int(await ask(b"left")) <= 29_950
        start_countdown(0.5)
        with pytest.raises(RpcError) as late:
            await asyncio.wait_for(ask(b"held"), 20)
        assert late.value.code is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_what_a_dying_server_did_not_answer_is_asked_again() -> None:
    """The server dies under fifty questions and another takes its place: every one is answered, and nobody
    sees an error.
    """
    dying, questions = Carrying(mute=True), [b"%d" % number for number in range(50)]
    async with dying.serving():
        asked = asking(dying.address)
        ask = await asked.__aenter__()
        answers = [asyncio.create_task(ask(question)) for question in questions]
        while len(dying.asked) < len(questions):  # noqa: ASYNC110 - they are asked in the same loop
            await asyncio.sleep(0.01)
    dying.mute = False
    heir = Carrying(address=dying.address)
    async with heir.serving():
        assert await asyncio.gather(*answers) == questions
        assert sorted(heir.asked) == sorted(questions)
        await asked.__aexit__(None, None, None)


async def test_a_drain_answers_what_has_begun_and_sends_the_rest_elsewhere() -> None:
    """At the farewell the stream ends by itself; running calls are answered, later ones are asked over
    another stream.
    """
    carrying = Carrying()
    async with carrying.serving() as carried, asking(carrying.address) as ask:
        slow = asyncio.create_task(ask(b"slow"))
        while not carrying.asked:  # noqa: ASYNC110 - it is asked in the same loop
            await asyncio.sleep(0.01)
        await carried.farewell()
        assert await slow == b"slow"
        assert carrying.asked == [b"slow"]
        assert await ask(b"again") == b"again"


async def test_who_does_not_answer_is_left() -> None:
    """A replica that is silent to the end of a question loses the stream; the next questions find another
    one.
    """
    silent, other, target = Carrying(mute=True), Carrying(), "ipv4:{},{}"
    async with AsyncExitStack() as stack:
        for serving in (silent, other):
            await stack.enter_async_context(serving.serving())
        ask = await stack.enter_async_context(asking(target.format(silent.address, other.address), 0.5))
        answers: list[bytes | BaseException] = []
        for _ in range(6):
            answers += await asyncio.gather(ask(b"?"), return_exceptions=True)
        silent.mute = False
    late = [answer for answer in answers if isinstance(answer, RpcError)]
    assert len(late) <= 3
    assert {error.code for error in late} <= {grpc.StatusCode.DEADLINE_EXCEEDED}
    assert answers.count(b"?") == 6 - len(late)


async def test_who_asks_and_does_not_read_fills_nothing() -> None:
    """Eight thousand calls of somebody who reads no answer: few more are begun than may wait, and all the
    others once he reads.
    """
    carrying, requests = Carrying(), 8
    call = pb.Call(method=PATH, request=BytesValue(value=b"x" * 1000).SerializeToString(), timeout_ms=5000)
    request = pb.CarryRequest(calls=[call] * 1000)
    plain = (("grpc.http2.bdp_probe", 0),)  # windows that do not grow
    async with carrying.serving(), grpc.aio.insecure_channel(carrying.address, options=plain) as channel:
        stream: Any = CallsServiceStub(channel).Carry(metadata=ANN)

        async def ask_all() -> None:
            for _ in range(requests):
                await stream.write(request)
            await stream.done_writing()

        asking_all = asyncio.create_task(ask_all())
        await asyncio.sleep(0.5)
        begun = len(carrying.asked)
        await asyncio.sleep(0.3)
        assert MOST_RUNNING <= len(carrying.asked) == begun < 2 * MOST_RUNNING
        answered = 0
        async with asyncio.timeout(20):
            async for answers in stream:
                answered += len(answers.answers)
        await asking_all
        assert answered == 1000 * requests
