"""The commands for people, as a person uses them: a list, a table that is watched, a hand that is played."""

from __future__ import annotations

import asyncio
import re
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import pytest

from servito_client.bots.player import Bot
from servito_client.bots.report import Report
from servito_client.bots.strategies import cautious
from servito_client.client import Servito
from servito_client.messages import TableConfig
from servito_local.chips import read_chips
from servito_local.system import LocalSystem
from tests.system.demo import SERVITO
from tests.system.terminal import Person

pytestmark = [pytest.mark.system, pytest.mark.timeout(120)]


@asynccontextmanager
async def table_with_bots(
    system: LocalSystem, name: str, seats: int, bots: int, think: float = 0.02
) -> AsyncIterator[str]:
    """A table where bots play at a pace that a test can follow; its id."""
    config = TableConfig(
        name=name,
        preset="italiana",
        seats=seats,
        min_buy_in=40,
        max_buy_in=100,
        turn_ms=20_000,
        pause_ms=200,
    )
    async with Servito(system.target("table"), player="casa") as servito:
        table_id = await servito.create_table(config)
        playing = [
            asyncio.create_task(
                Bot(
                    servito.acting_as(f"bot{number}"),
                    table_id,
                    strategy=cautious,
                    rng=Random(number),
                    buy_in=100,
                    report=Report(),
                    think=lambda: think,
                ).play()
            )
            for number in range(bots)
        ]
        try:
            yield table_id
        finally:
            for bot in playing:
                bot.cancel()
            await asyncio.gather(*playing, return_exceptions=True)


async def test_tables_are_listed_and_one_is_told_line_by_line(system: LocalSystem) -> None:
    """Without a terminal `watch` tells what happens and stops after the hands that were asked for."""
    target = system.target("table")
    async with table_with_bots(system, "Sala dei test", 3, 2) as table_id:
        listed = await asyncio.to_thread(servito, "tables", "--target", target)
        assert listed.returncode == 0
        [line] = [line for line in listed.stdout.splitlines() if table_id in line]
        assert re.search(r"Sala dei test +italiana +2/3 +40\.\.100 +20 s +\d+ *$", line)
        told = await asyncio.to_thread(
            servito, "watch", "Sala dei test", "--target", target, "--hands", "2", "--lang", "it"
        )
    assert told.returncode == 0, told.stderr
    assert re.search(r"Sala dei test, mano \d+: 2 giocatori, 24 carte dal nove in su", told.stdout)


async def test_who_watches_a_table_that_is_closed_is_told_so(system: LocalSystem, tmp_path: Path) -> None:
    """Nothing happens there any more, so watching ends; in a terminal, and where there is none."""
    target = system.target("table")
    async with Servito(target, player="casa") as client:
        config = TableConfig(name="Sala finita", preset="italiana", seats=2, turn_ms=5_000)
        config.min_buy_in, config.max_buy_in = 50, 100
        table_id = await client.create_table(config)
        with Person("watch", table_id, "--target", target, folder=tmp_path) as person:
            await asyncio.to_thread(person.sees, lambda screen: "Sala finita" in screen)
            await client.close_table(table_id)
            assert await asyncio.to_thread(person.process.wait, 60) == 0
            assert "The table is closed." in person.everything
    watched = await asyncio.to_thread(servito, "watch", table_id, "--target", target, "--lang", "it")
    assert (watched.returncode, watched.stdout) == (0, "Il tavolo è chiuso.\n"), watched.stderr


async def test_a_table_is_drawn_live(system: LocalSystem, tmp_path: Path) -> None:
    """In a terminal: seats, cards as backs, pot and story, and afterwards the screen is given back."""
    async with table_with_bots(system, "Sala viva", 4, 3) as table_id:
        words = ("watch", table_id, "--target", system.target("table"), "--hands", "2")
        with Person(*words, folder=tmp_path) as person:
            await asyncio.to_thread(person.sees, lambda screen: "▒▒ ▒▒ ▒▒" in screen and "pot " in screen)
            assert await asyncio.to_thread(person.process.wait, 60) == 0
            for shown in (
                "bot0",
                "bot1",
                "bot2",
                "free",
                "[D]",
                "▶",
                "cards from the eight up",
                "antes: 1 each",
            ):
                assert shown in person.everything
            assert "\x1b[?1049l" in person._seen


def at_table(system: LocalSystem, table_id: str, folder: Path) -> Person:
    """A person who sits down at a table of the running system with 60 chips."""
    words = ("play", table_id, "--target", system.target("table"), "--player", "persona", "--buy-in", "60")
    return Person(*words, folder=folder)


async def test_a_person_plays_a_hand_and_leaves(system: LocalSystem, tmp_path: Path) -> None:
    """At a running system, by keys alone: own cards, every turn of a hand, and the chips at the end."""
    async with table_with_bots(system, "Sala giocata", 3, 2) as table_id:
        with at_table(system, table_id, tmp_path) as person:
            await asyncio.to_thread(
                play_until_told, person, r"persona (passes|opens|checks|bets|calls|folds)"
            )
            await asyncio.to_thread(play_until_told, person, r"pot of \d+:|Nobody opens")
            person.types("q")
            await asyncio.to_thread(person.sees, lambda screen: "Leave the table?" in screen)
            person.types("y")
            assert await asyncio.to_thread(person.process.wait, 60) == 0
            closing = re.search(r"You leave with (\d+) chips; you had bought 60", person.everything)
            assert closing is not None, person.everything[-2000:]
        async with Servito(system.target("table"), player="casa") as client:
            seats = (await client.table(table_id)).seats
    assert "persona" not in [seat.player for seat in seats]
    chips = await asyncio.to_thread(read_chips, system.state_url)
    assert chips.wrong == ()


async def test_a_person_changes_the_rules_with_bots_and_decides_beforehand(
    system: LocalSystem, tmp_path: Path
) -> None:
    """By keys: other rules are typed, the bots agree, the next hand is played by them; and while the others
    think a fold is chosen, which is done at his turn.
    """
    async with table_with_bots(system, "Sala d'accordo", 3, 2, think=1.0) as table_id:
        with at_table(system, table_id, tmp_path) as person:
            await asyncio.to_thread(person.sees, lambda screen: "propose other rules" in screen)
            person.types("h")
            await asyncio.to_thread(person.sees, lambda screen: "Other rules: _" in screen)
            person.types("open.requirement=none\r")
            await asyncio.to_thread(
                play_until_told, person, "The rules are from now on: open.requirement JJ -> none"
            )
            for told in ("persona proposes other rules", "bot0 agrees to them", "Everybody agrees"):
                assert told in person.everything
            await asyncio.to_thread(choose_beforehand, person)
            person.types("qy")
            assert await asyncio.to_thread(person.process.wait, 60) == 0
    async with Servito(system.target("table"), player="casa") as client:
        assert (await client.table(table_id)).config.options["open.requirement"] == "none"


def choose_beforehand(person: Person) -> None:
    """Chooses check or fold whenever others are to act, until it was done."""
    until = time.monotonic() + 60
    done = r"persona decides beforehand: check or fold(?:(?!persona decides).)*persona (checks|folds)"
    while re.search(done, person.everything, re.DOTALL) is None:
        assert time.monotonic() < until, person.screen
        screen = person.screen
        if "Beforehand: [f]" in screen and "chosen" not in screen:
            person.types("f")
        elif "Enter: stand pat" in screen:
            person.types("\r")
        elif "Your turn" in screen and (offered := re.search(r"\[([pcf])\] ", screen)):
            person.types(offered[1])
        time.sleep(0.15)


def test_a_person_plays_at_a_table_of_his_own_and_closes_the_terminal(tmp_path: Path) -> None:
    """Without a target everything is started here, and all of it is gone when the person is."""
    with Person("play", "--pace", "0.02", "--buy-in", "40", "--lang", "it", folder=tmp_path) as person:
        play_until_told(person, r"mano ([2-9]|[1-9]\d+):", keys="pvsl")  # fast bots: 2 may pass unseen
        assert "Tocca a te" in person.everything
        person.process.terminate()
        assert person.process.wait(30) == 130
        assert "Traceback" not in person.everything
    assert not list(tmp_path.glob("servito-play-*"))


def servito(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs the command without a terminal."""
    return subprocess.run([SERVITO, *words], capture_output=True, text=True, check=False, timeout=60)


def play_until_told(person: Person, told: str, keys: str = "pcf") -> None:
    """Presses a harmless key whenever it is his turn, until the story tells something."""
    until = time.monotonic() + 60
    while re.search(told, person.everything) is None:
        assert time.monotonic() < until, person.screen
        assert person.process.poll() is None, person.everything
        screen = person.screen
        if "Enter: stand pat" in screen or "Invio: servito" in screen:
            person.types("\r")
        elif offered := re.search(rf"\[([{keys}])\] ", screen):
            person.types(offered[1])
        time.sleep(0.1)
