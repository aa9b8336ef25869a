"""Calls as clients are told to make them: what could not be answered now is sent again, as it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import grpc
from grpc import aio

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from tests.bench.rates.sample import Counter

Metadata = tuple[tuple[str, str], ...]
Response = TypeVar("Response")


def caller(player: str) -> Metadata:
    """The metadata that says who calls."""
    return (("authorization", f"Bearer dev:{player}"),)


async def answered(
    method: Callable[..., Awaitable[Response]],
    request: Any,
    metadata: Metadata,
    counter: Counter | None = None,
) -> Response:
    """The answer of a unary call, however often it has to be sent; `counter` counts the repetitions."""
    while True:
        try:
            return await method(request, metadata=metadata)
        except aio.AioRpcError as error:
            if error.code() is not grpc.StatusCode.UNAVAILABLE:
                raise
            if counter is not None:
                counter.repeated += 1
