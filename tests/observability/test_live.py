"""A real Prometheus scrapes a system where hands are played: each rule and panel has what it asks for."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Final
from urllib.request import urlopen

import pytest
import redis
from prometheus_client.parser import text_string_to_metric_families

from servito_client.client import Servito
from servito_client.errors import Refusal
from servito_client.messages import TableConfig
from servito_platform.keys import Keys
from tests.modes.until import until
from tests.observability.expressions import names, queries, rules
from tests.observability.programs import needs_prometheus
from tests.observability.watched import Watched, pages, watched
from tests.system.test_people import table_with_bots

pytestmark = [
    pytest.mark.system,
    pytest.mark.timeout(120),
    needs_prometheus,
    pytest.mark.xdist_group("prometheus"),
]

OF_PROMETHEUS: Final = "up"
"""That no page tells: Prometheus makes it."""
KIND: Final = TableConfig(
    preset="italiana", seats=2, min_buy_in=40, max_buy_in=100, turn_ms=20_000, pause_ms=200
)


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """For all tests of this file."""
    with watched(tmp_path_factory.mktemp("watched")) as found:
        yield found


async def test_every_metric_exists(live: Watched) -> None:
    """On the page of a running service, or of the exporter; or a rule makes it."""
    told = await asyncio.to_thread(_told, live)
    made = {rule["record"] for rule in rules("record")}
    asked = [(where, expr) for where, expr in queries()]
    asked += [
        (rule.get("alert") or rule["record"], rule["expr"])
        for kind in ("alert", "record")
        for rule in rules(kind)
    ]
    missing = {(where, name) for where, expr in asked for name in names(expr) - told - made - {OF_PROMETHEUS}}
    assert not missing


def _told(live: Watched) -> set[str]:
    found: set[str] = set()
    for page in pages(live.system, live.exporter):
        with urlopen(f"http://{page}", timeout=10) as answer:
            families = list(text_string_to_metric_families(answer.read().decode()))
        for family in families:
            endings = {"histogram": ("_bucket", "_sum", "_count"), "counter": ("_total",)}
            found |= {family.name + ending for ending in endings.get(family.type, ("",))}
            found |= {sample.name for sample in family.samples}
    return found


async def test_every_query_is_answered(live: Watched) -> None:
    """While hands are played: without an error and with data, each one. No alert fires, and each rule could
    be evaluated.
    """
    async with table_with_bots(live.system, "Guardata", 2, 2):
        await _something_of_everything(live)
        empty = await asyncio.to_thread(_until_answered, live)
    assert empty == set(), "\n".join(sorted(empty))
    found = await asyncio.to_thread(live.prometheus.get, "rules")
    of_rules = [rule for group in found["groups"] for rule in group["rules"]]
    assert len(of_rules) == len(rules("alert")) + len(rules("record"))
    assert [(rule["name"], rule.get("lastError")) for rule in of_rules if rule["health"] != "ok"] == []
    assert await asyncio.to_thread(live.prometheus.query, 'ALERTS{alertstate="firing"}') == []


async def _something_of_everything(live: Watched) -> None:
    """A refusal, a table for a template, a bound of memory: what bots at a table do not bring about."""
    async with Servito(live.system.target("table"), player="casa") as servito:
        with pytest.raises(Refusal, match="no table of this id"):
            await servito.table("nowhere")
        await servito.put_template("kind", KIND, 1)
    with redis.Redis.from_url(live.system.state_url) as client:
        client.config_set("maxmemory", 1_000_000_000)


def _until_answered(live: Watched) -> set[str]:
    """Panels without data, after twenty seconds at the most."""
    left = set(queries())

    def answered() -> bool:
        for each in list(left):
            expr = re.sub(r"\[\$__rate_interval\]", "[10s]", each[1])
            if live.prometheus.query(expr):
                left.discard(each)
        return not left

    with suppress(AssertionError):  # those that are left are told instead
        until(answered)
    return {f"{where}: {expr}" for where, expr in left}


async def test_a_chip_too_few_wakes_somebody(live: Watched) -> None:
    """From a wrong sum in the state server to the alert that fires, and to its end when it is put right."""
    keys = Keys(64)
    carried = keys.carried(keys.partition("nobody"))
    fires = 'ALERTS{alertname="ServitoChipsDiffer",alertstate="firing"}'
    with redis.Redis.from_url(live.system.state_url) as client:
        client.hset(carried, "nobody", 1)
        await asyncio.to_thread(until, lambda: bool(live.prometheus.query(fires)))
        client.hdel(carried, "nobody")
    await asyncio.to_thread(until, lambda: not live.prometheus.query(fires))
