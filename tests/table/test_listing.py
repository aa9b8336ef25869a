"""ListTables over the wire: filters that cannot be read, tokens of another filter, and what is listed."""

from __future__ import annotations

from typing import Any

import pytest

from servito.table.v1 import table_pb2 as pb
from tests.table.caller import CONFIG, Caller, fresh, listed, refusal_from


async def table(ann: Caller, name: str, **changes: Any) -> str:
    """A table of that name."""
    config = pb.TableConfig()
    config.CopyFrom(CONFIG)
    config.name = name
    for field, value in changes.items():
        setattr(config, field, value)
    return await ann.create(config)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"preset": "texas"}, "preset"),
        ({"name_contains": "x" * 61}, "name_contains"),
        ({"status": 99}, "status"),
        ({"template_id": "a b"}, "template_id"),
        ({"least_ante": -1}, "least_ante"),
        ({"most_ante": -1}, "most_ante"),
        ({"least_ante": 5, "most_ante": 4}, "least_ante"),
        ({"least_buy_in": 5, "most_buy_in": 4}, "least_buy_in"),
        ({"page_size": 201}, "page_size"),
    ],
)
async def test_filters_that_cannot_be_read(ann: Caller, asked: dict[str, Any], field: str) -> None:
    """MALFORMED, naming the field and what is allowed."""
    told = await refusal_from(ann.stub.ListTables(pb.ListTablesRequest(**asked)))
    assert told.reason == "MALFORMED"
    assert field in told.message


async def test_a_token_is_good_for_its_filter_alone(ann: Caller) -> None:
    """Also for another page size, but for no other filter: it would leave tables out."""
    for _ in range(3):
        await table(ann, "Token")
    preset = CONFIG.preset  # of most tables of all tests, so that the first page has some
    first = await ann.stub.ListTables(pb.ListTablesRequest(page_size=1, preset=preset))
    token = first.next_page_token
    again = pb.ListTablesRequest(page_size=2, page_token=token, preset=preset)
    assert len((await ann.stub.ListTables(again)).tables) == 2
    for other in ({}, {"preset": "classico"}, {"preset": preset, "with_free_seat": True}):
        request = pb.ListTablesRequest(page_token=token, **other)
        told = await refusal_from(ann.stub.ListTables(request))
        assert (told.reason, "same filter" in told.message) == ("MALFORMED", True)


async def test_what_a_list_says(ann: Caller) -> None:
    """Status, seats and deals; a closed table is listed when it is asked for, and only then."""
    name = f"Lista {fresh()}"
    going, paused, closed = [await table(ann, name) for _ in range(3)]
    await ann.as_player(f"a-{going[:8]}").sit(going)
    await ann.pause(paused)
    await ann.close(closed)
    found, _ = await listed(ann, name_contains=name.upper())
    assert {one.table_id: (one.status, one.seated, one.hands) for one in found} == {
        going: (pb.TABLE_STATUS_OPEN, 1, 0),
        paused: (pb.TABLE_STATUS_PAUSED, 0, 0),
    }
    found, _ = await listed(ann, name_contains=name, status=pb.TABLE_STATUS_CLOSED)
    assert [one.table_id for one in found] == [closed]
