"""Streams that somebody opens and then leaves alone."""

from __future__ import annotations

import asyncio
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest
from grpc import aio

from servito_table.rpc.streams import JOIN_SECONDS
from servito_wire.refusals import refusal_of
from tests.contract.promises import TABLE, promises

if TYPE_CHECKING:
    from tests.contract.stage import Stage


@pytest.mark.slow
async def test_a_stream_that_never_says_what_it_is_for(stage: Stage) -> None:
    """Play without a first message is ended in bounded time: MALFORMED, not a place taken for ever."""
    call: Any = stage.channel(TABLE).stream_stream(promises()["Play"].path)
    begin = monotonic()
    streams = [call(metadata=(("authorization", "Bearer dev:ann"),)) for _ in range(20)]
    ended = await asyncio.gather(*(stream.read() for stream in streams), return_exceptions=True)
    assert JOIN_SECONDS - 1 < monotonic() - begin < JOIN_SECONDS + 5
    for error in ended:
        assert isinstance(error, aio.AioRpcError)
        refused = refusal_of(error)
        assert refused is not None
        assert refused.reason == "MALFORMED"
