"""Spans around the questions that are asked over a carrier: each has its own, though many leave together.

A message that carries several questions has no span: every question names its own parent in the message
(`Call.traceparent`), so nothing has to be linked. How long a question waited for others is the time from the
beginning of its span here to that of its span there.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from google.protobuf.message import Message
from opentelemetry.trace import SpanKind

from servito_platform.carrier import Carrier, Response
from servito_platform.errors import RpcError
from servito_platform.log_context import current_ids, current_trace
from servito_platform.trace_layer import span_name
from servito_platform.tracing import Attribute

if TYPE_CHECKING:
    from grpc import aio

    from servito_platform.own_token import Metadata
    from servito_platform.tracing import Tracing


class TracedCarrier(Carrier):
    """A carrier, with spans where something asks that is recorded."""

    def __init__(
        self,
        channel: aio.Channel,
        tracing: Tracing,
        *,
        timeout: float,
        metadata: Callable[[], Metadata] = tuple,
    ) -> None:
        super().__init__(channel, timeout=timeout, metadata=metadata)
        self._tracing = tracing

    def method(self, path: str, response: type[Response]) -> Callable[[Message], Awaitable[Response]]:
        """See Carrier."""
        ask = super().method(path, response)
        _, service, method = path.split("/")
        name = span_name(service, method)
        about = {Attribute.RPC_SYSTEM: "grpc", Attribute.RPC_METHOD: f"{service}/{method}"}

        async def traced(request: Message) -> Response:
            trace = current_trace()
            if trace is None or not trace.sampled:
                return await ask(request)
            with self._tracing.span(name, SpanKind.CLIENT, about) as span:
                span.about(current_ids())
                try:
                    return await ask(request)
                except RpcError as error:
                    span.note(Attribute.RPC_CODE, error.code.name)
                    raise

        return traced
