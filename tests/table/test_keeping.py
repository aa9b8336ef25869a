"""Templates are looked after in the background: when a commit calls for it, and whatever goes wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from servito_table.app.refusals import Unavailable
from servito_table.app.templates import Template
from tests.table.kept import House
from tests.table.test_templates import SALA, sit, usable


@pytest.fixture
async def kept() -> AsyncIterator[House]:
    """A template of three open tables of two seats, looked after in the background."""
    house = House()
    await house.keeper.put("sala", "owner", SALA, 3)
    await house.keeper.look_after("sala")
    work = asyncio.create_task(house.keeper.keep())
    yield house
    work.cancel()


async def _until(house: House, numbers: list[int]) -> None:
    for _ in range(500):
        if usable(house) == numbers:
            return
        await asyncio.sleep(0.01)
    raise TimeoutError(f"{usable(house)} did not become {numbers}")


async def test_a_commit_calls_for_a_look(kept: House) -> None:
    """The last seat is taken, and soon there is another table, though nobody looks around."""
    kept.templates.looking = False
    await sit(kept, kept.tables()[0], "ann", "bob")
    await _until(kept, [2, 3, 4])


async def test_a_state_server_that_does_not_answer_is_asked_again(
    kept: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looks fail while it is away; nothing that was called for is lost to the next look at all templates."""
    with monkeypatch.context() as away:
        away.setattr(kept.templates, "look_for_all", _away)
        kept.keeper.call("sala")
        await asyncio.sleep(0.2)
    await sit(kept, kept.tables()[0], "ann", "bob")
    await _until(kept, [2, 3, 4])


async def test_a_look_that_took_minutes_is_soon_followed_by_the_next(
    kept: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A state server that is away makes a look as slow; tables that fill up afterwards do not wait for it."""
    monkeypatch.setattr("servito_table.app.keeping.LOOK_SECONDS", 0.2)
    slow = asyncio.Event()

    async def minutes(_: int) -> bool:
        if not slow.is_set():
            kept.seconds += 300
            slow.set()
        return False

    monkeypatch.setattr(kept.templates, "look_for_all", minutes)
    kept.keeper.call("sala")
    await asyncio.wait_for(slow.wait(), 20)
    await sit(kept, kept.tables()[0], "ann", "bob")
    await _until(kept, [2, 3, 4])


async def _away(_ms: int) -> bool:
    raise Unavailable("the state server")


async def test_a_fault_of_one_template_does_not_hold_up_the_others(kept: House) -> None:
    """Its rules are of another release, so that its tables cannot be made."""
    unknown = replace(SALA, preset="texas")
    kept.templates.held["a"] = Template("a", "owner", unknown, 2, "seed of a", version=1)
    kept.keeper.call("a")
    await sit(kept, kept.tables()[0], "ann", "bob")
    await _until(kept, [2, 3, 4])
    assert kept.tables("a") == []


@pytest.mark.parametrize("wish", ["put", "delete"])
async def test_a_caller_who_goes_away_does_not_stop_a_template_halfway(
    kept: House, monkeypatch: pytest.MonkeyPatch, wish: str
) -> None:
    """It is written, and looked after at once, as if he had waited for the answer: nobody looks around."""
    kept.templates.looking = False
    while kept.keeper._called:  # noqa: ASYNC110 - by what made the template
        await asyncio.sleep(0.01)
    release, written = asyncio.Event(), kept.templates.put

    async def slow(template: Template) -> bool:
        made = await written(template)
        await release.wait()
        return made

    monkeypatch.setattr(kept.templates, "put", slow)
    wished = (
        kept.keeper.put("sala", "owner", SALA, 5) if wish == "put" else kept.keeper.delete("sala", "owner")
    )
    call = asyncio.create_task(wished)
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    monkeypatch.undo()
    release.set()
    kept.seconds += 60
    await _until(kept, [1, 2, 3, 4, 5] if wish == "put" else [])
