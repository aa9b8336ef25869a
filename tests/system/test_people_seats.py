"""A person at a full table: waits, is given a seat, sits out and in, adds chips and leaves, all by keys."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from servito_client.client import Servito
from servito_client.messages import SitOutReason, TableConfig
from servito_local.chips import read_chips
from servito_local.system import LocalSystem
from tests.system.terminal import Person
from tests.system.test_people import play_until_told, servito, table_with_bots

pytestmark = [pytest.mark.system, pytest.mark.timeout(120)]


async def until(person: Person, *shown: str) -> None:
    """The screen has all of it."""
    await asyncio.to_thread(person.sees, lambda screen: all(text in screen for text in shown))


async def presses(person: Person, key: str) -> None:
    """A key once keys count: while a wish is under way none is named."""
    await until(person, "w: sit out")
    person.types(key)


async def full(client: Servito, table_id: str) -> None:
    """Both bots have sat down."""
    for _ in range(200):
        if len((await client.table(table_id)).seats) == 2:
            return
        await asyncio.sleep(0.1)
    raise TimeoutError("the bots did not sit down")


async def test_a_person_waits_for_a_seat_and_uses_it(system: LocalSystem, tmp_path: Path) -> None:
    """The place in the list is shown; the seat is taken by itself when somebody leaves. Chips that are added
    are counted in what was bought.
    """
    target = system.target("table")
    async with (
        table_with_bots(system, "Sala piena", 2, 2) as table_id,
        Servito(target, player="casa") as client,
    ):
        await full(client, table_id)
        words = ("play", table_id, "--target", target, "--player", "persona", "--buy-in", "60")
        with Person(*words, folder=tmp_path) as person:
            await until(person, "You wait for one, at place 1.", "waiting: persona")
            await client.acting_as("bot0").stand(table_id)
            await until(person, "persona (you)")
            assert "is held for persona" in person.everything
            await asyncio.to_thread(play_until_told, person, r"persona (passes|opens|checks|bets|calls)")
            await presses(person, "w")
            await asyncio.to_thread(play_until_told, person, "persona sits out from the next hand on")
            await asyncio.to_thread(play_until_told, person, "You sit out; w: be dealt in again")
            view = await client.table(table_id)
            own = next(seat for seat in view.seats if seat.player == "persona")
            assert own.sitting_out == SitOutReason.SIT_OUT_REASON_ASKED
            await presses(person, "t")
            await until(person, "Add chips: _")
            person.types("2\r")
            await asyncio.to_thread(play_until_told, person, r"persona adds 2\b(?! when)")
            await presses(person, "w")
            await until(person, "persona is dealt in again")
            await presses(person, "qy")
            assert await asyncio.to_thread(person.process.wait, 60) == 0
            assert "you had bought 62." in person.everything.lower()
        assert "persona" not in [seat.player for seat in (await client.table(table_id)).seats]
    assert (await asyncio.to_thread(read_chips, system.state_url)).wrong == ()


async def test_a_person_who_has_enough_of_waiting(system: LocalSystem, tmp_path: Path) -> None:
    """Leaving ends the wait as well, and so does a closed terminal."""
    target = system.target("table")
    async with (
        table_with_bots(system, "Sala piena", 2, 2) as table_id,
        Servito(target, player="casa") as client,
    ):
        await full(client, table_id)
        words = ("play", table_id, "--target", target, "--player", "persona", "--lang", "it")
        with Person(*words, folder=tmp_path) as person:
            await until(person, "Ne aspetti uno, al posto 1 della lista.")
            person.types("qs")
            assert await asyncio.to_thread(person.process.wait, 60) == 0
            assert "Non aspetti più." in person.everything
        assert not (await client.table(table_id)).waiting
        with Person(*words, folder=tmp_path) as person:
            await until(person, "Ne aspetti uno")
            listed = await asyncio.to_thread(servito, "tables", "--target", target)
            assert " 2/2 +1 " in next(line for line in listed.stdout.splitlines() if table_id in line)
            person.process.terminate()
            assert await asyncio.to_thread(person.process.wait, 30) != 0
        assert not (await client.table(table_id)).waiting


async def full_without_spectators(client: Servito) -> str:
    """A table of two that is shown to nobody else; a hand begins a minute after the one before."""
    config = TableConfig(name="Sala chiusa", preset="italiana", seats=2, no_spectators=True)
    config.min_buy_in, config.max_buy_in, config.turn_ms, config.pause_ms = 50, 100, 60_000, 60_000
    table_id = await client.create_table(config)
    for player in ("anna", "bruno"):
        await client.acting_as(player).sit(table_id, buy_in=50)
    return table_id


async def test_a_person_waits_where_he_may_not_look(system: LocalSystem, tmp_path: Path) -> None:
    """A table without spectators: he gets the seat all the same, or has enough; when the table closes, he is
    told that this is why his session ends. Its owner may watch it, nobody else.
    """
    target = system.target("table")
    async with Servito(target, player="casa") as client:
        table_id = await full_without_spectators(client)
        words = ("play", table_id, "--target", target, "--player", "persona", "--buy-in", "60")
        with Person(*words, folder=tmp_path) as person:
            await until(person, "You wait for a seat.", "q: wait no longer")
            person.types("xq")
            assert await asyncio.to_thread(person.process.wait, 60) == 0
            assert "You wait no longer." in person.everything
        assert not (await client.table(table_id)).waiting
        with Person(*words, folder=tmp_path) as person:
            await until(person, "You wait for a seat.")
            await client.acting_as("anna").stand(table_id)
            await until(person, "persona (you)")
            await client.close_table(table_id)
            assert await asyncio.to_thread(person.process.wait, 60) == 0
            assert "The table is closed. You leave with 60 chips; you had bought 60." in person.everything
        watch = ("watch", table_id, "--target", target)
        stranger, owner = [
            await asyncio.to_thread(servito, *words) for words in (watch, (*watch, "--player", "casa"))
        ]
    assert (stranger.returncode, stranger.stderr) == (1, "Refused: you may not do that\n")
    assert (owner.returncode, owner.stdout) == (0, "The table is closed.\n"), owner.stderr
    assert (await asyncio.to_thread(read_chips, system.state_url)).wrong == ()
