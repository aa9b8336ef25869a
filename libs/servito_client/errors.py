"""What a player's call may raise: refused with a reason, or no answer that can be relied on.

Here: two exceptions and how a failed call becomes one of them. Not here: which reasons exist
(refusal.proto) and what is worth another try (`servito_wire.refusals`)."""

from __future__ import annotations

from typing import Final

from grpc import StatusCode, aio

from servito.table.v1 import refusal_pb2
from servito_wire.refusals import WireRefusal, refusal_from_proto, refusal_of

TRANSPORT: Final = frozenset(
    {
        StatusCode.UNAVAILABLE,
        StatusCode.DEADLINE_EXCEEDED,
        StatusCode.CANCELLED,
        StatusCode.INTERNAL,
        StatusCode.UNKNOWN,
    }
)
"""Codes that mean a broken or slow connection where no reason of ours comes with them."""


class TableError(Exception):
    """Something was not done, or it is not known whether it was.

    `retryable`: the same request may still succeed.
    """

    def __init__(self, message: str, *, retryable: bool) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable


class Refusal(TableError):  # noqa: N818 - the word of the protocol
    """The table said no and changed nothing.

    `reason` is a name of refusal.proto without its prefix, such as `NOT_YOUR_TURN`; `version` that of the
    table where it was refused, 0 where none was read."""

    def __init__(self, refused: WireRefusal) -> None:
        super().__init__(refused.message, retryable=refused.retryable)
        self.reason = refused.reason
        self.version = refused.version

    def __str__(self) -> str:
        return f"{self.reason}: {self.message}"


class Unanswered(TableError):  # noqa: N818 - what it is
    """No answer came: what was asked may or may not have been done.

    `code` is the status of the connection.
    """

    def __init__(self, code: StatusCode, message: str, *, retryable: bool = True) -> None:
        super().__init__(message, retryable=retryable)
        self.code = code

    def __str__(self) -> str:
        return f"no answer ({self.code.name}): {self.message}"


def error_of(failed: aio.AioRpcError) -> TableError:
    """The refusal that a failed call carries, or `Unanswered` when it carries none."""
    refused = refusal_of(failed)
    if refused is not None:
        return Refusal(refused)
    return Unanswered(failed.code(), failed.details() or "", retryable=failed.code() in TRANSPORT)


def refusal_in(sent: refusal_pb2.Refusal) -> Refusal:
    """The refusal that a stream carried."""
    return Refusal(refusal_from_proto(sent))
