"""Composition root of the evaluator: stateless, so there is nothing to connect to."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from servito.evaluator.v1 import evaluator_pb2, evaluator_pb2_grpc
from servito_core.rules import RankingRules
from servito_evaluator.adapters.tally import MetricTally
from servito_evaluator.app.judgement import Judgements
from servito_evaluator.app.odds import Odds
from servito_evaluator.app.shelf import judge_for
from servito_evaluator.rpc.servicer import SERVICE, EvaluatorServicer
from servito_platform.carrying import Carried
from servito_platform.heap import give_back
from servito_platform.process import Service, run_service
from servito_platform.safety.settings import Uses
from servito_platform.settings import ServiceSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def assemble(service: Service[ServiceSettings]) -> AsyncIterator[None]:
    """Put the service together. The tables of the default rules are built while it serves already: whoever
    asks for one that is not there yet waits for that one alone, and nobody for all.
    """
    tally = MetricTally(service.registry)
    servicer = EvaluatorServicer(Judgements(tally), Odds(tally, give_back))
    evaluator_pb2_grpc.add_EvaluatorServiceServicer_to_server(servicer, service.server)
    service.serves(SERVICE)
    carried = Carried(service.layers, service.ages)
    carried.add(evaluator_pb2.DESCRIPTOR.services_by_name["EvaluatorService"], servicer, evaluator_pb2)
    service.carries(carried)
    building = asyncio.create_task(_build())
    try:
        yield
    finally:
        building.cancel()
        with suppress(asyncio.CancelledError):
            await building


async def _build() -> None:
    """From the smallest deck to the largest, each in a thread."""
    for lowest in range(9, 1, -1):
        await asyncio.to_thread(judge_for, RankingRules(), lowest)


def main() -> None:
    """Run until told to stop."""
    run_service("evaluator", ServiceSettings, assemble, uses=Uses(stores=False))
