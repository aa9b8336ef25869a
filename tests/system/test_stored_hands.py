"""Hands of every kind of rules, played through the real services, drained by the timers, and folded again
from the archive: for everybody, for each player and for the auditor, with the dealer's own record.

HANDS=40 plays so many at each table, and demands more kinds of hands; `make test` a few.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import subprocess
import sys
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from servito_cli.history.replay import Asked, run_replay
from servito_cli.texts import Language
from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import STYLES
from servito_client.client import Servito
from servito_client.messages import TableConfig
from servito_core import events as e
from servito_core.rules import PRESETS
from servito_history.errors import HistoryUnusable
from servito_history.reading import open_history
from servito_local.history_file import history_url
from servito_local.seal_key import AUDITOR_KEY, dealer_keys
from servito_local.system import LocalSystem
from servito_platform.audit_seal import AuditOpener
from servito_platform.auditor_key import read_auditor_keys
from servito_replay.dealers import compared
from servito_replay.entries import Entry, read_all
from servito_replay.folding import folded
from servito_replay.told import record
from tests.local.parts import until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from servito_replay.folding import Step

pytestmark = [pytest.mark.system, pytest.mark.timeout(600)]
HANDS = int(os.environ.get("HANDS", "4"))
TABLES: dict[str, tuple[int, dict[str, str]]] = {
    **{preset: (3, {}) for preset in PRESETS},
    "refills": (5, {"players.max": "5", "deck": "fixed", "deck.lowest": "8", "open.requirement": "none"}),
    "concessions": (3, {"open.requirement": "none", "show.muck": "may_concede"}),
    "carried": (
        3,
        {"open.requirement": "none", "parola.mode": "carry_over", "parola.reentry": "pay_difference"},
    ),
    "blinds": (
        4,
        {"blind.depth": "3", "open.proof": "show_on_uncalled_win", "draw.opener_split": "announce"},
    ),
}
"""By name: players, and options on top of the preset of that name, else of `italiana`."""
AUDITED = 3
"""Tables whose first hand is compared with the dealer's record."""
ALWAYS = {"BlindsBegan", "CardsDrawn", "OpenersFound", "PotAwarded", "refill"}
OFTEN = {"showdown", "uncontested", "passed_out", "side pots", "carried", "HandTabled", "BlindPosted"}
"""What hands of few, and of many, are sure to have among them."""


async def play(system: LocalSystem, url: str) -> list[str]:
    """Bots at a table of each kind, until each has played its hands; the ids of the tables."""
    async with AsyncExitStack() as stack:
        casa = await stack.enter_async_context(Servito(system.target("table"), player="casa"))
        ids, bots = [], []
        for name, (players, options) in TABLES.items():
            preset = name if name in PRESETS else "italiana"
            config = TableConfig(
                name=name, preset=preset, options=options, seats=players, min_buy_in=20, max_buy_in=400,
                turn_ms=20_000, pause_ms=0,
            )  # fmt: skip
            table_id = await casa.create_table(config)
            ids.append(table_id)
            for seat in range(players):
                player = f"{name}.{seat}"
                servito = await stack.enter_async_context(Servito(system.target("table"), player))
                style = list(STYLES.values())[seat % len(STYLES)]
                buy_in = 30 + 40 * seat
                rng, report = Random(player), Report()
                bots.append(Bot(servito, table_id, strategy=style, rng=rng, buy_in=buy_in, report=report))
        async with asyncio.TaskGroup() as group:
            for bot in bots:
                group.create_task(bot.play())
            await until(lambda: archived(url, ids) >= HANDS, 300)
            for bot in bots:
                await bot.leave()
    return ids


def archived(url: str, tables: list[str]) -> int:
    """How many hands of each table are in the archive at the least."""
    try:
        with open_history(url) as history:
            return min(len(history.hands(table)) for table in tables) - 1
    except HistoryUnusable:
        return -1  # nothing was drained yet


def entries(url: str, table: str, number: int) -> list[Entry]:
    """A hand as it is archived."""
    with open_history(url) as history:
        return [Entry.of(row) for row in history.hand(table, number)]


def audited(system: LocalSystem, data: Path, hand: str) -> dict[str, Any]:
    """What the dealer's audit writes of a hand."""
    keys = {"SERVITO_STATE_URL": system.state_url, **dealer_keys(data)}
    done = subprocess.run(
        [sys.executable, "-m", "servito_dealer.audit", hand],
        capture_output=True, text=True, env={**os.environ, **keys}, check=True, timeout=60,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def kinds(steps: list[Step]) -> Iterator[str]:
    """What happened in a hand that is worth being among those that were folded."""
    events = [event for step in steps for event in step.events]
    yield from {type(event).__name__ for event in events}
    yield str(steps[-1].hand.outcome)
    if any(isinstance(event, e.CardsDrawn) and event.shuffled for event in events):
        yield "refill"
    if sum(isinstance(event, e.PotAwarded) for event in events) > 1:
        yield "side pots"
    started = events[0]
    if isinstance(started, e.HandStarted) and started.carried:
        yield "carried"


def checked(url: str, table: str, number: int, opener: AuditOpener) -> list[Step]:
    """The hand, folded whole; as everybody may know it it looks the same."""
    found = entries(url, table, number)
    whole = list(folded(read_all(found, opener), number))
    public = list(folded(read_all(found, None), number))
    assert record(public, None) == record(whole, None)
    names = list(whole[0].commit.public.players)
    assert all(len(record(whole, name).players) == len(names) for name in names)
    return whole


def told(asked: Asked) -> tuple[int, str]:
    """Exit code of the command, and what it says."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        return run_replay(asked, Language.EN), out.getvalue()


async def test_what_was_played_is_what_is_stored(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Every hand that is over, of every table: each state as it was, each decision as the rules have it, each
    card where the dealer has it; and the command says so.
    """
    data, seen, hands = tmp_path / "data", Counter[str](), 0
    audits: list[int] = []
    url = history_url(data)
    async with LocalSystem(data) as system:
        tables = await play(system, url)
        opener = AuditOpener(read_auditor_keys(data / AUDITOR_KEY))
        for table in tables:
            with open_history(url) as history:
                numbers = history.hands(table)[:-1]
            folds = [checked(url, table, number, opener) for number in numbers]
            assert all(steps[-1].hand.outcome is not None for steps in folds)
            seen.update(kind for steps in folds for kind in kinds(steps))
            hands += len(folds)
            if len(audits) < AUDITED:
                audits.append(compared(folds[0], audited(system, data, f"{table}-{numbers[0]}")))
            for player in (None, folds[-1][0].commit.public.players[0]):
                code, text = told(Asked(f"{table}-{numbers[-1]}", player, url, data / AUDITOR_KEY))
                assert code == 0, text
    request.node.add_report_section("call", "folded", f"{hands} hands; {dict(seen)}")
    assert hands >= HANDS * len(TABLES)
    assert all(cards >= 10 for cards in audits)
    assert (ALWAYS | OFTEN if HANDS >= 40 else ALWAYS) <= seen.keys(), seen
