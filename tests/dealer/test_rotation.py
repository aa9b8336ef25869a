"""Seal keys change while hands are played: no card changes, and no hand is lost while its key is given."""

from __future__ import annotations

import asyncio
from base64 import b64encode
from typing import TYPE_CHECKING

import pytest
from pydantic import SecretStr

from servito_dealer.app.requests import DrawEntry
from servito_platform.errors import RpcError
from servito_platform.metrics_page import read_page
from tests.dealer.process import DealerClient, DealerProcess

if TYPE_CHECKING:
    from pathlib import Path

    from servito_dealer.settings import DealerSettings

OLD, NEW = (f"{name}:{b64encode(bytes([number] * 32)).decode()}" for name, number in (("k1", 1), ("k2", 2)))
DRAW = DrawEntry(number=1, slot=0, draw=1, count=3)
LATER = DrawEntry(number=2, slot=1, draw=1, count=2)


async def test_keys_rotate_in_the_middle_of_a_hand(settings: DealerSettings, tmp_path: Path) -> None:
    """A hand that was opened and dealt under the old key is drawn to under the new one, with the same
    answers before and after. Without the old key it is UNAVAILABLE, with an alarm, until that is given
    again; hands that began after the rotation never need it.
    """
    log = tmp_path / "log"

    def with_keys(*keys: str) -> DealerProcess:
        secret = SecretStr(",".join(keys))
        return DealerProcess(settings.model_copy(update={"dealer_seal_keys": secret}), log)

    async with with_keys(OLD) as process, DealerClient(process.grpc) as dealer:
        opened, dealt = await dealer.open("t1-1", slots=5), await dealer.deal("t1-1")
    async with with_keys(NEW, OLD) as process, DealerClient(process.grpc) as dealer:
        assert await dealer.deal("t1-1") == dealt
        drawn = await dealer.draw("t1-1", DRAW)
        later, dealt_later = await dealer.open("t1-2", slots=5), await dealer.deal("t1-2")
    async with with_keys(NEW) as process, DealerClient(process.grpc) as dealer:
        for asked in (dealer.deal("t1-1"), dealer.draw("t1-1", DRAW), dealer.draw("t1-1", LATER)):
            with pytest.raises(RpcError) as refusal:
                await asked
            assert refusal.value.reason == "UNAVAILABLE"
        assert await dealer.open("t1-2", slots=5) == later
        assert await dealer.deal("t1-2") == dealt_later
        page = await asyncio.to_thread(read_page, process.metrics)
        assert page.total("servito_dealer_alarms_total", alarm="seal") == 3
    assert "seal_alarm" in log.read_text()
    async with with_keys(NEW, OLD) as process, DealerClient(process.grpc) as dealer:
        assert await dealer.open("t1-1", slots=5) == opened
        assert await dealer.draw("t1-1", DRAW) == drawn
        assert len((await dealer.draw("t1-1", LATER)).cards) == 2
