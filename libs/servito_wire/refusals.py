"""The table service's refusals on the wire: one row for each reason, and the way there and back.

Here: which gRPC code, whose fault and which retry go with a reason. Reasons are looked up by name, so that
the core (`Reason`), the table's use cases (`TableReason`) and the proto keep enums of their own with equal
names; tests hold them together. Not here: raising and sending (the platform's `RpcError` takes the fields of
a `WireRefusal`).
Changes with protos/servito/table/v1/refusal.proto.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import TYPE_CHECKING, Final, cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

from servito.table.v1 import refusal_pb2

if TYPE_CHECKING:
    from collections.abc import Mapping

    from google.protobuf.descriptor import EnumDescriptor

DOMAIN: Final = "servito"
DETAILS_KEY: Final = "grpc-status-details-bin"
PREFIX: Final = "REFUSAL_REASON_"
FAULT_PREFIX: Final = "FAULT_"


class Fault(StrEnum):
    """What is at fault when a request is refused: the names of the proto's `Fault`, explained there."""

    UNREADABLE = "UNREADABLE"
    ILLEGAL_NOW = "ILLEGAL_NOW"
    NOT_YOURS = "NOT_YOURS"
    STALE = "STALE"
    OURS = "OURS"


@dataclass(frozen=True, slots=True)
class Row:
    """What goes with a reason. `retry_after`: seconds until the same request may be resent; None: never."""

    code: grpc.StatusCode
    fault: Fault
    retry_after: float | None = None


_C = grpc.StatusCode

ROWS: Final[Mapping[str, Row]] = {
    "MALFORMED": Row(_C.INVALID_ARGUMENT, Fault.UNREADABLE),
    "UNAUTHENTICATED": Row(_C.UNAUTHENTICATED, Fault.NOT_YOURS),
    "NOT_PERMITTED": Row(_C.PERMISSION_DENIED, Fault.NOT_YOURS),
    "UNKNOWN_TABLE": Row(_C.NOT_FOUND, Fault.UNREADABLE),
    "REQUEST_ID_REUSED": Row(_C.ALREADY_EXISTS, Fault.UNREADABLE),
    "INVALID_CONFIG": Row(_C.INVALID_ARGUMENT, Fault.UNREADABLE),
    "UNKNOWN_HAND": Row(_C.NOT_FOUND, Fault.UNREADABLE),
    "UNKNOWN_TEMPLATE": Row(_C.NOT_FOUND, Fault.UNREADABLE),
    "SEAT_TAKEN": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "NO_SUCH_SEAT": Row(_C.INVALID_ARGUMENT, Fault.UNREADABLE),
    "BUY_IN_OUT_OF_LIMITS": Row(_C.OUT_OF_RANGE, Fault.ILLEGAL_NOW),
    "ALREADY_SEATED": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "NOT_SEATED": Row(_C.FAILED_PRECONDITION, Fault.NOT_YOURS),
    "TABLE_FULL": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "SEAT_RESERVED": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "ALREADY_WAITING": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "NOT_WAITING": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "SEAT_FREE": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "HAND_NOT_RUNNING": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "NOT_IN_HAND": Row(_C.FAILED_PRECONDITION, Fault.NOT_YOURS),
    "NOT_YOUR_TURN": Row(_C.FAILED_PRECONDITION, Fault.NOT_YOURS),
    "STALE_TURN": Row(_C.FAILED_PRECONDITION, Fault.STALE),
    "OPENERS_REQUIRED": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "ACTION_NOT_AVAILABLE": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "BELOW_MINIMUM": Row(_C.OUT_OF_RANGE, Fault.ILLEGAL_NOW),
    "ABOVE_MAXIMUM": Row(_C.OUT_OF_RANGE, Fault.ILLEGAL_NOW),
    "TOO_MANY_DISCARDS": Row(_C.OUT_OF_RANGE, Fault.ILLEGAL_NOW),
    "CARD_NOT_HELD": Row(_C.FAILED_PRECONDITION, Fault.NOT_YOURS),
    "DUPLICATE_CARD": Row(_C.INVALID_ARGUMENT, Fault.UNREADABLE),
    "TOO_LATE": Row(_C.FAILED_PRECONDITION, Fault.STALE),
    "NO_PROPOSAL": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "PROPOSAL_OPEN": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "STALE_PROPOSAL": Row(_C.FAILED_PRECONDITION, Fault.STALE),
    "ALREADY_ANSWERED": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "TABLE_CLOSED": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "NOTHING_TO_CHANGE": Row(_C.FAILED_PRECONDITION, Fault.ILLEGAL_NOW),
    "CONTENDED": Row(_C.ABORTED, Fault.OURS, retry_after=0.05),
    "OUTCOME_UNKNOWN": Row(_C.UNAVAILABLE, Fault.OURS, retry_after=0.25),
    "UNAVAILABLE": Row(_C.UNAVAILABLE, Fault.OURS, retry_after=0.5),
    "INTERNAL": Row(_C.INTERNAL, Fault.OURS),
}
"""By reason: the name of a RefusalReason without its prefix."""

UNKNOWN: Final = Row(_C.UNKNOWN, Fault.OURS, retry_after=0.25)
"""What is assumed about a reason that only a newer server knows, where the refusal itself does not say."""


@dataclass(frozen=True, slots=True)
class WireRefusal:
    """A refusal as a client sees it, and all that a server needs to send it.

    `version` is that of the table where it was refused, 0 where none was read. From a newer server `reason`
    may be a name that is not in `ROWS`; code, fault and retry still hold.
    """

    reason: str
    message: str
    version: int
    code: grpc.StatusCode
    fault: Fault
    retry_after: float | None

    @property
    def retryable(self) -> bool:
        """Whether the same request, with the same request id, may succeed when it is sent again."""
        return self.retry_after is not None

    @property
    def metadata(self) -> dict[str, str]:
        """The metadata of its ErrorInfo."""
        return {"fault": self.fault.value} | ({"version": str(self.version)} if self.version else {})


def refusal(reason: Enum, message: str, version: int = 0) -> WireRefusal:
    """The refusal for a member of an enum whose names are rows; tests hold core and table to it."""
    row = ROWS[reason.name]
    return WireRefusal(reason.name, message, version, row.code, row.fault, row.retry_after)


def refusal_to_proto(refused: WireRefusal) -> refusal_pb2.Refusal:
    """As it is sent inside a stream; ValueError for a reason that the proto does not have."""
    return refusal_pb2.Refusal(
        reason=refusal_pb2.RefusalReason.Value(PREFIX + refused.reason),
        message=refused.message,
        retryable=refused.retryable,
        version=refused.version,
        fault=refusal_pb2.Fault.Value(FAULT_PREFIX + refused.fault.name),
    )


def refusal_from_proto(sent: refusal_pb2.Refusal) -> WireRefusal:
    """What a stream carried; a reason of a newer server is named by its number."""
    name = _name(refusal_pb2.RefusalReason.DESCRIPTOR, sent.reason, PREFIX)
    row = ROWS.get(name, UNKNOWN)
    fault = _fault(_name(refusal_pb2.Fault.DESCRIPTOR, sent.fault, FAULT_PREFIX), row)
    retry_after = (row.retry_after or UNKNOWN.retry_after) if sent.retryable else None
    return WireRefusal(name, sent.message, sent.version, row.code, fault, retry_after)


def refusal_of(error: grpc.aio.AioRpcError) -> WireRefusal | None:
    """The refusal that a failed call carries; None where it has none (connection lost, deadline passed)."""
    try:
        info, retry_after = _read(error)
    except DecodeError:  # not written by a server of ours, so no refusal of ours either
        return None
    if info.domain != DOMAIN or not info.reason:
        return None
    version = info.metadata.get("version", "")
    return WireRefusal(
        info.reason,
        error.details() or "",
        int(version) if version.isdecimal() else 0,
        error.code(),
        _fault(info.metadata.get("fault", ""), ROWS.get(info.reason, UNKNOWN)),
        retry_after,
    )


def _read(error: grpc.aio.AioRpcError) -> tuple[error_details_pb2.ErrorInfo, float | None]:
    """ErrorInfo (empty without one) and the seconds of RetryInfo, out of the trailing google.rpc.Status."""
    info, retry = error_details_pb2.ErrorInfo(), error_details_pb2.RetryInfo()
    retry_after = None
    sent = next((value for key, value in error.trailing_metadata() if key == DETAILS_KEY), b"")
    for detail in status_pb2.Status.FromString(cast("bytes", sent)).details:
        if detail.Unpack(retry):
            retry_after = retry.retry_delay.ToMilliseconds() / 1000
        else:
            detail.Unpack(info)
    return info, retry_after


def _fault(name: str, row: Row) -> Fault:
    return Fault.__members__.get(name, row.fault)


def _name(enum: EnumDescriptor, number: int, prefix: str) -> str:
    value = enum.values_by_number.get(number)
    return value.name.removeprefix(prefix) if value else str(number)
