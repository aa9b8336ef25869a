"""A real receiver of OTLP over gRPC, which keeps what it is sent: what a collector would get.

with collecting() as got:
    ...start services with got.settings...
    spans = got.waited_for(lambda spans: ..., seconds=20)
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import grpc
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as pb
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2_grpc as rpc
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.trace.v1.trace_pb2 import ResourceSpans, Span

Attributes = dict[str, str | int | bool | float]
Tree = dict[str, Any]
"""Names of spans, each with the same of what is under it."""


@dataclass(frozen=True)
class Seen:
    """A span as it was received; ids in hexadecimal as in log lines, `parent` "" at the beginning of a trace;
    `raw`: all that was sent of it.
    """

    service: str
    name: str
    kind: str
    trace: str
    id: str
    parent: str
    links: tuple[tuple[str, str], ...]
    attributes: Attributes
    failed: bool
    began: int
    ended: int
    resource: Attributes
    raw: Span

    def line(self) -> str:
        """All of it as one line of JSON, for the search of cards in lines."""
        texts = {name: value for name, value in self.attributes.items() if isinstance(value, str)}
        events = [(event.name, _attributes(event.attributes)) for event in self.raw.events]
        told = [self.raw.status.message, self.raw.trace_state, str(events), str(sorted(self.resource))]
        return json.dumps({"name": self.name, "told": told, **texts})


@dataclass
class Collected:
    """What was received so far."""

    address: str = ""
    _spans: list[Seen] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    @property
    def settings(self) -> dict[str, str]:
        """With which a service sends all its spans here."""
        return {"SERVITO_TRACES_ENDPOINT": f"http://{self.address}", "SERVITO_TRACES_RATIO": "1"}

    @property
    def spans(self) -> list[Seen]:
        """Every one, in the order in which they came."""
        with self._lock:
            return list(self._spans)

    def take(self, sent: Sequence[Seen]) -> None:
        """More came."""
        with self._lock:
            self._spans += sent

    def waited_for(self, enough: Callable[[list[Seen]], bool], seconds: float = 20.0) -> list[Seen]:
        """The spans once they are enough; TimeoutError, naming what is there."""
        until = time.monotonic() + seconds
        while not enough(spans := self.spans):
            if time.monotonic() > until:
                raise TimeoutError(f"not enough: {sorted((span.service, span.name) for span in spans)}")
            time.sleep(0.05)
        return spans


@contextmanager
def collecting() -> Iterator[Collected]:
    """A receiver on a free port."""
    collected = Collected()
    server = grpc.server(ThreadPoolExecutor(2))
    rpc.add_TraceServiceServicer_to_server(_Receiver(collected), server)  # type: ignore[no-untyped-call]  # generated
    port = server.add_insecure_port("127.0.0.1:0")
    collected.address = f"127.0.0.1:{port}"
    server.start()
    try:
        yield collected
    finally:
        server.stop(None).wait()


class _Receiver(rpc.TraceServiceServicer):
    def __init__(self, collected: Collected) -> None:
        self._collected = collected

    def Export(self, request: pb.ExportTraceServiceRequest, _context: Any) -> pb.ExportTraceServiceResponse:  # noqa: N802 - gRPC names it
        self._collected.take([seen for part in request.resource_spans for seen in _seen(part)])
        return pb.ExportTraceServiceResponse()


def _seen(part: ResourceSpans) -> Iterator[Seen]:
    resource = _attributes(part.resource.attributes)
    for scope in part.scope_spans:
        for span in scope.spans:
            yield Seen(
                service=str(resource["service.name"]),
                name=span.name,
                kind=Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_"),
                trace=span.trace_id.hex(),
                id=span.span_id.hex(),
                parent=span.parent_span_id.hex(),
                links=tuple((link.trace_id.hex(), link.span_id.hex()) for link in span.links),
                attributes=_attributes(span.attributes),
                failed=span.status.code == 2,
                began=span.start_time_unix_nano,
                ended=span.end_time_unix_nano,
                resource=resource,
                raw=span,
            )


def _attributes(sent: Sequence[KeyValue]) -> Attributes:
    return {each.key: getattr(each.value, each.value.WhichOneof("value") or "string_value") for each in sent}


def children(spans: Sequence[Seen], parent: Seen) -> list[Seen]:
    """The spans right under it, in the order in which they began."""
    return sorted((span for span in spans if span.parent == parent.id), key=lambda span: span.began)


def tree(spans: Sequence[Seen], root: Seen) -> Tree:
    """What is under a span, by `service: name`; of equal ones the last."""
    return {f"{span.service}: {span.name}": tree(spans, span) for span in children(spans, root)}
