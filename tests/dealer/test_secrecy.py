"""Nothing but the answers of the dealer tells a seed or a card."""

from __future__ import annotations

import asyncio
import contextlib
import re
from base64 import b64encode
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast
from urllib.request import urlopen

from servito.dealer.v1.store_pb2 import StoredEntry, StoredHand
from servito_core.cards import format_card
from servito_dealer.adapters.sealer import Sealer
from servito_dealer.app.record import replay
from servito_dealer.app.requests import DealEntry, DrawEntry, Opening
from servito_platform.errors import RpcError
from servito_platform.keys import Keys
from tests.dealer.process import DealerClient, DealerProcess, play

if TYPE_CHECKING:
    import redis.asyncio

    from servito_dealer.settings import DealerSettings

HANDS = [f"t1-{number}" for number in range(5)]
A_CARD = re.compile(r"\b[2-9TJQKA][shdc]\b")


async def test_no_seed_and_no_card_outside_of_the_answers(
    settings: DealerSettings, client: redis.asyncio.Redis, tmp_path: Path
) -> None:
    """After hands, refusals and a damaged record: not in the state server's dump, logs, metrics or error
    texts.
    """
    await client.config_set("rdbcompression", "no")
    log = tmp_path / "log"
    async with DealerProcess(settings, log) as process, DealerClient(process.grpc) as dealer:
        for hand in HANDS:
            await play(dealer, hand)
            await provoke(dealer, hand)
        seeds = {hand: await seed_of(client, settings, hand) for hand in HANDS}
        dump = await dump_of(client)
        await client.lset(Keys(64).hand("t1-0"), 1, "damage")
        with contextlib.suppress(RpcError):
            await dealer.deal("t1-0")
        page = await asyncio.to_thread(read_page, process.metrics)
        await process.terminate()
        texts = [log.read_text(), page, *dealer.errors]
    assert len(dealer.errors) == 5 * len(HANDS) + 1
    assert "seal_alarm" in texts[0]
    for hand, seed in seeds.items():
        deck = replay(seed, Opening(hand, 2, 9, 4), [DealEntry()]).deck
        assert deck is not None
        order = deck.order
        for secret in (seed, seed[:6], bytes(order[:6]), bytes(order[45:51])):
            assert secret not in dump
        for text in texts:
            assert seed.hex() not in text
            assert b64encode(seed).decode() not in text
            assert " ".join(map(format_card, order[:3])) not in text
            assert ", ".join(map(str, order[:4])) not in text
    for text in texts:
        assert not A_CARD.search(text)


async def test_what_is_sealed_holds_no_card(
    settings: DealerSettings, client: redis.asyncio.Redis, tmp_path: Path
) -> None:
    """The stored record is one seed and the requests; even with the key there is no answer in it."""
    async with DealerProcess(settings, tmp_path / "log") as process, DealerClient(process.grpc) as dealer:
        table, _ = await play(dealer, "t1-1")
    first, *rest = await unsealed(client, settings, "t1-1")
    assert len(StoredHand.FromString(first).seed) == 32
    entries = [StoredEntry.FromString(each) for each in rest]
    assert [entry.WhichOneof("entry") for entry in entries] == ["deal"] + ["draw"] * (table.entries - 1)
    assert [entry.draw.entry for entry in entries] == list(range(table.entries))


async def provoke(dealer: DealerClient, hand: str) -> None:
    """Five refusals."""
    draw = DrawEntry(number=1, slot=0, draw=1, count=3)
    for asked in (
        dealer.open(hand, slots=4),
        dealer.draw(hand, replace(draw, slot=1)),
        dealer.draw(hand, replace(draw, number=100)),
        dealer.draw(hand, replace(draw, number=19, excluded=(200,))),
        dealer.deal(f"{hand}x"),
    ):
        with contextlib.suppress(RpcError):
            await asked


async def unsealed(client: redis.asyncio.Redis, settings: DealerSettings, hand: str) -> list[bytes]:
    """What only a holder of the key can read."""
    sealer = Sealer(settings.seal_keys())
    elements = cast("list[bytes]", await client.lrange(Keys(64).hand(hand), 0, -1))
    return [sealer.open(hand, place, element) for place, element in enumerate(elements)]


async def seed_of(client: redis.asyncio.Redis, settings: DealerSettings, hand: str) -> bytes:
    """The seed of a hand."""
    seed: bytes = StoredHand.FromString((await unsealed(client, settings, hand))[0]).seed
    assert len(seed) == 32
    return seed


async def dump_of(client: redis.asyncio.Redis) -> bytes:
    """The state server's whole memory as it would be saved."""
    await client.save()
    where = cast("dict[str, str]", await client.config_get("dir", "dbfilename"))
    return await asyncio.to_thread(Path(where["dir"], where["dbfilename"]).read_bytes)


def read_page(address: str) -> str:
    """The metrics page."""
    with urlopen(f"http://{address}/metrics") as answer:
        text: str = answer.read().decode()
        return text
