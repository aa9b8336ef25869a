"""The pages of the running services and the catalogue of metrics say the same."""

from __future__ import annotations

import asyncio
from urllib.request import urlopen

import pytest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from servito_local.system import LocalSystem
from tests.metrics.catalogue import CALLS, LABELS, PROCESS, SERVICES, STATE, Family, methods
from tests.system.test_people import table_with_bots

pytestmark = [pytest.mark.system, pytest.mark.timeout(120)]
PLATFORM = {"grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection", "unknown"}


def page(system: LocalSystem, service: str) -> list[Metric]:
    """The page of one process of a service."""
    addresses = system.addresses()
    where = next(part["metrics"] for name, part in addresses.items() if name.split("-")[0] == service)
    with urlopen(f"http://{where}/metrics", timeout=20) as answer:
        return list(text_string_to_metric_families(answer.read().decode()))


def expected(service: str) -> list[Family]:
    """What the catalogue says of a service."""
    state = STATE if service in ("table", "dealer") else []
    return SERVICES[service] + PROCESS + state + ([] if service == "timers" else CALLS)


@pytest.mark.parametrize("service", sorted(SERVICES))
async def test_every_series_is_in_the_catalogue_and_the_other_way_round(
    system: LocalSystem, service: str
) -> None:
    """While hands are played: names and types are the same, and every label has a value of its list."""
    async with table_with_bots(system, f"Sala {service}", 2, 2):
        async with asyncio.timeout(20):
            while True:
                await asyncio.sleep(2)
                shown = await asyncio.to_thread(page, system, service)
                counted = [sample for family in shown for sample in family.samples if sample.value > 0]
                if any(sample.name.startswith("servito_") for sample in counted):
                    break
    found = {(f"{f.name}_total" if f.type == "counter" else f.name, f.type) for f in shown}
    assert found == {(family.name, family.kind) for family in expected(service)}
    labels = {family.name: set(family.labels) for family in expected(service)}
    for family in shown:
        name = f"{family.name}_total" if family.type == "counter" else family.name
        for sample in family.samples:
            assert sample.labels.keys() - {"le"} == labels[name], sample
            assert all(allowed(name, label, value) for label, value in sample.labels.items()), sample


def allowed(name: str, label: str, value: str) -> bool:
    """Whether the catalogue lists the value."""
    if label == "le" or name.startswith(("process_", "python_")):
        return True
    if label == "grpc_service":
        return value in methods().keys() | PLATFORM
    if label == "grpc_method":
        return value in {"unknown", "Check", "Watch", "ServerReflectionInfo"}.union(*methods().values())
    metric = "grpc_server_*" if name.startswith("grpc_server_") else name
    return value in LABELS[metric, label][1]
