"""Every rpc succeeds over the wire, and where it carries a request id, a repeat gets the same answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tests.contract.general import table_of
from tests.contract.promises import fields_named, promises
from tests.contract.registry import registry

if TYPE_CHECKING:
    from tests.contract.stage import Stage

RPCS: Final = promises()


@pytest.mark.parametrize("rpc", RPCS)
async def test_succeeds(stage: Stage, rpc: str) -> None:
    """Asked twice with one request id it answers twice the same, and does once what it was asked for."""
    case = registry().successes.get(rpc)
    if case is None:
        pytest.fail(f"no case of success of {rpc}: write @succeeds({rpc!r}) in tests/contract/cases")
    asked = await case(stage)
    answer = await stage.ask(RPCS[rpc], asked)
    assert answer.DESCRIPTOR.full_name == RPCS[rpc].method.output_type.full_name
    if fields_named(asked.request.DESCRIPTOR, "request_id", depth=0):
        version = (await stage.stored(table_of(asked)))[b"v"] if table_of(asked) else b""
        assert await stage.ask(RPCS[rpc], asked) == answer
        assert not version or (await stage.stored(table_of(asked)))[b"v"] == version
