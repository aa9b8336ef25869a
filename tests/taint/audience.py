"""Everybody who gets something out of the house: players, a spectator without a name, an outsider who has
one, the timers; and the operator, who reads logs and metrics pages. What each received, in order, as bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from servito.table.v1 import table_pb2 as pb
from servito_platform.errors import RpcError
from tests.taint.calls import Call, Streaming, Unary

if TYPE_CHECKING:
    from google.protobuf.message import Message

    from tests.taint.house import House

ACT = "Act"


@dataclass(frozen=True)
class Receipt:
    """Bytes that somebody received by a method, when the table was at `version`; `about` is the hand that he
    asked for. Trailers of a refused call have `refused` set."""

    method: str
    version: int
    content: bytes
    about: int = 0
    refused: bool = False
    text: str = ""
    """Of a refusal, what can be read of it."""
    channel: int = 0
    """Of a stream its number; what comes by one is in order, what comes by several is not."""


@dataclass
class Viewer:
    """Somebody with a Watch stream, and a Play stream if he has a name."""

    house: House
    table_id: str
    name: str | None
    receipts: list[Receipt] = field(default_factory=list)
    streams: list[Streaming] = field(default_factory=list)
    asked: int = 0
    opened: int = 0

    async def subscribe(self, after: pb.WatchRequest | None = None) -> None:
        """Open the streams, or one more Watch from behind a version."""
        request = after or pb.WatchRequest(table_id=self.table_id)
        watching = Streaming(await self.house.method("Watch"), self._call("Watch", streamed=True))
        watching.watch(request.SerializeToString())
        self.streams.append(watching)
        if self.name is not None and after is None:
            playing = Streaming(await self.house.method("Play"), self._call("Play", streamed=True))
            playing.play(pb.PlayRequest(join=request).SerializeToString())
            self.streams.append(playing)

    async def ask(self, method: str, request: Message | bytes, about: int = 0) -> bytes:
        """Call a unary method; b"" if it was refused, which is received as well."""
        call, content = (
            self._call(method),
            request if isinstance(request, bytes) else request.SerializeToString(),
        )
        answer = await Unary(await self.house.method(method)).ask(content, call)
        if call.status is None:
            self._receive(method, answer, about)
            return answer
        trailers = b"\n".join(
            f"{key}: ".encode() + (value.encode() if isinstance(value, str) else value)
            for key, value in call.trailers
        )
        told = RpcError.from_status(call.status)
        words = [told.reason, told.text, *(f"{key}={value}" for key, value in told.metadata.items())]
        words += [f"{key}: {value}" for key, value in call.trailers if isinstance(value, str)]
        self.receipts.append(
            Receipt(method, self._version, trailers, about, refused=True, text="\n".join(words))
        )
        return b""

    def say(self, act: pb.ActRequest) -> None:
        """Act over the Play stream."""
        self.streams[1].requests.put_nowait(pb.PlayRequest(act=act).SerializeToString())

    def request_id(self) -> str:
        """One that was not used before; the same in every house that is treated alike."""
        self.asked += 1
        return f"q{self.asked}"

    async def stand(self) -> None:
        """Leave the table."""
        await self.ask("Stand", pb.StandRequest(table_id=self.table_id, request_id=self.request_id()))

    async def leave(self) -> None:
        """Close the streams."""
        for stream in self.streams:
            await stream.close()

    @property
    def _version(self) -> int:
        known = self.house.store.tables.get(self.table_id)
        return 0 if known is None else known.version

    def _call(self, method: str, *, streamed: bool = False) -> Call:
        self.opened += streamed
        channel = self.opened if streamed else 0
        return Call(self.name, lambda message: self._receive(method, message, channel=channel))

    def _receive(self, method: str, content: bytes, about: int = 0, channel: int = 0) -> None:
        self.receipts.append(Receipt(method, self._version, content, about, channel=channel))


ANSWERS: dict[str, Any] = {
    "Watch": pb.WatchResponse,
    "Play": pb.PlayResponse,
    **{
        method.name: getattr(pb, method.output_type.name)
        for method in pb.DESCRIPTOR.services_by_name["TableService"].methods
        if method.name not in ("Watch", "Play")
    },
}
"""The message that answers a method."""
