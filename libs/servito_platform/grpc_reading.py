"""Bytes that are no message: refused as MALFORMED instead of failing inside gRPC as a fault of ours.

Here: what takes the place of a request that could not be read, and the refusal of it. Done by the layers for
calls with one request; a handler of a stream of requests deals with them one by one (carrying.py, the table's
`rpc/methods.py`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import grpc
from google.protobuf.message import DecodeError

from servito_platform.errors import RpcError

_UNREADABLE: Final = object()


def lenient(read: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    """`read`, that does not fail on bytes that are no message."""

    def read_or_not(data: bytes) -> Any:
        try:
            return read(data)
        except DecodeError:
            return _UNREADABLE

    return read_or_not


def is_readable(request: Any) -> bool:
    """Whether what `lenient` read is a message."""
    return request is not _UNREADABLE


def not_readable() -> RpcError:
    """The refusal of what is none."""
    return RpcError(
        grpc.StatusCode.INVALID_ARGUMENT,
        "MALFORMED",
        "the bytes of the request are no message of this method",
    )


def only_readable(behaviour: Callable[[Any, Any], Awaitable[Any]]) -> Callable[[Any, Any], Awaitable[Any]]:
    """`behaviour`, for what `lenient` reads."""

    async def readable(request: Any, context: Any) -> Any:
        if not is_readable(request):
            raise not_readable()
        return await behaviour(request, context)

    return readable
