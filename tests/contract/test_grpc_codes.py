"""What comes without ErrorInfo is gRPC's own, and only what the head comments of the protos say."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from servito_wire.refusals import refusal_of
from tests.contract.damage import frozen
from tests.contract.promises import DEALER, EVALUATOR, TABLE, promises
from tests.contract.registry import registry

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from tests.contract.stage import Stage

UNARY = [
    rpc.name
    for rpc in promises().values()
    if not rpc.method.client_streaming and not rpc.method.server_streaming
]
FOUR_MEBIBYTES = 4 * 2**20


async def code_of(call: Awaitable[object]) -> grpc.StatusCode:
    """With which code of its own gRPC ends the call."""
    with pytest.raises(aio.AioRpcError) as caught:
        await call
    assert refusal_of(caught.value) is None
    code = caught.value.code()
    assert isinstance(code, grpc.StatusCode)
    return code


@pytest.mark.parametrize("service", [TABLE, DEALER, EVALUATOR])
async def test_methods_that_do_not_exist(stage: Stage, service: str) -> None:
    """UNIMPLEMENTED: of a known service and of one that nobody knows."""
    known = next(rpc for rpc in promises().values() if rpc.service == service).path
    for path in (known + "x", "/servito.table.v9.TableService/Sit", "/x/y"):
        call: Any = stage.channel(service).unary_unary(path)
        assert await code_of(call(b"", timeout=5)) is grpc.StatusCode.UNIMPLEMENTED


@pytest.mark.parametrize("rpc", UNARY)
async def test_a_message_that_is_too_large(stage: Stage, rpc: str) -> None:
    """RESOURCE_EXHAUSTED above 4 MiB, before anything is read; one that is just not is read as always."""
    promise = promises()[rpc]
    metadata = (("authorization", "Bearer dev:ann"),)
    call: Any = stage.channel(promise.service).unary_unary(promise.path)
    large = call(b"\x00" * (FOUR_MEBIBYTES + 1), metadata=metadata, timeout=10)
    assert await code_of(large) is grpc.StatusCode.RESOURCE_EXHAUSTED
    with pytest.raises(aio.AioRpcError) as caught:
        await call(b"\xff" * FOUR_MEBIBYTES, metadata=metadata, timeout=10)
    refused = refusal_of(caught.value)
    assert refused is not None
    assert refused.reason in promise.refusals


async def test_a_deadline_that_passes(stage: Stage) -> None:
    """DEADLINE_EXCEEDED is what the client's own clock says; what it asked for is done or not, and the same
    request tells.
    """
    sit = promises()["Sit"]
    asked = await registry().successes["Sit"](stage)
    call: Any = stage.channel(TABLE).unary_unary(sit.path, None, pb.SitResponse.FromString)
    async with frozen(stage):
        late = call(asked.content, metadata=asked.metadata, timeout=0.1)
        assert await code_of(late) is grpc.StatusCode.DEADLINE_EXCEEDED
    answers: list[pb.SitResponse] = []
    async with asyncio.timeout(20):
        while len(answers) < 2:
            with suppress(aio.AioRpcError):  # until the service has its connection back
                answers.append(await call(asked.content, metadata=asked.metadata, timeout=5))
    assert answers[0] == answers[1]
