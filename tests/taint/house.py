"""The whole system in one process, made of the real parts: servicers behind their layers, streams, hub,
codec, dealer and evaluator with their own servicers; only sockets and the state server are twins in memory.

Traces are on, every commit is written as it is stored and archived, and every message is serialized and read
again on its way. Nothing here is random or looks at a clock, but for the dealer's seeds, which come from the
seed of the house: two houses that are treated alike do alike.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, cast

import grpc
from grpc import aio
from prometheus_client import CollectorRegistry, generate_latest

from servito.dealer.v1 import dealer_pb2_grpc
from servito.evaluator.v1 import evaluator_pb2_grpc
from servito_dealer.adapters.metrics import Metrics
from servito_dealer.app.dealing import Dealing
from servito_dealer.rpc.servicer import DealerServicer
from servito_evaluator.adapters.tally import MetricTally
from servito_evaluator.app.judgement import Judgements
from servito_evaluator.app.odds import Odds
from servito_evaluator.rpc.servicer import EvaluatorServicer
from servito_platform.ages import Ages
from servito_platform.audit_seal import AuditSealer, new_auditor_key
from servito_platform.caller import development_tokens
from servito_platform.errors import RpcError
from servito_platform.grpc_server import new_layers
from servito_platform.metrics import new_registry
from servito_platform.seals import Seals
from servito_platform.trace_layer import Entrance
from servito_platform.traced import trace_layer
from servito_table.adapters.codec import Codec
from servito_table.adapters.dealer import DealerClient
from servito_table.adapters.evaluator import EvaluatorClient
from servito_table.adapters.hub import Hub
from servito_table.adapters.meters import Meters
from servito_table.adapters.sealing import PURPOSE, Sealing
from servito_table.adapters.traced import TracedPlay
from servito_table.app.announcing import Announcers
from servito_table.app.archive import Archive
from servito_table.app.commits import Commit, Known
from servito_table.app.told import told_by
from servito_table.rpc.methods import SERVICE, add_methods
from servito_table.rpc.refusing import Refusals
from servito_table.rpc.servicer import TableServicer
from servito_table.rpc.traced import TracedStreams
from tests.dealer.memory import MemoryVault
from tests.table.gallery import MemoryFeed, MemoryHands, StoreClock
from tests.table.twins import MemoryStore
from tests.taint.calls import Call, Unary
from tests.taint.spans import Spans
from tests.taint.stored import Kept

if TYPE_CHECKING:
    from servito_platform.tracing import Tracing

TIMERS: Final = "service:timers"
SEAL_KEYS: Final = {"t1": bytes(range(32))}
AUDITOR: Final = new_auditor_key()[1]


class Server:
    """Takes the place of an aio.Server: keeps the handlers, each within the layers of the process."""

    def __init__(self, registry: CollectorRegistry, tracing: Tracing) -> None:
        self.registry = registry
        traced = trace_layer(tracing, follow_players=True)
        self._layers = new_layers(registry, development_tokens, traced)

    def add_generic_rpc_handlers(self, handlers: tuple[Any, ...]) -> None:
        """As of aio.Server."""
        self._layers.add(handlers)

    def add_registered_method_handlers(self, service: str, handlers: Any) -> None:
        """As of aio.Server: the same handlers once more."""

    async def handler(self, path: str) -> Any:
        """What serves the method of this path."""
        return self._layers.service(cast("grpc.HandlerCallDetails", Details(path)))

    def page(self) -> str:
        """The metrics page."""
        return generate_latest(self.registry).decode()


class Details:
    """grpc.HandlerCallDetails."""

    def __init__(self, method: str) -> None:
        self.method = method
        self.invocation_metadata = ()


class Wire:
    """A Carrier without a connection: what the table asks other services, as `service:table`."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def method(self, path: str, kind: type[Any]) -> Callable[[Any], Awaitable[Any]]:
        """As of Carrier."""

        async def ask(request: Any) -> Any:
            call = Call("service:table")
            answer = await Unary(await self._server.handler(path)).ask(request.SerializeToString(), call)
            if call.status is not None:
                raise RpcError.from_status(call.status)
            return kind.FromString(answer)

        return ask


class CodedStore(MemoryStore):
    """A store that keeps what the codec makes of a table, as the state server does."""

    def __init__(self, codec: Codec) -> None:
        super().__init__()
        self._codec = codec
        self.kept: list[Kept] = []
        """All that was stored since it was looked at."""

    def _committed(self, commit: Commit) -> Any:
        told = self._codec.told(told_by(commit.version, commit.state, commit.events))
        coded = replace(commit, state=self._codec.decode(self._codec.encode(commit.state)))
        made = super()._committed(replace(coded, events=self._codec.read_told(told).events))
        self.kept.append(Kept(commit.version, self._codec.written(commit, commit.version)))
        return made


class Entropy:
    """The dealer's port, from the seed of the house."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random(seed)

    def seed(self) -> bytes:
        """See the port."""
        return self._random.randbytes(32)


class House:
    """See the module."""

    def __init__(self, seed: str) -> None:
        self.spans = Spans()
        self.server, self.dealing_server, self.judging_server = (
            Server(new_registry(), self.spans.tracing) for _ in range(3)
        )
        metrics = Metrics(self.dealing_server.registry)
        self.dealing = Dealing(MemoryVault(), Entropy(seed), metrics, 16)
        dealer = DealerServicer(self.dealing, metrics)
        dealer_pb2_grpc.add_DealerServiceServicer_to_server(dealer, cast("aio.Server", self.dealing_server))
        tally = MetricTally(self.judging_server.registry)
        judge = EvaluatorServicer(Judgements(tally), Odds(tally))
        evaluator_pb2_grpc.add_EvaluatorServiceServicer_to_server(
            judge, cast("aio.Server", self.judging_server)
        )
        self._serve_tables()

    def _serve_tables(self) -> None:
        """As servito_table.main does."""
        meters = Meters(self.server.registry)
        sealing = Sealing(Seals(SEAL_KEYS, PURPOSE), AuditSealer("a1", AUDITOR))
        self.store = CodedStore(Codec(unreadable=meters.unreadable, sealing=sealing))
        clock = cast("Any", StoreClock(self.store))
        self.hub = Hub(self.store, MemoryFeed(self.store), clock, meters, "here")
        dealer = DealerClient(cast("Any", Wire(self.dealing_server)), meters)
        evaluator = EvaluatorClient(cast("Any", Wire(self.judging_server)), meters)
        tracing = self.spans.tracing
        self.play = TracedPlay(tracing, self.store, evaluator, dealer, Announcers(self.hub), meters)
        self.hands = MemoryHands(self.store)
        archive = Archive(self.play, self.hands, dealer)
        nobody = cast("Any", None)  # no tables of templates, and none are listed
        servicer = TableServicer(self.play, self.store, nobody, clock, meters, nobody, nobody, archive)
        refusals = Refusals(meters)
        entrance = Entrance(tracing, follow_players=True)
        streams = TracedStreams(entrance, self.play, self.hub, refusals, Ages(3_600))
        add_methods(cast("aio.Server", self.server), servicer, streams, refusals)

    async def method(self, name: str) -> Any:
        """The handler of a method of TableService."""
        return await self.server.handler(f"/{SERVICE}/{name}")

    def known(self, table_id: str) -> Known:
        """The table as it is."""
        return self.store.tables[table_id]

    def pages(self) -> dict[str, str]:
        """The metrics pages by service."""
        return {
            "dealer": self.dealing_server.page(),
            "evaluator": self.judging_server.page(),
            "table": self.server.page(),
        }
