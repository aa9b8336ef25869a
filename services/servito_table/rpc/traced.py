"""Acts that come in over a stream, each in a trace of its own instead of the stream's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from servito_platform.log_context import current_ids, current_trace
from servito_platform.trace_layer import Entrance, span_name
from servito_platform.tracing import Attribute
from servito_table.rpc.methods import SERVICE
from servito_table.rpc.streams import StreamServicer

if TYPE_CHECKING:
    from servito.table.v1 import table_pb2 as pb
    from servito_table.app.ports import Stream

_NAME: Final = f"{span_name(SERVICE, 'Play')} act"
_ABOUT: Final = {Attribute.RPC_SYSTEM: "grpc", Attribute.RPC_METHOD: f"{SERVICE}/Play"}


class TracedStreams(StreamServicer):
    """The streams, with a span for each act, linked to that of its stream."""

    def __init__(self, entrance: Entrance, *as_streams: Any) -> None:
        super().__init__(*as_streams)
        self._entrance = entrance

    async def _answered(self, request: pb.PlayRequest | None, stream: Stream, player: str) -> bytes:
        traceparent = "" if request is None else request.traceparent
        with self._entrance.span(_NAME, _ABOUT, traceparent, within=current_trace()) as span:
            span.about(current_ids())
            return await super()._answered(request, stream, player)
