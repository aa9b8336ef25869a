"""Calls of services over one stream: what is carried is refused inside, by its own contract."""

from __future__ import annotations

from servito.calls.v1 import calls_pb2 as pb
from tests.contract.cases.dealing import TABLE_SERVICE, opening
from tests.contract.registry import Asked, succeeds
from tests.contract.stage import Stage


@succeeds("Carry")
async def a_carried_call(stage: Stage) -> Asked:
    """The dealer opens a hand."""
    request = opening(f"{stage.name()}-1").request.SerializeToString()
    call = pb.Call(
        id=1, method="/servito.dealer.v1.DealerService/OpenHand", request=request, timeout_ms=5_000
    )
    return Asked(pb.CarryRequest(calls=[call]), TABLE_SERVICE)
