"""The vault: append-only, compare before append, sealed, forgotten in time. On a real state server."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from servito_dealer.adapters.sealer import Sealer
from servito_dealer.adapters.vault import StateVault
from servito_dealer.app.ports import Mark, Stored
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import DealEntry, DrawEntry, Opening
from servito_dealer.app.source import COMMITTED
from servito_platform.keys import Keys
from servito_platform.lane import Lane
from tests.dealer.memory import MemoryVault

if TYPE_CHECKING:
    import redis.asyncio

    from servito_dealer.app.ports import Vault
    from servito_dealer.settings import DealerSettings
    from servito_platform.firm import FirmLane

SEED = bytes(range(100, 132))
OPENING = Opening("t-1", lowest_rank=6, slots=5, draw_max=4)
DRAW = DrawEntry(number=1, slot=2, draw=1, count=3, excluded=(2, 7), refills=((1, 3), (2, 7)))
KEYS = Keys(64)


def state_vault(
    lane: Lane, sealer: Sealer | None = None, firm: FirmLane | None = None, scheme: int = COMMITTED
) -> StateVault:
    """A vault on the test's server."""
    return StateVault(
        lane,
        firm,
        KEYS,
        sealer or Sealer({"k1": bytes(32)}),
        keep_seconds=1000,
        observe=lambda _: None,
        scheme=scheme,
    )


async def elements_of(client: redis.asyncio.Redis, hand: str) -> list[bytes]:
    """The stored bytes of a record."""
    return cast("list[bytes]", await client.lrange(KEYS.hand(hand), 0, -1))


@pytest.fixture(params=["memory", "state server"])
def vault(request: pytest.FixtureRequest, client: redis.asyncio.Redis, lane: Lane) -> Vault:
    """Both implementations: the twin of the use case tests keeps the same contract as the real one."""
    return MemoryVault() if request.param == "memory" else state_vault(lane)


async def test_what_is_stored_comes_back(vault: Vault) -> None:
    """Seed, opening and entries are read as they were written, in order."""
    opened = await vault.open(OPENING, SEED)
    dealt = await vault.append("t-1", opened.mark, DealEntry())
    assert isinstance(dealt, Mark)
    drawn = await vault.append("t-1", dealt, DRAW)
    assert isinstance(drawn, Mark)
    assert await vault.load("t-1") == Stored(SEED, OPENING, (DealEntry(), DRAW), drawn)


async def test_a_hand_is_stored_with_its_first_entry(vault: Vault) -> None:
    """Both or nothing: who opens it afterwards is told of both, and the next entry follows them."""
    opened = await vault.open(OPENING, SEED, DealEntry())
    assert opened == await vault.load("t-1")
    assert (opened.entries, opened.mark.length) == ((DealEntry(),), 2)
    again = await vault.open(OPENING, bytes(32), DealEntry())
    assert (again.seed, again.entries, again.mark) == (SEED, (DealEntry(),), opened.mark)
    drawn = await vault.append("t-1", opened.mark, DRAW)
    assert isinstance(drawn, Mark)
    assert await vault.load("t-1") == Stored(SEED, OPENING, (DealEntry(), DRAW), drawn)


async def test_the_first_to_open_wins(vault: Vault) -> None:
    """Opening again stores nothing and returns the first seed with everything that came after."""
    opened = await vault.open(OPENING, SEED)
    await vault.append("t-1", opened.mark, DealEntry())
    again = await vault.open(replace(OPENING, slots=3), bytes(32))
    assert again == await vault.load("t-1")
    assert (again.seed, again.opening, again.entries) == (SEED, OPENING, (DealEntry(),))


async def test_an_entry_is_appended_to_the_record_that_was_read(vault: Vault) -> None:
    """An append after somebody else's adds nothing and returns what is stored, even at the right length."""
    opened = await vault.open(OPENING, SEED)
    dealt = await vault.append("t-1", opened.mark, DealEntry())
    assert isinstance(dealt, Mark)
    stored = await vault.load("t-1")
    assert await vault.append("t-1", opened.mark, DRAW) == stored
    assert await vault.append("t-1", replace(dealt, last=opened.mark.last), DRAW) == stored
    assert await vault.load("t-1") == stored


async def test_what_is_not_there_is_not_made(vault: Vault) -> None:
    """Reading or appending to an unknown hand says so and creates nothing."""
    assert await vault.load("t-1") is None
    assert await vault.append("t-1", Mark(1, b"gone"), DealEntry()) is None
    assert await vault.load("t-1") is None


async def test_racing_appends(vault: Vault) -> None:
    """Of many appends to the same end one succeeds, and the others are told about it."""
    opened = await vault.open(OPENING, SEED)
    answers = await asyncio.gather(*(vault.append("t-1", opened.mark, DealEntry()) for _ in range(20)))
    assert sum(isinstance(answer, Mark) for answer in answers) == 1
    assert sum(isinstance(answer, Stored) and answer.entries == (DealEntry(),) for answer in answers) == 19


async def test_scripts_may_be_forgotten_at_any_time(client: redis.asyncio.Redis, lane: Lane) -> None:
    """A server that lost its scripts (restart, failover) costs nothing but the sending of their text."""
    vault = state_vault(lane)
    mark = (await vault.open(OPENING, SEED)).mark
    for number in range(1, 4):
        await client.script_flush()
        written = await vault.append("t-1", mark, replace(DRAW, number=number))
        assert isinstance(written, Mark)
        mark = written
    assert mark.length == 4


async def test_a_record_is_forgotten_after_its_last_entry(client: redis.asyncio.Redis, lane: Lane) -> None:
    """Every write sets the life of the record anew."""
    vault = state_vault(lane)
    opened = await vault.open(OPENING, SEED)
    key = KEYS.hand("t-1")
    assert 999_000 < await client.pttl(key) <= 1_000_000
    await client.pexpire(key, 5_000)
    await vault.append("t-1", opened.mark, DealEntry())
    assert 999_000 < await client.pttl(key) <= 1_000_000


@pytest.mark.one_server
async def test_a_record_lives_in_the_partition_of_its_table(client: redis.asyncio.Redis, lane: Lane) -> None:
    """One key per hand, with the table's hash tag, and nothing besides."""
    vault = state_vault(lane)
    await vault.open(OPENING, SEED)
    assert await client.keys() == [KEYS.hand("t-1").encode()]
    assert KEYS.hand("t-1").startswith(KEYS.table("t").partition(":")[0])


async def test_the_state_server_sees_no_seed_and_no_request(client: redis.asyncio.Redis, lane: Lane) -> None:
    """Neither the seed nor what was asked is in the stored bytes."""
    vault = state_vault(lane)
    opened = await vault.open(OPENING, SEED)
    await vault.append("t-1", opened.mark, DRAW)
    stored = b"".join(await elements_of(client, "t-1"))
    for secret in (SEED, SEED[:8], SEED.hex().encode(), b"t-1"):
        assert secret not in stored


@pytest.mark.parametrize("damage", ["swapped", "changed", "moved to another hand"])
async def test_damage_is_noticed(client: redis.asyncio.Redis, lane: Lane, damage: str) -> None:
    """A record whose elements were touched does not open; nothing is dealt from it."""
    vault = state_vault(lane)
    opened = await vault.open(OPENING, SEED)
    await vault.append("t-1", opened.mark, DealEntry())
    elements = await elements_of(client, "t-1")
    hand = "t-1"
    if damage == "swapped":
        elements.reverse()
    elif damage == "changed":
        elements[1] = elements[1][:-1] + bytes([elements[1][-1] ^ 1])
    else:
        hand = "t-2"
    await client.delete(KEYS.hand(hand))
    await client.rpush(KEYS.hand(hand), *elements)
    with pytest.raises(Refused, match="cannot be opened here") as refusal:
        await vault.load(hand)
    assert refusal.value.reason is Reason.UNAVAILABLE


async def test_keys_rotate(client: redis.asyncio.Redis, lane: Lane) -> None:
    """Records sealed under the old key open while it is given; new elements go under the new one."""
    old, new = {"k1": bytes(32)}, {"k2": bytes(31) + b"\1"}
    opened = await state_vault(lane, Sealer(old)).open(OPENING, SEED)
    both = state_vault(lane, Sealer(new | old))
    await both.append("t-1", opened.mark, DealEntry())
    stored = await both.load("t-1")
    assert stored is not None
    assert stored.entries == (DealEntry(),)
    for alone in (old, new):
        with pytest.raises(Refused, match="cannot be opened here"):
            await state_vault(lane, Sealer(alone)).load("t-1")


@pytest.mark.one_server
async def test_no_answer_is_unavailable(
    client: redis.asyncio.Redis, lane: Lane, settings: DealerSettings
) -> None:
    """A server that does not answer in time makes every call UNAVAILABLE, and a later try finds the truth."""
    vault = state_vault(lane)
    opened = await vault.open(OPENING, SEED)
    hasty_lane = Lane(settings.state_url.get_secret_value(), 0.05)
    hasty = state_vault(hasty_lane)
    await client.client_pause(400)
    for call in (
        hasty.load("t-1"),
        hasty.open(OPENING, SEED),
        hasty.append("t-1", opened.mark, DealEntry()),
    ):
        with pytest.raises(Refused, match="send the request again") as refusal:
            await call
        assert refusal.value.reason is Reason.UNAVAILABLE
    await client.client_unpause()
    await hasty_lane.close()
    stored = await vault.load("t-1")
    assert stored is not None
    assert stored.seed == SEED


@pytest.mark.one_server
async def test_a_server_that_cannot_store_is_unavailable(client: redis.asyncio.Redis, lane: Lane) -> None:
    """A full server (noeviction) refuses the write: the hand is not opened, and nothing else disappears."""
    vault = state_vault(lane)
    await client.config_set("maxmemory", "1")
    try:
        with pytest.raises(Refused, match="could not be stored") as refusal:
            await vault.open(OPENING, SEED)
    finally:
        await client.config_set("maxmemory", "0")
    assert refusal.value.reason is Reason.UNAVAILABLE
    assert await vault.load("t-1") is None
