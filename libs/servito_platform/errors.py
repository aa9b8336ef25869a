"""The one exception that becomes a gRPC status, and its way back.

Here: code, reason and metadata of a failed call as google.rpc.Status with ErrorInfo (and RetryInfo). Not
here: which reasons exist; the platform knows none but its own three (UNAUTHENTICATED, UNAVAILABLE,
INTERNAL). Changes with grpc_errors.py, which sends what is raised.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Self, cast

import grpc
from google.protobuf import any_pb2, duration_pb2, message
from google.rpc import error_details_pb2, status_pb2
from grpc_status import rpc_status

DOMAIN: Final = "servito"
_CODES: Final = {code.value[0]: code for code in grpc.StatusCode}


class RpcError(Exception):
    """A call failed for a stated reason.

    `reason` is a stable UPPER_SNAKE code for programs, `text` a sentence for people, `metadata` what a
    program needs besides (allowed range, current version), `retry_after` the seconds after which the same
    request may be sent again, `details` further messages for the wire. None of them may hold a hidden card.
    """

    def __init__(
        self,
        code: grpc.StatusCode,
        reason: str,
        text: str,
        *,
        metadata: Mapping[str, str] | None = None,
        retry_after: float | None = None,
        details: tuple[message.Message, ...] = (),
    ) -> None:
        super().__init__(text)
        self.code = code
        self.reason = reason
        self.text = text
        self.metadata = dict(metadata or {})
        self.retry_after = retry_after
        self.details = details

    def to_status(self) -> status_pb2.Status:
        """As it goes over the wire."""
        info = error_details_pb2.ErrorInfo(reason=self.reason, domain=DOMAIN, metadata=self.metadata)
        messages: list[message.Message] = [info, *self.details]
        if self.retry_after is not None:
            delay = duration_pb2.Duration()
            delay.FromMilliseconds(round(self.retry_after * 1000))
            messages.append(error_details_pb2.RetryInfo(retry_delay=delay))
        return status_pb2.Status(code=self.code.value[0], message=self.text, details=map(_packed, messages))

    @classmethod
    def from_call(cls, error: grpc.aio.AioRpcError) -> Self:
        """What a client caught, read back; a status without ErrorInfo of ours has the reason ""."""
        # from_call reads code, details and trailers, which an aio error has just as a blocking call does.
        status = rpc_status.from_call(cast("grpc.Call", error))
        if status is None:
            return cls(error.code(), "", error.details() or "")
        return cls.from_status(status)

    @classmethod
    def from_status(cls, status: status_pb2.Status) -> Self:
        """Read from the form that goes over the wire."""
        info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
        reason, metadata, retry_after = "", {}, None
        rest: list[message.Message] = []
        for detail in status.details:
            if detail.Unpack(info) and info.domain == DOMAIN:
                reason, metadata = info.reason, dict(info.metadata)
            elif detail.Unpack(retry):
                retry_after = retry.retry_delay.ToMilliseconds() / 1000
            else:
                rest.append(detail)
        return cls(
            _CODES[status.code],
            reason,
            status.message,
            metadata=metadata,
            retry_after=retry_after,
            details=tuple(rest),
        )


def _packed(detail: message.Message) -> any_pb2.Any:
    if isinstance(detail, any_pb2.Any):
        return detail
    packed = any_pb2.Any()
    packed.Pack(detail)
    return packed
