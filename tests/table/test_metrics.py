"""What the running process tells Prometheus: names, closed sets of labels, and that something is counted."""

from __future__ import annotations

import asyncio
from urllib.request import urlopen

from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families

from servito.table.v1 import table_pb2 as pb
from tests.metrics.catalogue import LABELS
from tests.table.caller import Caller, refusal_from
from tests.table.playing import play_by_calls
from tests.table.processes import Running


async def scraped(running: Running) -> dict[str, Metric]:
    """The metrics of a process by name."""
    url = f"http://{running.metrics}/metrics"
    text = await asyncio.to_thread(lambda: urlopen(url, timeout=20).read().decode())
    return {family.name: family for family in text_string_to_metric_families(text)}


def total(metrics: dict[str, Metric], name: str, **labels: str) -> float:
    """The sum of a counter's samples that have these labels."""
    samples = [sample for sample in metrics[name].samples if sample.name == f"{name}_total"]
    return sum(sample.value for sample in samples if labels.items() <= sample.labels.items())


async def test_what_happens_is_counted(ann: Caller, table_service: Running) -> None:
    """Hands, actions, refusals, commits, calls to the other services: each moves its metric, and no id is
    a label.
    """
    before = await scraped(table_service)
    table_id = await ann.create()
    players = [ann.as_player(f"{name}-{table_id[:8]}") for name in "abc"]
    for player in players:
        await player.sit(table_id)
    table = await play_by_calls(table_id, players, 2)
    await refusal_from(ann.sit(table_id, 0))
    watch = ann.stub.Watch(pb.WatchRequest(table_id=table_id))
    await watch.read()
    await players[0].stand(table_id)
    await play_by_calls(table_id, players[1:], table.hand.number)
    after = await scraped(table_service)
    async with asyncio.timeout(20):  # what streams were sent is added up now and then
        while not total(after, "servito_table_stream_messages") > total(
            before, "servito_table_stream_messages"
        ):
            await asyncio.sleep(0.1)
            after = await scraped(table_service)
    watch.cancel()
    for name, least, labels in (
        ("servito_table_actions", 3, {"kind": "sit", "outcome": "accepted"}),
        ("servito_table_actions", 6, {"outcome": "accepted"}),
        ("servito_table_hands", 2, {}),
        ("servito_table_refusals", 1, {"method": "Sit", "reason": "seat_taken"}),
        ("servito_table_events", 3, {"event": "player_sat"}),
        ("servito_table_chips_in", 300, {}),
        ("servito_table_chips_out", 1, {}),
        ("servito_table_stream_messages", 1, {}),
    ):
        assert total(after, name, **labels) - total(before, name, **labels) >= least, name
    for name in ("commit", "dealer", "evaluator"):
        family = f"servito_table_{name}_seconds"
        assert _count(after[family]) > _count(before[family])
    for gauge in ("watchers", "watched"):
        assert after[f"servito_table_{gauge}"].samples[0].value >= 1


async def test_labels_are_closed_sets(ann: Caller, table_service: Running) -> None:
    """However many tables and players there were, the labels are words of a list."""
    await ann.create()
    for family in (await scraped(table_service)).values():
        if family.name.startswith("servito_"):
            for sample in family.samples:
                for label, value in sample.labels.items():
                    assert label == "le" or value in LABELS[sample.name, label][1], (label, value)


def _count(family: Metric) -> float:
    return next(sample.value for sample in family.samples if sample.name.endswith("_count"))
