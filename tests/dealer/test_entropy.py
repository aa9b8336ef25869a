"""Randomness comes from the operating system or not at all: a failure stops the dealing, and is an alarm."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from structlog.testing import capture_logs

import servito_dealer
from servito_dealer.adapters.entropy import OperatingSystemEntropy
from servito_dealer.adapters.sealer import Sealer
from servito_dealer.app.dealing import Dealing
from servito_dealer.app.ports import Mark
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import DealEntry, DrawEntry, Opening
from tests.dealer.memory import Counts, MemoryVault
from tests.dealer.test_vault import elements_of, state_vault
from tests.source import tree_of

if TYPE_CHECKING:
    import redis.asyncio

    from servito_platform.lane import Lane

OPENING = Opening("t-1", lowest_rank=6, slots=5, draw_max=4)
DRAW = DrawEntry(number=1, slot=0, draw=1, count=3)


class Failing:
    """A source of the operating system that works, until it does not."""

    def __init__(self) -> None:
        self.works = True
        self._count = 0

    def __call__(self, size: int) -> bytes:
        if not self.works:
            raise OSError("getrandom failed")
        self._count += 1
        return self._count.to_bytes(size, "big")


async def test_no_hand_is_opened_without_entropy() -> None:
    """A source that fails: the hand is refused as UNAVAILABLE with an alarm, nothing is stored and nothing
    dealt; hands that were open go on, since they need none; when it works again so does the dealer.
    """
    source, vault = Failing(), MemoryVault()
    dealing = Dealing(vault, OperatingSystemEntropy(source), Counts(), 10)
    await dealing.open_hand(OPENING)
    source.works = False
    other = replace(OPENING, hand="t-2")
    with capture_logs() as logs, pytest.raises(Refused) as refusal:
        await dealing.open_hand(other)
    assert refusal.value.reason is Reason.UNAVAILABLE
    assert [(line["event"], line["log_level"]) for line in logs] == [("entropy_alarm", "critical")]
    assert list(vault.hands) == ["t-1"]
    with pytest.raises(Refused) as refusal:
        await dealing.deal("t-2")
    assert refusal.value.reason is Reason.UNKNOWN_HAND
    await dealing.deal("t-1")
    assert len((await dealing.draw("t-1", DRAW)).cards) == 3
    source.works = True
    await dealing.open_hand(other)


async def test_nothing_is_sealed_without_entropy(client: redis.asyncio.Redis, lane: Lane) -> None:
    """A seal needs random bytes too: where there are none, nothing is written, and it is the same alarm."""
    source = Failing()
    vault = state_vault(lane, Sealer({"k1": bytes(32)}, source))
    opened = await vault.open(OPENING, bytes(32))
    before = await elements_of(client, "t-1")
    source.works = False
    for write in (
        vault.append("t-1", opened.mark, DealEntry()),
        vault.open(replace(OPENING, hand="t-2"), b""),
    ):
        with capture_logs() as logs, pytest.raises(Refused) as refusal:
            await write
        assert refusal.value.reason is Reason.UNAVAILABLE
        assert ("entropy_alarm", "critical") in [(line["event"], line["log_level"]) for line in logs]
    assert await elements_of(client, "t-1") == before
    assert await vault.load("t-2") is None
    source.works = True
    assert isinstance(await vault.append("t-1", opened.mark, DealEntry()), Mark)


def test_there_is_no_other_source() -> None:
    """The dealer's code knows `os.urandom`, in the adapters for seeds and seals, and no other randomness."""
    where, weaker = set(), set()
    root = Path(servito_dealer.__file__).parent
    for path in root.rglob("*.py"):
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [name.name for name in node.names] + [getattr(node, "module", "") or ""]
                weaker |= {"random", "secrets", "uuid", "numpy", "tempfile"} & {
                    name.partition(".")[0] for name in names
                }
            if isinstance(node, ast.Attribute) and node.attr in {"urandom", "getrandom"}:
                where.add(path.relative_to(root).as_posix())
    assert where == {"adapters/entropy.py", "adapters/sealer.py"}
    assert not weaker
