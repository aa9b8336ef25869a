"""Seals and a replica that hangs: no card leaves before it has the seed, and the seed stays the same."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from servito_dealer.adapters.entropy import OperatingSystemEntropy
from servito_dealer.adapters.sealer import Sealer
from servito_dealer.adapters.vault import StateVault
from servito_dealer.app.dealing import Dealing
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import DrawEntry, Opening
from servito_local.ports import HOST, Reservations
from servito_platform.firm import new_firm_lane
from servito_platform.keys import Keys
from servito_platform.metrics import new_registry
from servito_platform.place import read_place
from servito_platform.replicas import Replicas
from servito_platform.state import new_lane
from tests.dealer.memory import Counts
from tests.modes.servers import Server, hears
from tests.modes.until import until

if TYPE_CHECKING:
    from pathlib import Path

OPENING = Opening("t-1", lowest_rank=6, slots=5, draw_max=4)
DRAW = DrawEntry(number=1, slot=0, draw=1, count=3)


async def test_a_replica_hangs_and_comes_back(tmp_path: Path) -> None:
    """While it hangs no hand is opened and none gets its first cards, at no dealer; draws of hands that were
    dealt go on. When it is back, a repeat deals from the seed that was stored first, and after the loss of
    the primary the replica has that seed.
    """
    with (
        Reservations() as ports,
        closing(Server(ports.reserve(), tmp_path / "p")) as primary,
        closing(Server(ports.reserve(), tmp_path / "r", replicaof=f"{HOST} {primary.port}")) as replica,
    ):
        until(lambda: hears(primary))
        place = read_place(f"redis://{HOST}:{primary.port}/0")
        lane = new_lane(place, 2.0)
        firm = new_firm_lane(place, 2.0, Replicas(1, 0.2), new_registry())
        assert firm is not None
        vault = StateVault(
            lane, firm, Keys(64), Sealer({"k1": bytes(32)}), keep_seconds=1000, observe=lambda _: None
        )
        one, other = (Dealing(vault, OperatingSystemEntropy(), Counts(), 10) for _ in range(2))
        played = Opening("t-0", lowest_rank=6, slots=5, draw_max=4)
        await one.open_hand(played)
        await one.deal("t-0")

        replica.freeze()
        for asked in (one.open_hand(OPENING), one.deal("t-1"), other.deal("t-1"), other.open_hand(OPENING)):
            with pytest.raises(Refused) as refusal:
                await asked
            assert refusal.value.reason is Reason.UNAVAILABLE
        await one.draw("t-0", DRAW)
        stored = await vault.load("t-1")
        assert stored is not None

        replica.thaw()
        for _ in range(50):
            try:
                opened = await one.open_hand(OPENING)
                break
            except Refused:
                continue
        assert opened.seed_hash == (await other.open_hand(OPENING)).seed_hash
        dealt = await other.deal("t-1")

        primary.kill()
        replica.client.replicaof("NO", "ONE")
        await lane.close()
        promoted = new_lane(read_place(f"redis://{HOST}:{replica.port}/0"), 2.0)
        later = StateVault(
            promoted, None, Keys(64), Sealer({"k1": bytes(32)}), keep_seconds=1000, observe=lambda _: None
        )
        again = await later.load("t-1")
        assert again is not None
        assert again.seed == stored.seed
        assert await Dealing(later, OperatingSystemEntropy(), Counts(), 10).deal("t-1") == dealt
        await promoted.close()
        await firm.close()
