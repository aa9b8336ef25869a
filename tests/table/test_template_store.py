"""Templates in the state server: written once for what was read, read back as they were, in all processes;
and over the wire, by real processes, one of which is killed while it opens tables.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import replace

import pytest
import redis

from servito.table.v1 import table_pb2 as pb
from servito_platform.keys import Keys
from servito_platform.place import read_place
from servito_platform.state import new_lane
from servito_table.adapters.schema import UnreadableState
from servito_table.adapters.templates import RedisTemplates
from servito_table.app.ports import Templates
from servito_table.app.templates import Template
from tests.platform.proxy import proxy_to
from tests.table.caller import CONFIG as CALLED
from tests.table.caller import Caller, calling, fresh, listed
from tests.table.kept import MemoryTemplates
from tests.table.processes import service
from tests.table.real import RealStore
from tests.table.room import CONFIG

KEYS = Keys(64)
SALA = Template("sala", "anna", CONFIG, 3, "seed")


@pytest.fixture
async def stored(state_url: str) -> AsyncIterator[RedisTemplates]:
    """Those of one process."""
    lane = new_lane(read_place(state_url), 2.0)
    yield RedisTemplates(lane, Keys(64))
    await lane.close()


@pytest.fixture(params=["memory", "real"])
async def templates(request: pytest.FixtureRequest, stored: RedisTemplates) -> Templates:
    """The twin, and the real one."""
    return MemoryTemplates() if request.param == "memory" else stored


async def test_what_was_put_is_read_back(templates: Templates) -> None:
    """Every field; all of them in the order of their ids."""
    other = replace(SALA, id="aula", deleted=True, numbers=(3, 2**40), last=2**40, revision=9, open_tables=0)
    assert await templates.put(SALA)
    assert await templates.put(other)
    assert await templates.get("sala") == replace(SALA, version=1)
    assert await templates.all() == [replace(other, version=1), replace(SALA, version=1)]
    assert await templates.get("none") is None


async def test_who_comes_second_writes_nothing(templates: Templates) -> None:
    """Also who would be the first to put it, and who would forget it."""
    assert await templates.put(SALA)
    assert not await templates.put(replace(SALA, owner="eve"))
    assert await templates.put(replace(SALA, version=1, open_tables=4))
    for late in (replace(SALA, version=1), replace(SALA, version=3)):
        assert not await templates.put(late)
        assert not await templates.remove(late)
    assert await templates.get("sala") == replace(SALA, version=2, open_tables=4)
    assert await templates.remove(replace(SALA, version=2))
    assert await templates.all() == []


async def test_one_process_looks_at_all(stored: RedisTemplates, state_url: str) -> None:
    """Of all that ask within the time, and then another may."""
    lane = new_lane(read_place(state_url), 2.0)
    second = RedisTemplates(lane, Keys(64))
    assert await stored.look_for_all(60_000)
    assert not await second.look_for_all(60_000)
    assert 0 < await lane.execute("PTTL", stored._looker) <= 60_000
    await lane.execute("PEXPIRE", stored._looker, 20)
    async with asyncio.timeout(20):
        while not await second.look_for_all(60_000):  # noqa: ASYNC110 - the server's clock
            await asyncio.sleep(0.01)
    assert not await stored.look_for_all(60_000)
    await lane.close()


async def test_a_form_of_a_newer_release_is_not_read(real: RealStore, stored: RedisTemplates) -> None:
    """Rather than read it wrongly."""
    await real.client.hset(real.keys.templates(), "sala", b"1\n\x08\x63")
    with pytest.raises(UnreadableState):
        await stored.get("sala")


def kind(name: str, seats: int = 2) -> pb.TableConfig:
    """A configuration of tables."""
    config = pb.TableConfig()
    config.CopyFrom(CALLED)
    config.name, config.seats = name, seats
    return config


async def put(ann: Caller, template_id: str, config: pb.TableConfig, open_tables: int) -> pb.TemplateView:
    """Put a template."""
    request = pb.PutTemplateRequest(template_id=template_id, config=config, open_tables=open_tables)
    return (await ann.stub.PutTemplate(request, metadata=ann.metadata, timeout=30)).template


async def taking(ann: Caller, template_id: str) -> list[pb.TableSummary]:
    """The template's tables that take players."""
    return (await listed(ann, template_id=template_id, with_free_seat=True, page_size=200))[0]


async def names(ann: Caller, template_id: str) -> list[str]:
    """Names of those."""
    tables = await taking(ann, template_id)
    assert all(table.template_id == template_id for table in tables)
    return in_order(table.config.name for table in tables)


def in_order(names: Iterable[str]) -> list[str]:
    """Names by the number that each ends with."""
    return sorted(names, key=lambda name: int(name.split()[-1]))


async def until(ann: Caller, template_id: str, wanted: list[str]) -> None:
    """Until these are the tables that take players."""
    found: list[str] = []
    for _ in range(600):
        found = await names(ann, template_id)
        if found == wanted:
            return
        await asyncio.sleep(0.05)
    raise TimeoutError(f"the tables that take players are {found}, not {wanted}")


async def test_tables_come_fill_up_and_go(ann: Caller) -> None:
    """Put, filled, changed, deleted, over the wire; listed with its number of tables."""
    template_id = f"sala-{fresh()}"
    view = await put(ann, template_id, kind("Sala"), 2)
    assert (view.owner, view.open_tables, view.revision) == ("ann", 2, 1)
    await until(ann, template_id, ["Sala 1", "Sala 2"])
    found = (await taking(ann, template_id))[0].table_id
    seated = [ann.as_player(f"{name}-{found[:8]}") for name in "ab"]
    full = (await ann.table(found)).config.name
    for player in seated:
        await player.sit(found)
    rest = [name for name in ("Sala 1", "Sala 2") if name != full]
    await until(ann, template_id, [*rest, "Sala 3"])
    listed = await ann.stub.ListTemplates(pb.ListTemplatesRequest(page_size=200))
    assert [own.tables for own in listed.templates if own.template_id == template_id] == [3]
    await ann.stub.DeleteTemplate(
        pb.DeleteTemplateRequest(template_id=template_id), metadata=ann.metadata, timeout=30
    )
    await until(ann, template_id, [])
    for player in seated:
        await player.stand(found)
    for _ in range(600):
        if (await ann.table(found)).status == pb.TABLE_STATUS_CLOSED:
            break
        await asyncio.sleep(0.05)
    assert (await ann.table(found)).status == pb.TABLE_STATUS_CLOSED


async def test_templates_are_listed_in_pages(ann: Caller) -> None:
    """In the order of their ids, each on one page; deleted ones are not."""
    mark = fresh()
    ids = [f"p{mark}-{number}" for number in range(5)]
    for template_id in ids:
        await put(ann, template_id, kind("Pagina"), 0)
    gone = pb.DeleteTemplateRequest(template_id=ids.pop())
    await ann.stub.DeleteTemplate(gone, metadata=ann.metadata)
    found: list[str] = []
    request = pb.ListTemplatesRequest(page_size=2)
    while True:
        page = await ann.stub.ListTemplates(request)
        assert len(page.templates) <= 2
        found += [own.template_id for own in page.templates]
        if not page.next_page_token:
            break
        request.page_token = page.next_page_token
    assert [template_id for template_id in found if template_id.startswith(f"p{mark}-")] == ids
    assert found == sorted(found)


@pytest.mark.one_server
async def test_a_process_is_killed_while_it_opens_tables(services: dict[str, str], state_url: str) -> None:
    """The way to the state server is closed in the middle of it, then the process is killed: another one
    opens the rest, none twice. The state is another one than that of the session's processes, which would
    open them at once.
    """
    services = services | {"SERVITO_STATE_URL": state_url}
    host, _, rest = services["SERVITO_STATE_URL"].removeprefix("redis://").rpartition(":")
    port, _, database = rest.partition("/")
    template_id = f"kill-{fresh()}"
    wanted = [f"Sala {number}" for number in range(1, 101)]

    def stored() -> int:
        with redis.Redis.from_url(services["SERVITO_STATE_URL"]) as client:
            return sum(int(client.zcard(KEYS.tables(each))) for each in range(KEYS.partitions))

    async with proxy_to(int(port)) as way:
        through = services | {"SERVITO_STATE_URL": f"redis://{host}:{way.port}/{database}"}
        with service("table", through) as doomed:
            async with calling(doomed.grpc) as ann:
                way.passes = 60  # fewer than tables are wanted, more than it takes to begin
                await put(ann, template_id, kind("Sala"), 100)
                await asyncio.wait_for(way.closed.wait(), 20)
            doomed.kill()
    assert 0 < stored() < len(wanted)
    with service("table", services) as running:
        async with calling(running.grpc) as ann:
            await until(ann, template_id, wanted)
