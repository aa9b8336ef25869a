"""Signed tokens in the SDK: shown with every call, renewed in time; an expired one ends nothing for good."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_client.errors import Refusal
from servito_platform.caller import Verifier, require_caller
from servito_platform.signed_tokens import SignedTokens
from servito_platform.token_keys import TokenKeys, read_keys
from tests.client.scripted import ScriptedTable, Served, snapshot
from tests.platform.signing import ISSUER, Issuer, jwks


def trusting(issuer: Issuer) -> Verifier:
    """Believes an issuer's tokens, to the second."""
    return SignedTokens(TokenKeys(read_keys(jwks(issuer.jwk()))), issuer=ISSUER, audience="servito")


class Table(ScriptedTable):
    """Refuses who is not known, as the real one does."""

    async def _known(self, _request: Any, _context: Any) -> pb.SitResponse:
        self.callers.append(require_caller())
        return pb.SitResponse(seat=1, version=2)

    Sit = _known  # type: ignore[assignment]  # the only call of these tests


async def test_a_token_is_shown_with_every_call() -> None:
    """A text, and a function that is asked each time; another caller on the same channel shows his own."""
    issuer, table = Issuer(), Table()
    async with Served(table, token=issuer.token("anna"), verify=trusting(issuer)) as servito:
        await servito.sit("t1", buy_in=5)
        names = iter(["bo", "cleo"])
        other = servito.acting_as("bo", token=lambda: issuer.token(next(names)))
        await other.sit("t1", buy_in=5)
        await other.sit("t1", buy_in=5)
    assert table.callers == ["anna", "bo", "cleo"]


async def test_a_token_that_is_renewed_meanwhile_is_tried() -> None:
    """Refused with the old one, the call is sent again with the new one; where there is no other it fails."""
    issuer, table = Issuer(), Table()
    tokens = [issuer.token(seconds=-1), issuer.token(seconds=60)]
    async with Served(
        table, token=lambda: tokens.pop(0) if len(tokens) > 1 else tokens[0], verify=trusting(issuer)
    ) as servito:
        assert (await servito.sit("t1", buy_in=5)).seat == 1
        assert servito.effort.retries == 1
        with pytest.raises(Refusal, match=r"UNAUTHENTICATED.*has expired"):
            await servito.acting_as("anna", token=issuer.token(seconds=-1)).sit("t1", buy_in=5)


@pytest.mark.parametrize("streams", ["play", "watch"])
async def test_a_stream_goes_on_with_a_new_token(streams: str) -> None:
    """The server ends it when its token expires; the SDK comes back with the next one, where it left off."""
    issuer, asked = Issuer(), []

    async def script(told: Any) -> AsyncIterator[Any]:
        asked.append(require_caller())
        if streams == "play":
            await anext(told)
            yield snapshot(len(asked))
        else:
            yield pb.WatchResponse(snapshot=pb.TableView(table_id="t1", version=len(asked)))
        await _for_ever()

    def short_lived() -> str:
        return issuer.token("anna", 0.6)

    table = Table(plays=[script] * 20, watches=[script] * 20)
    async with Served(table, token=short_lived, verify=trusting(issuer)) as servito:
        versions = []
        if streams == "play":
            async with servito.play("t1") as seat:
                async for told in seat:
                    versions.append(told.version)
                    if len(versions) == 3:
                        break
        else:
            async for told in servito.watch("t1"):
                versions.append(told.version)
                if len(versions) == 3:
                    break
    assert versions == [1, 2, 3]
    assert asked == ["anna"] * 3


async def _for_ever() -> None:
    await asyncio.Event().wait()
