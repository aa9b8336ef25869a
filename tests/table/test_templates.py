"""Templates keep a number of tables of a kind open: when one fills another comes, empty ones go, by several
processes and through a death at any moment, and never is a table made twice or lost.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import replace

import pytest

from servito_table.app.commands import CloseTable, JoinWaitingList, PauseTable, RetireTable, Sit, Stand
from servito_table.app.commits import Commit
from servito_table.app.listing import has_free_seat
from servito_table.app.refusals import NotDue, OutcomeUnknown, TableReason, TableRefused
from servito_table.app.state import TableConfig, TableState
from servito_table.app.status import Status
from servito_table.app.templates import OPEN_TABLES
from tests.table.kept import House, listed
from tests.table.room import CONFIG

SALA = replace(CONFIG, name="Sala", seats=2)


@pytest.fixture
async def house() -> House:
    """A template of three open tables of two seats, looked after once."""
    house = House()
    await house.keeper.put("sala", "owner", SALA, 3)
    await house.keeper.look_after("sala")
    return house


async def sit(house: House, table: TableState, *players: str) -> None:
    """Seat players at a table."""
    for player in players:
        await house.room.play.run(table.id, Sit(player, None, 100), house.room.request(player))
    await house.room.play.tasks.drain()


async def stand(house: House, table: TableState, player: str) -> None:
    """Let a player leave."""
    await house.room.play.run(table.id, Stand(player), house.room.request(player))
    await house.room.play.tasks.drain()


def usable(house: House) -> list[int]:
    """Numbers of tables that take new players."""
    return [
        number
        for number, state in zip(house.numbers(), house.tables(), strict=True)
        if state.status is Status.OPEN and has_free_seat(listed(state))
    ]


async def test_tables_of_the_kind_are_opened(house: House) -> None:
    """As many as wished for, numbered, owned by the template's owner, of its configuration."""
    assert house.numbers() == [1, 2, 3]
    for number, table in enumerate(house.tables(), 1):
        assert table.config == replace(SALA, name=f"Sala {number}")
        assert (table.owner, table.template, table.revision) == ("owner", "sala", 1)
    await house.keeper.look_after("sala")
    assert house.numbers() == [1, 2, 3]
    assert house.room.tally.counts.count(("kept", "opened")) == 3


async def test_another_one_for_a_table_that_fills_up(house: House) -> None:
    """Its last seat is taken: a new table with the next number. One that is half full takes players still."""
    first, second, _ = house.tables()
    await sit(house, second, "ann")
    await house.keeper.look_after("sala")
    assert house.numbers() == [1, 2, 3]
    await sit(house, first, "bob", "cat")
    await house.keeper.look_after("sala")
    assert (house.numbers(), usable(house)) == ([1, 2, 3, 4], [2, 3, 4])


async def test_empty_tables_that_are_too_many_are_closed_after_a_while(house: House) -> None:
    """The latest ones first, and only those where nobody sits; people who come and go in between do not open
    and close tables.
    """
    first, second, _ = house.tables()
    await sit(house, first, "ann", "bob")
    await sit(house, second, "cat", "dan")
    await house.keeper.look_after("sala")
    assert usable(house) == [3, 4, 5]
    await stand(house, first, "ann")
    await house.keeper.look_after("sala")
    assert usable(house) == [1, 3, 4, 5]
    house.seconds += 29
    await house.keeper.look_after("sala")
    assert usable(house) == [1, 3, 4, 5]
    house.seconds += 2
    await house.keeper.look_after("sala")
    assert usable(house) == [1, 3, 4]
    await house.keeper.look_after("sala")
    assert house.templates.held["sala"].numbers == (1, 2, 3, 4)
    assert house.room.tally.counts.count(("kept", "closed")) == 1


async def test_a_surplus_that_goes_by_itself_closes_nothing(house: House) -> None:
    """Somebody sits down again before the while is over: it is counted anew the next time."""
    first = house.tables()[0]
    await sit(house, first, "ann", "bob")
    await house.keeper.look_after("sala")
    for _ in range(3):
        await stand(house, first, "ann")
        await house.keeper.look_after("sala")
        house.seconds += 20
        await sit(house, first, "ann")
        await house.keeper.look_after("sala")
        house.seconds += 20
    assert house.numbers() == [1, 2, 3, 4]


async def test_what_the_owner_pauses_or_closes_is_replaced(house: House) -> None:
    """A paused table takes no new players and is left alone; a closed one is gone."""
    first, second, _ = house.tables()
    await house.room.play.run(first.id, PauseTable("owner"), house.room.request("owner"))
    await house.room.play.run(second.id, CloseTable("owner"), house.room.request("owner"))
    await house.linger()
    assert (house.numbers(), usable(house)) == ([1, 3, 4, 5], [3, 4, 5])


async def test_fewer_tables_and_more(house: House) -> None:
    """The number is changed by putting the template again; numbers of closed tables do not come back."""
    await house.keeper.put("sala", "owner", SALA, 1)
    await house.linger()
    assert house.numbers() == [1]
    await house.keeper.put("sala", "owner", SALA, 2)
    await house.linger()
    assert house.numbers() == [1, 4]
    assert house.templates.held["sala"].revision == 1


async def test_another_configuration(house: House) -> None:
    """Tables of the old one go at once where nobody sits, and stay until the last player has left."""
    first = house.tables()[0]
    await sit(house, first, "ann")
    dear = replace(SALA, min_buy_in=100)
    assert (await house.keeper.put("sala", "owner", dear, 2)).revision == 2
    await house.keeper.look_after("sala")
    await house.keeper.look_after("sala")
    assert house.numbers() == [1, 4, 5]
    assert [table.config.min_buy_in for table in house.tables()] == [10, 100, 100]
    await stand(house, first, "ann")
    await house.keeper.look_after("sala")
    assert house.numbers() == [4, 5]


async def test_a_template_that_is_deleted(house: House) -> None:
    """Empty tables close at once, the last one when its player leaves; then it is forgotten, after a while
    in which deleting it again is no mistake.
    """
    first = house.tables()[0]
    await sit(house, first, "ann")
    await house.keeper.delete("sala", "owner")
    await house.linger()
    assert house.numbers() == [1]
    await house.keeper.delete("sala", "owner")
    await stand(house, first, "ann")
    await house.linger()
    assert house.tables() == []
    assert house.templates.held["sala"].deleted
    await house.linger()
    assert house.templates.held == {}
    with pytest.raises(TableRefused) as refused:
        await house.keeper.delete("sala", "owner")
    assert refused.value.reason is TableReason.UNKNOWN_TEMPLATE


async def test_a_deleted_template_put_again(house: House) -> None:
    """It goes on with the numbers after those that it had."""
    await house.keeper.delete("sala", "owner")
    await house.keeper.look_after("sala")
    await house.keeper.put("sala", "owner", SALA, 1)
    await house.keeper.look_after("sala")
    assert house.numbers() == [4]


async def test_ids_are_not_used_again(house: House) -> None:
    """A template of the same name that somebody else puts later has other tables, from the first on."""
    before = {table.id for table in house.tables()}
    await house.keeper.delete("sala", "owner")
    await house.linger()
    await house.linger()
    await house.keeper.put("another", "eve", SALA, 0)
    await house.keeper.put("sala", "eve", SALA, 2)
    await house.keeper.look_after("sala")
    assert house.numbers() == [1, 2]
    assert before.isdisjoint(table.id for table in house.tables())
    assert {table.owner for table in house.tables()} == {"eve"}


@pytest.mark.parametrize(
    ("config", "why"),
    [
        (replace(SALA, preset="texas"), "texas"),
        (replace(SALA, seats=1), "seats"),
        (replace(SALA, name="x" * 51), "50 characters"),
    ],
)
async def test_a_configuration_that_cannot_be_played(house: House, config: TableConfig, why: str) -> None:
    """Refused when it is put, not when its tables are made; what was put before stays."""
    before = house.templates.held["sala"]
    with pytest.raises(TableRefused) as refused:
        await house.keeper.put("sala", "owner", config, 1)
    assert refused.value.reason is TableReason.INVALID_CONFIG
    assert why in refused.value.message
    assert house.templates.held["sala"] is before


async def test_only_its_owner_changes_it(house: House) -> None:
    """Whoever put it first."""
    before = house.templates.held["sala"]
    for wish in (house.keeper.put("sala", "eve", SALA, 1), house.keeper.delete("sala", "eve")):
        with pytest.raises(TableRefused) as refused:
            await wish
        assert refused.value.reason is TableReason.NOT_PERMITTED
    assert house.templates.held["sala"] is before


async def test_putting_the_same_again_writes_nothing(house: House) -> None:
    """A client that lost the answer may repeat it."""
    version = house.templates.held["sala"].version
    await house.keeper.put("sala", "owner", SALA, 3)
    assert house.templates.held["sala"].version == version


async def test_a_table_is_not_retired_under_anybody(house: House) -> None:
    """Somebody sat down, or waits, between the look and the decision: nothing is changed, whatever the
    process remembers of the table.
    """
    first = house.tables()[0]
    await sit(house, first, "ann")
    with pytest.raises(NotDue):
        await house.room.play.run(first.id, RetireTable())
    await sit(house, first, "bob")
    await house.room.play.run(first.id, JoinWaitingList("cat"), house.room.request("cat"))
    await house.keeper.put("sala", "owner", replace(SALA, min_buy_in=50), 0)
    await house.linger()
    assert house.numbers() == [1]


async def test_a_table_that_is_held_for_somebody_stays(house: House) -> None:
    """Everybody left, and the one who waited is still to answer."""
    first = house.tables()[0]
    await sit(house, first, "ann", "bob")
    await house.room.play.run(first.id, JoinWaitingList("cat"), house.room.request("cat"))
    await stand(house, first, "ann")
    await stand(house, first, "bob")
    table = house.room.store.tables[first.id].state
    assert (table.seats, [waiter.player for waiter in table.waiting]) == ((), ["cat"])
    with pytest.raises(NotDue):
        await house.room.play.run(first.id, RetireTable())


async def test_what_a_process_remembers_does_not_keep_a_table_open(house: House) -> None:
    """It saw somebody sit down; the other process saw him leave."""
    other = house.other()
    first = house.tables()[0]
    await sit(house, first, "ann")
    await other.room.play.run(first.id, Stand("ann"), other.room.request("ann", "leave"))
    await house.keeper.put("sala", "owner", SALA, 0)
    await house.linger()
    assert house.tables() == []


async def test_two_processes_make_no_table_twice() -> None:
    """Both look at the same moment, and each writes between the other's reading and writing."""
    house = House()
    await house.keeper.put("sala", "owner", SALA, 5)
    houses = [house, house.other(), house.other()]
    await asyncio.gather(*(one.keeper.look_after("sala") for one in houses))
    assert house.numbers() == [1, 2, 3, 4, 5]
    assert house.templates.held["sala"].last == 5


async def test_the_one_whose_write_comes_second_reads_again(house: House) -> None:
    """The template is put with another number just before a look writes what it found."""
    await sit(house, house.tables()[0], "ann", "bob")
    held = house.templates.held

    def change(_template: object) -> None:
        held["sala"] = replace(held["sala"], open_tables=5, version=held["sala"].version + 1)

    house.templates.before_write = change
    await house.keeper.look_after("sala")
    assert usable(house) == [2, 3, 4, 5, 6]


class Died(Exception):  # noqa: N818 - what happened
    """The process is no more."""


@pytest.mark.parametrize("made", range(4))
async def test_a_death_in_the_middle_of_opening_tables(made: int) -> None:
    """The numbers are written, so many tables are created, and the process dies: the next look creates the
    missing ones, whichever process it is.
    """
    house = House()
    await house.keeper.put("sala", "owner", SALA, 3)

    def die(_commit: Commit) -> None:
        left.pop() if left else _die()
        house.room.store.before_commit = die

    left = [True] * made
    house.room.store.before_commit = die
    with suppress(Died):
        await house.keeper.look_after("sala")
    house.room.store.before_commit = lambda _commit: None
    assert len(house.tables()) == made
    await house.other().keeper.look_after("sala")
    assert house.numbers() == [1, 2, 3]


def _die() -> None:
    raise Died


async def test_a_table_whose_creation_was_not_answered(house: House) -> None:
    """It may have been made or not: the next look finds out, and makes none twice."""
    await sit(house, house.tables()[0], "ann", "bob")
    house.room.store.lose_answers = 1
    with pytest.raises(OutcomeUnknown):
        await house.keeper.look_after("sala")
    await house.keeper.look_after("sala")
    assert house.numbers() == [1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(8))
async def test_whatever_happens_there_are_enough_tables(seed: int) -> None:
    """People come, go, and owners change their minds, two processes look at random moments; after a look
    there are at least as many usable tables as wished for, and in the end, left alone, exactly as many.
    """
    style = random.Random(seed)
    house = House()
    other = house.other()
    goal = 2
    await house.keeper.put("sala", "owner", SALA, goal)
    for step in range(120):
        tables = house.tables()
        choice = style.random()
        if choice < 0.45 and tables:
            with suppress(TableRefused):
                await sit(style.choice([house, other]), style.choice(tables), f"p{step}")
        elif choice < 0.7 and tables:
            table = style.choice(tables)
            for own in table.seats[:1]:
                await stand(house, table, own.player)
        elif choice < 0.75:
            goal = style.randrange(5)
            await house.keeper.put("sala", "owner", SALA, goal)
        else:
            await style.choice([house, other]).keeper.look_after("sala")
            assert len(usable(house)) >= goal
        house.seconds += style.choice([0, 1, 40])
        other.seconds = house.seconds
    for table in house.tables():
        for own in table.seats:
            await stand(house, table, own.player)
    await house.linger()
    await house.linger()
    assert len(usable(house)) == goal
    states = [known.state for known in house.room.store.tables.values()]
    names = [state.config.name for state in states if state.template]
    assert len(names) == len(set(names)) == house.templates.held["sala"].last


def test_the_bound_is_the_documented_one() -> None:
    """The proto says 0..100."""
    assert OPEN_TABLES == 100
