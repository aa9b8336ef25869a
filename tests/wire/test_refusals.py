"""Refusals on the wire: the one table is complete, agrees with the proto's text, and survives a real call."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from grpc import aio
from grpc_status import rpc_status

from servito.table.v1 import refusal_pb2
from servito_core.refusals import Reason
from servito_platform.errors import RpcError
from servito_table.app.refusals import TableReason
from servito_wire.refusals import (
    DETAILS_KEY,
    ROWS,
    Fault,
    WireRefusal,
    refusal,
    refusal_from_proto,
    refusal_of,
    refusal_to_proto,
)

PROTO = Path(__file__).parents[2] / "protos/servito/table/v1/refusal.proto"
STATED = re.compile(
    r"// .*?(?P<fault>[A-Z][a-z ]+)\. Retry: (?P<retry>yes|no)\.\n\s+REFUSAL_REASON_(?P<name>\w+) = "
)

Reasons = Enum("Reasons", list(ROWS))  # type: ignore[misc]  # the names come from the table under test


Context = aio.ServicerContext[bytes, bytes]


def as_error(refused: WireRefusal) -> RpcError:
    """As the rpc layer raises it."""
    return RpcError(
        refused.code,
        refused.reason,
        refused.message,
        metadata=refused.metadata,
        retry_after=refused.retry_after,
    )


def caught(status: status_pb2.Status) -> aio.AioRpcError:
    """As a client catches it."""
    sent = rpc_status.to_status(status)
    metadata = aio.Metadata(*sent.trailing_metadata)
    return aio.AioRpcError(sent.code, aio.Metadata(), metadata, details=sent.details)


def test_every_reason_of_the_proto_has_a_row() -> None:
    """The table and the enum name the same reasons, in the same order."""
    names = [name.removeprefix("REFUSAL_REASON_") for name in refusal_pb2.RefusalReason.keys()]  # noqa: SIM118 - an enum wrapper is no dict
    assert names == ["UNSPECIFIED", *ROWS]


def test_every_fault_of_the_proto_has_a_member() -> None:
    """Faults carry the same names on both sides."""
    names = [name.removeprefix("FAULT_") for name in refusal_pb2.Fault.keys()]  # noqa: SIM118 - an enum wrapper is no dict
    assert names == ["UNSPECIFIED", *Fault.__members__]


@pytest.mark.parametrize("reasons", [Reason, TableReason])
def test_every_reason_of_core_and_table_maps(reasons: type[Enum]) -> None:
    """Whatever the core or the table's use cases refuse can be sent."""
    for reason in reasons:
        assert refusal(reason, "why").reason == reason.name


def test_the_table_can_give_every_reason() -> None:
    """The use cases have a word for each row and no others."""
    assert list(TableReason.__members__) == list(ROWS)


def test_the_proto_says_what_the_table_says() -> None:
    """Fault and retry in the comments of refusal.proto are those of the table, for every reason."""
    stated = {
        found["name"]: (found["fault"].strip().upper().replace(" ", "_"), found["retry"] == "yes")
        for found in STATED.finditer(PROTO.read_text())
    }
    assert stated == {name: (row.fault.name, row.retry_after is not None) for name, row in ROWS.items()}


def test_a_code_alone_tells_whether_to_retry() -> None:
    """ABORTED and UNAVAILABLE mean "send it again", no other code does: retry policies by code are right."""
    again = {grpc.StatusCode.ABORTED, grpc.StatusCode.UNAVAILABLE}
    for name, row in ROWS.items():
        assert (row.code in again) == (row.retry_after is not None), name
        assert row.retry_after is None or row.fault is Fault.OURS, name


@pytest.mark.parametrize("reason", Reasons)
@pytest.mark.parametrize("version", [0, 2**53 + 1])
def test_round_trip_through_a_status(reason: Enum, version: int) -> None:
    """What the server sends as google.rpc.Status is what the client reads, every field."""
    sent = refusal(reason, f"says {reason.name}", version)
    assert refusal_of(caught(as_error(sent).to_status())) == sent


@pytest.mark.parametrize("reason", Reasons)
def test_round_trip_through_a_stream(reason: Enum) -> None:
    """The Refusal of a Play stream carries the same as a status."""
    sent = refusal(reason, "says so", 7)
    carried = refusal_pb2.Refusal.FromString(refusal_to_proto(sent).SerializeToString())
    assert refusal_from_proto(carried) == sent


async def test_round_trip_through_a_real_call() -> None:
    """A refusal sent by a gRPC server arrives at a gRPC client."""
    sent = refusal(Reason.ABOVE_MAXIMUM, "the greatest raise is to 36 chips", 12)

    async def refuse(_: bytes, context: Context) -> bytes:
        return await context.abort_with_status(rpc_status.to_status(as_error(sent).to_status()))

    server = aio.server()
    handlers: dict[str, grpc.RpcMethodHandler[bytes, bytes]] = {
        "Refuse": grpc.unary_unary_rpc_method_handler(refuse)
    }
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("test.Refusing", handlers),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        async with aio.insecure_channel(f"127.0.0.1:{port}") as channel:
            call: aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary("/test.Refusing/Refuse")
            with pytest.raises(aio.AioRpcError) as failed:
                await call(b"")
    finally:
        await server.stop(None)
    assert refusal_of(failed.value) == sent


def test_a_failure_of_others_is_no_refusal() -> None:
    """A lost connection, another domain's error and unreadable details are left to the caller."""
    lost = aio.AioRpcError(
        grpc.StatusCode.UNAVAILABLE, aio.Metadata(), aio.Metadata(), details="connection reset"
    )
    assert refusal_of(lost) is None
    status = RpcError(grpc.StatusCode.INTERNAL, "", "no reason").to_status()
    assert refusal_of(caught(status)) is None
    foreign = status_pb2.Status(code=3, message="x")
    foreign.details.add().Pack(error_details_pb2.ErrorInfo(reason="MALFORMED", domain="example.org"))
    assert refusal_of(caught(foreign)) is None
    garbage = aio.Metadata((DETAILS_KEY, b"\xff\xff\xff"))
    assert refusal_of(aio.AioRpcError(grpc.StatusCode.INTERNAL, aio.Metadata(), garbage)) is None


def test_a_reason_of_a_newer_server_is_kept() -> None:
    """A client that does not know a reason still learns its name, code, fault and whether to retry."""
    error = RpcError(
        grpc.StatusCode.FAILED_PRECONDITION, "TABLE_CLOSED", "closed", metadata={"fault": "ILLEGAL_NOW"}
    )
    assert refusal_of(caught(error.to_status())) == WireRefusal(
        "TABLE_CLOSED", "closed", 0, grpc.StatusCode.FAILED_PRECONDITION, Fault.ILLEGAL_NOW, None
    )
    unknown = refusal_pb2.Refusal(
        reason=refusal_pb2.RefusalReason.ValueType(999), message="closed", fault=refusal_pb2.FAULT_STALE
    )
    read = refusal_from_proto(refusal_pb2.Refusal.FromString(unknown.SerializeToString()))
    assert (read.reason, read.fault, read.retryable) == ("999", Fault.STALE, False)
