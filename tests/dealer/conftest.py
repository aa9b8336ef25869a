"""The dealer's settings on the real state server, which is emptied for each of its tests."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, cast

import pytest
from pydantic import SecretStr

from servito_dealer.settings import DealerSettings
from servito_platform.clients import state_client
from servito_platform.state import new_lane
from tests.modes.empty import empty

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    import redis.asyncio

    from servito_platform.lane import Lane

KEY = b64encode(bytes(range(32))).decode()


@pytest.fixture
def settings(state_place: str) -> DealerSettings:
    """Settings of a dealer that uses it, empty; patient, because the machine may be busy."""
    empty(state_place)
    return DealerSettings(
        state_url=SecretStr(state_place),
        state_timeout=5.0,
        dealer_seal_keys=SecretStr(f"k1:{KEY}"),
    )


@pytest.fixture
async def client(settings: DealerSettings) -> AsyncIterator[redis.asyncio.Redis]:
    """A client on the server, which is empty and knows no script."""
    client = cast("redis.asyncio.Redis", state_client(settings))  # of a Cluster: it knows the same commands
    yield client
    await client.aclose()


@pytest.fixture
async def lane(settings: DealerSettings, client: redis.asyncio.Redis) -> AsyncIterator[Lane]:
    """The dealer's connection to that server."""
    lane = new_lane(settings.state, settings.state_timeout)
    yield lane
    await lane.close()
