"""New tables: what a configuration must be, and that asking twice makes one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from servito_table.app.commands import AnswerProposal, ProposeRules
from servito_table.app.opening import table_id_of
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.state import TableConfig
from tests.table.room import CONFIG, Room


async def test_asking_twice_makes_one_table() -> None:
    """The same request of the same owner is the same table; another owner's is another one."""
    room = Room()
    first = await room.open()
    assert await room.other().open() == first == table_id_of("owner", "r0")
    assert len(room.store.tables) == 1
    assert table_id_of("other", "r0") != first


async def test_a_request_id_with_another_configuration_is_refused() -> None:
    """One request id makes one table."""
    room = Room()
    await room.open()
    with pytest.raises(TableRefused) as caught:
        await room.open(replace(CONFIG, seats=4))
    assert caught.value.reason is TableReason.REQUEST_ID_REUSED


@pytest.mark.parametrize("forgotten", [False, True])
async def test_asking_again_after_the_rules_were_changed(forgotten: bool) -> None:
    """The first answer, also when the players have agreed on other rules since: the request is what it was.
    Other content is refused while the request is remembered, and what house rules cannot change ever after.
    """
    room = Room()
    table_id = await room.open()
    await room.sit("ann", "bob")
    await room.run(ProposeRules("ann", {"ante": "3"}), room.request("ann"))
    await room.run(AnswerProposal("bob", 1, agree=True), room.request("bob"))
    await room.due()
    assert room.state.config.options == {"ante": "3"}
    if forgotten:
        room.store.requests.clear()
    assert await room.other().open() == table_id
    with pytest.raises(TableRefused) as caught:
        await room.other().open(replace(CONFIG, seats=4))
    assert caught.value.reason is TableReason.REQUEST_ID_REUSED
    if not forgotten:
        with pytest.raises(TableRefused) as caught:
            await room.other().open(replace(CONFIG, options={"ante": "3"}))
        assert caught.value.reason is TableReason.REQUEST_ID_REUSED


@pytest.mark.parametrize(
    ("config", "named"),
    [
        (replace(CONFIG, name="x" * 61), ("name",)),
        (replace(CONFIG, name="a\nb"), ("name",)),
        (replace(CONFIG, preset="texas"), ("texas", "italiana")),
        (replace(CONFIG, seats=1), ("seats",)),
        (replace(CONFIG, seats=10), ("players.max",)),
        (replace(CONFIG, min_buy_in=0), ("min_buy_in",)),
        (replace(CONFIG, min_buy_in=300), ("max_buy_in",)),
        (replace(CONFIG, turn_ms=999), ("turn_ms",)),
        (replace(CONFIG, pause_ms=60_001), ("pause_ms",)),
        (replace(CONFIG, options={"bet.limits": "none"}), ("bet.limits",)),
        (replace(CONFIG, options={"ante": "none"}), ("ante",)),
        (replace(CONFIG, options={"preset": "sala"}), ("preset",)),
        (replace(CONFIG, options={"ante": "0", "draw.max": "6"}, turn_ms=1), ("ante", "draw.max", "turn_ms")),
        (replace(CONFIG, options={"ante.live": "true"}), ("ante.live", "open.requirement")),
    ],
)
async def test_every_defect_is_named(config: TableConfig, named: tuple[str, ...]) -> None:
    """INVALID_CONFIG says all that is wrong at once, and no table is made."""
    room = Room()
    with pytest.raises(TableRefused) as caught:
        await room.open(config)
    assert caught.value.reason is TableReason.INVALID_CONFIG
    assert all(name in caught.value.message for name in named), caught.value.message
    assert not room.store.tables


async def test_options_are_read_as_their_kind() -> None:
    """Numbers, booleans, null and words, as a configuration file writes them."""
    room = Room()
    options = {
        "ante": "5",
        "sf_cycle": "false",
        "raise.max_count": "null",
        "deck": "fixed",
        "deck.lowest": "2",
    }
    await room.open(replace(CONFIG, options=options))
    rules = room.state.rules
    assert (rules.ante, rules.sf_cycle, rules.raise_max_count, rules.deck_lowest) == (5, False, None, "2")
