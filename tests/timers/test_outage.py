"""An outage with many live turns: afterwards nobody is folded who has not had his time, and all turns end."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from signal import Signals

import pytest

from servito_platform.metrics_page import read_page
from tests.local.parts import until
from tests.timers.turns import KEYS, copied, live_table, server_ms, told
from tests.timers.whole import Whole, freeze, thaw

TURNS = 200
CLOCK_MS = 2_000
"""Shorter than what a player has at the least after an outage, so he gets the whole clock again."""
OUTAGE_SECONDS = 3.6


def _accept_with_replicas(whole: Whole, number: int) -> None:
    """Let the state server, which has none, take writes only while it has so many replicas."""
    whole.state.client.config_set("min-replicas-to-write", number)


OUTAGES: dict[str, tuple[Callable[[Whole], None], Callable[[Whole], None]]] = {
    "the state server hangs": (
        lambda whole: whole.state.signal(Signals.SIGSTOP),
        lambda whole: whole.state.signal(Signals.SIGCONT),
    ),
    "the state server dies": (lambda whole: whole.state.kill(), lambda whole: whole.state.start()),
    "the state server refuses every write": (
        lambda whole: _accept_with_replicas(whole, 1),
        lambda whole: _accept_with_replicas(whole, 0),
    ),
    "all workers die": (lambda whole: whole.timers.kill(), lambda whole: whole.replace_timers()),
    "all workers hang": (lambda whole: freeze(whole.timers), lambda whole: thaw(whole.timers)),
    "the table service hangs": (lambda whole: freeze(whole.table), lambda whole: thaw(whole.table)),
}
"""What begins each, and what ends it."""


@pytest.mark.parametrize("how", list(OUTAGES))
async def test_turns_that_pass_in_an_outage_get_their_time_again(whole: Whole, how: str) -> None:
    """Every clock that was up in it begins anew, once, with the whole time; then it ends the turn, once; and
    every turn after it ends once as well.
    """
    begin, end = OUTAGES[how]
    client = whole.state.client
    fields = await live_table(whole.table.grpc, client, CLOCK_MS)
    freeze(whole.timers)  # or a clock may be up before it begins, where copying takes long
    now = server_ms(client) + 300
    spread = CLOCK_MS - 400
    name = how.replace(" ", "-")

    def due(number: int) -> int:
        return now + number * spread // TURNS

    ids = copied(client, fields, name, TURNS, due=due, clock_ms=CLOCK_MS)
    if how == "the state server dies":
        client.config_set("appendfsync", "always")  # the copies are there afterwards, whenever it was killed
    begin(whole)
    if not how.startswith("all workers"):
        thaw(whole.timers)
    await asyncio.sleep(OUTAGE_SECONDS)
    await asyncio.to_thread(end, whole)

    def all_ended() -> bool:
        return all(any("turn_expired" in one.kinds for one in told(client, each)) for each in ids)

    await until(all_ended, 40)
    for table_id in ids:
        first, second, *later = told(client, table_id)
        assert first.kinds == ("clock_restored",), table_id
        assert first.deadline == first.at + CLOCK_MS
        assert second.kinds[0] == "turn_expired"
        assert second.at >= first.deadline
        ended = Counter(one.turn for one in (second, *later) if "turn_expired" in one.kinds)
        assert max(ended.values()) == 1
    assert read_page(whole.timers.metrics).total("servito_outages_total") >= 1
    client.delete(*map(KEYS.deadlines, range(KEYS.partitions)))  # they have played enough
