"""The methods of TableService on a server: which handler takes which message, and what writes the answer.

By hand instead of by the generated code for two reasons: bytes that are no message, or too many for one,
become a refusal that says so instead of an internal error, and streams write messages that were encoded once
for many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import grpc
from google.protobuf.message import DecodeError, Message

from servito.table.v1 import table_pb2 as pb
from servito_table.rpc.reading import LARGEST

if TYPE_CHECKING:
    from grpc import aio

    from servito_table.rpc.refusing import Refusals
    from servito_table.rpc.servicer import TableServicer
    from servito_table.rpc.streams import StreamServicer

SERVICE: Final = pb.DESCRIPTOR.services_by_name["TableService"].full_name


def add_methods(
    server: aio.Server, servicer: TableServicer, streams: StreamServicer, refusals: Refusals
) -> None:
    """Let `server` serve every method of the proto; what they refuse is sent as `refusals` says."""
    watch, play = refusals.sent_by(streams.Watch), refusals.sent_by(streams.Play)
    handlers: dict[str, grpc.RpcMethodHandler[Any, Any]] = {
        "Watch": grpc.unary_stream_rpc_method_handler(watch, _reader(pb.WatchRequest), bytes),
        "Play": grpc.stream_stream_rpc_method_handler(play, _reader(pb.PlayRequest), bytes),
    }
    for method in pb.DESCRIPTOR.services_by_name["TableService"].methods:
        if method.name not in handlers:
            request: type[Message] = getattr(pb, method.input_type.name)
            response: type[Message] = getattr(pb, method.output_type.name)
            handlers[method.name] = grpc.unary_unary_rpc_method_handler(
                refusals.sent_by(getattr(servicer, method.name)),
                _reader(request),
                response.SerializeToString,
            )
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))


def _reader(kind: type[Message]) -> Callable[[bytes], Message | None]:
    def read(data: bytes) -> Message | None:
        try:
            return kind.FromString(data) if len(data) <= LARGEST else None
        except DecodeError:
            return None

    return read
