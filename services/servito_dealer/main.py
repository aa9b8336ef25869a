"""Composition root of the dealer: the only place that builds its adapters."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from servito.dealer.v1 import dealer_pb2, dealer_pb2_grpc
from servito_dealer.adapters.entropy import OperatingSystemEntropy
from servito_dealer.adapters.metrics import Metrics
from servito_dealer.adapters.sealer import Sealer
from servito_dealer.adapters.vault import StateVault
from servito_dealer.app.dealing import Dealing
from servito_dealer.rpc.servicer import SERVICE, DealerServicer
from servito_dealer.settings import DealerSettings
from servito_platform.carrying import Carried
from servito_platform.firm import new_firm_lane
from servito_platform.keys import Keys
from servito_platform.process import Service, run_service
from servito_platform.state import new_lane
from servito_platform.traced import traced_firm_lane, traced_lane

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def assemble(service: Service[DealerSettings]) -> AsyncIterator[None]:
    """Joins use cases, adapters and servicer, and closes the connection to the state server at the end."""
    settings = service.settings
    metrics = Metrics(service.registry)
    lane = traced_lane(new_lane(settings.state, settings.state_timeout), service.tracing)
    firm = traced_firm_lane(
        new_firm_lane(settings.state, settings.state_timeout, settings.replicas, service.registry),
        service.tracing,
    )
    vault = StateVault(
        lane,
        firm,
        Keys(settings.partitions),
        Sealer(settings.seal_keys()),
        keep_seconds=settings.dealer_record_seconds,
        observe=metrics.sealed,
        sound=metrics.alarmed,
        scheme=settings.dealer_scheme,
    )
    dealing = Dealing(
        vault, OperatingSystemEntropy(sound=metrics.alarmed), metrics, settings.dealer_recent_hands
    )
    servicer = DealerServicer(dealing, metrics)
    dealer_pb2_grpc.add_DealerServiceServicer_to_server(servicer, service.server)
    service.serves(SERVICE)
    carried = Carried(service.layers, service.ages)
    carried.add(dealer_pb2.DESCRIPTOR.services_by_name["DealerService"], servicer, dealer_pb2)
    service.carries(carried)
    service.health.check(lane.check)
    try:
        yield
    finally:
        await lane.close()
        if firm is not None:
            await firm.close()


def main() -> None:
    """Run the dealer until it is told to stop."""
    run_service("dealer", DealerSettings, assemble)
