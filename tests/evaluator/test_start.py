"""The evaluator serves before it has built its tables, and answers about any deck all the same."""

from __future__ import annotations

import asyncio

from servito_core.rules import RankingRules
from servito_evaluator.app.shelf import SHELF
from servito_evaluator.main import assemble
from servito_platform.ages import Ages
from servito_platform.grpc_server import layered_server, new_layers
from servito_platform.metrics import new_registry
from servito_platform.process import Service
from servito_platform.settings import ServiceSettings
from servito_platform.trust import verifier_of

ROWS = 36_556
"""Of the eight decks of the default rules."""


def service() -> Service[ServiceSettings]:
    """What it is put together on."""
    settings, registry = ServiceSettings(), new_registry()
    layers, ages = new_layers(registry, verifier_of(settings)), Ages(300)
    return Service("evaluator", settings, registry, layered_server(layers, ages), layers, ages)


async def test_it_serves_before_its_tables_are_built() -> None:
    """None is there when it is put together; a little later all of them are."""
    SHELF.forget()
    async with assemble(service()):
        assert SHELF.rows == 0
        async with asyncio.timeout(60):
            while SHELF.rows < ROWS:  # noqa: ASYNC110 - threads fill it
                await asyncio.sleep(0.01)
    assert SHELF.rows == ROWS


async def test_who_asks_meanwhile_is_answered() -> None:
    """By the table that he asks for, which comes last otherwise; and stopping waits for none of the rest."""
    SHELF.forget()
    async with assemble(service()):
        assert SHELF.judge(RankingRules(), 2).lowest == 2
    assert SHELF.rows < ROWS
