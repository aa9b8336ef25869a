"""No hidden card reached anybody: many hands, everybody listening, everything searched.

TAINT_HANDS=3000 plays so many; `make taint` does.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING
from unittest.mock import patch

import pytest

from servito_core.cards import format_cards
from servito_dealer.app.dealing import Dealing
from servito_table.adapters.codec import Codec
from tests.taint import twice
from tests.taint.detector import in_logs
from tests.taint.game import Game
from tests.taint.house import House
from tests.taint.hunt import RULES, Hunt, hunt
from tests.taint.logs import captured

if TYPE_CHECKING:
    from servito_table.app.state import TableState

HANDS = int(os.environ.get("TAINT_HANDS", "40"))
PER_TABLE = 10
ROUNDS = max(1, HANDS // (PER_TABLE * len(RULES)))


@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("rules", sorted(RULES))
async def test_no_hidden_card_reached_anybody(rules: str, request: pytest.FixtureRequest) -> None:
    """Tables of two to nine players, each with Watch and Play, a spectator, an outsider and the timers: what
    they were sent, answered and refused, all logs and metrics hold nothing that their reader may not know;
    and players are told their own cards, and everybody those that are shown.
    """
    hunted = Hunt()
    for number in range(ROUNDS):
        seed = f"{rules}/{number}"
        players = 2 + (number * 5 + sorted(RULES).index(rules)) % 8
        hunted.add(await hunt(seed, players, RULES[rules], min(PER_TABLE, HANDS // len(RULES))))
        assert hunted.findings == [], seed
    request.node.add_report_section("call", "searched", str(dict(hunted.searched)))
    hands = hunted.searched["hands"]
    assert hands >= 4
    assert hunted.searched["messages"] > 30 * hands
    assert hunted.searched["cards named"] > 100 * hands
    assert hunted.searched["hands shown"]
    assert hunted.searched["refusals"]


PAIRS = max(8, HANDS // 5)


@pytest.mark.timeout(7_200)
async def test_a_hidden_card_changes_no_byte_for_others(request: pytest.FixtureRequest) -> None:
    """The same game with one dealt and one undealt card changed for each other: all others receive the same
    bytes until one of them is shown, logs and counts are the same; also what they are told who ask whether
    these cards are held.
    """
    compared, shown, messages = 0, 0, 0
    for number in range(PAIRS):
        rules = RULES[sorted(RULES)[number % len(RULES)]]
        table = (f"pair/{number}", 2 + number % 7, rules)
        swap = twice.swap_for(await twice.run(*table, hands=1), number)
        if swap is None:
            continue
        first, second = await twice.run(*table, swap), await twice.run(*table, swap, laid=True)
        if not twice.comparable(first, second, swap):
            continue
        assert list(twice.differences(first, second, swap)) == [], (table, swap)
        compared += 1
        shown += twice.told_until(first, second, swap) != twice.NEVER
        messages += sum(len(viewer.receipts) for viewer in first.game.everybody)
    request.node.add_report_section("call", "compared", f"{compared} games, {messages} messages")
    assert compared > PAIRS // 2
    assert 0 < shown < compared


async def test_a_fault_that_holds_cards_tells_none() -> None:
    """An exception whose text names everybody's cards, in the dealer and in the table service: callers get an
    incident, the log its place, and neither a card.
    """
    with captured() as logs:
        house = House("faults")
        game = Game(house, "faults", 4, RULES["free"])
        await game.open()
        await game.play_hand()
        held = game.truth.hand

        def fail(*_args: object) -> object:
            raise ValueError(f"{held.held} {[format_cards(cards) for cards in held.held.values()]}")  # type: ignore[arg-type]  # cards

        def fail_to_encode(_codec: Codec, _state: TableState) -> bytes:
            raise ValueError(str(held.held))

        with patch.object(Dealing, "prove", fail), patch.object(Codec, "encode", fail_to_encode):
            await game.look_around(1)
            for viewer in game.seated:
                await viewer.stand()
        await game.settle()
        await game.close()
    assert sum("incident" in line for line in logs) >= len(game.seated)
    assert list(in_logs(logs, game.truth)) == []
    refused = [receipt for viewer in game.seated for receipt in viewer.receipts if "incident" in receipt.text]
    assert len(refused) >= len(game.seated)
    found = Hunt()
    found.search(game)
    assert found.findings == []
