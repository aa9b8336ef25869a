"""Both ways in which a bench's player looks at his turn say the same."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import TYPE_CHECKING

from servito.table.v1 import table_pb2 as pb
from servito_core.hand import legal_actions
from servito_core.rules import preset
from servito_platform.seal_keys import DEVELOPMENT_KEYS, parse_seal_keys
from servito_platform.seals import Seals
from servito_table.adapters.codec import Codec
from servito_table.adapters.sealing import PURPOSE, Sealing
from servito_table.app.commits import Place
from servito_wire.offers import offer_to_bytes
from tests.bench.rates.acting import Offered, action_for
from tests.bench.rates.seats import PRESET
from tests.bench.rates.stored import Reader
from tests.bench.sealing import played

if TYPE_CHECKING:
    from collections.abc import Iterator

    from servito_core.state import HandState
    from servito_table.app.commits import Commit
    from tests.bench.rates.stored import Stored

SEALING = Sealing(Seals(parse_seal_keys(DEVELOPMENT_KEYS), PURPOSE))
READER = Reader(SEALING, preset(PRESET))
LINEAGE = 7


def stored(commits: list[Commit]) -> Iterator[tuple[HandState | None, Stored | None]]:
    """The running hand of each, and what is read of its stored table."""
    codec = Codec(sealing=SEALING)
    for commit in commits:
        written = codec.written(commit, LINEAGE).state
        yield commit.state.running, READER.choices(written, Place(commit.version, LINEAGE))


async def test_a_stored_table_says_what_its_offer_says() -> None:
    """At every turn of random play the action is the one that the core's offer leads to, by any chance."""
    kinds: Counter[pb.ActionKind.ValueType] = Counter()
    for hand, choices in stored(await played()):
        if hand is None or hand.to_act is None:
            assert choices is None
            continue
        assert choices is not None
        player = hand.players[hand.to_act]
        offer = legal_actions(hand, player.seat)
        assert choices.seat == player.seat
        assert offer is not None
        offered = Offered(pb.Offer.FromString(offer_to_bytes(offer, 1, 0)), player.cards)
        for chance in range(8):
            action = action_for(choices, Random(chance))
            assert action == action_for(offered, Random(chance))
            kinds[action.kind] += 1
    assert set(kinds) == {
        pb.ACTION_KIND_OPEN,
        pb.ACTION_KIND_PASS,
        pb.ACTION_KIND_CHECK,
        pb.ACTION_KIND_CALL,
        pb.ACTION_KIND_FOLD,
        pb.ACTION_KIND_BET,
        pb.ACTION_KIND_RAISE,
        pb.ACTION_KIND_DRAW,
    }
