"""The auditor rebuilds a whole deal from its sealed record, and finds what a player's file has otherwise."""

from __future__ import annotations

import copy
import json
import os
import subprocess
import sys
from base64 import b64encode
from typing import TYPE_CHECKING, Any

import pytest

from servito_client.proof.hashes import framed
from servito_core.cards import deck_from, format_card
from servito_dealer.adapters.sealer import Sealer
from servito_dealer.app.audit import contributed, differences, rebuilt
from servito_dealer.app.dealing import Dealing
from servito_dealer.app.record import replay
from servito_platform.settings import ServiceSettings
from servito_platform.state import new_lane
from tests.dealer.memory import Counts
from tests.dealer.test_vault import state_vault
from tests.proof.hands import ENTROPY, Played, examples

if TYPE_CHECKING:
    from pathlib import Path

KEYS = "k1:" + b64encode(bytes(32)).decode()


@pytest.fixture
def played() -> Played:
    """The hand of six with a refill, to which two players contributed."""
    return examples()["six-players-refill"]


def test_everything_follows_from_the_seed(played: Played) -> None:
    """Seed hash, digest, orders and answers as the page defines them; every card of the deck is there."""
    told = rebuilt(played.record)
    hand, shape = played.opening.hand.encode(), bytes((40, 6, 4, 1))
    seed = bytes.fromhex(told["seed"])
    assert seed == played.seed
    assert framed("seed", hand, shape, seed).hex() == told["seed_hash"]
    contributions = [bytes.fromhex(given) for given in told["contributions"]]
    assert (
        framed("entropy", hand, bytes.fromhex(told["seed_hash"]), *contributions).hex()
        == (told["entropy_digest"])
    )
    deck, refill = told["shuffles"]
    assert sorted(deck["order"]) == sorted(map(format_card, deck_from(5)))
    assert len(refill["order"]) == refill["size"] > 0
    dealt = [position for entry in told["entries"] for position, _ in _cards(entry)]
    assert len(dealt) == len(set(dealt))
    orders = deck["order"] + refill["order"]
    assert all(orders[position] == card for entry in told["entries"] for position, card in _cards(entry))


def _cards(entry: dict[str, Any]) -> list[list[Any]]:
    return entry.get("drawn") or [card for hand in entry["dealt"] for card in hand]


def test_whose_entropy_was_used(played: Played) -> None:
    """The auditor can tell for each slot, given what its player says, and for no other slot."""
    for slot, entropy in enumerate(ENTROPY):
        assert contributed(played.record, slot, entropy) == bool(entropy)
    assert not contributed(played.record, 0, ENTROPY[3])
    assert not contributed(played.record, 3, ENTROPY[0])
    assert not contributed(played.record, 9, ENTROPY[0])


def test_a_players_file_is_compared(played: Played) -> None:
    """Nothing is found in a right one; a card, a root or a seed hash that is another is named."""
    file = played.file()
    assert differences(played.record, file) == []
    wrong = copy.deepcopy(file)
    wrong["record"]["steps"][0]["seed_hash"] = "0" * 64
    wrong["record"]["steps"][0]["root"] = "0" * 64
    wrong["proofs"]["openings"][0]["card"] = "2s"
    said = [line.partition(":")[0] for line in differences(played.record, wrong)]
    assert said == ["seed", "root", f"card at position {wrong['proofs']['openings'][0]['position']}"]
    other = replay(bytes(32), played.opening, played.record.entries)
    assert {line.partition(":")[0].partition(" ")[0] for line in differences(other, file)} >= {"seed", "root"}


async def test_the_tool(state_place: str, tmp_path: Path, played: Played) -> None:
    """As the auditor runs it: with the key all cards of a hand and what a file has otherwise; without
    it, and for a hand that nobody dealt, a sentence and no card.
    """
    lane = new_lane(ServiceSettings(state_url=state_place).state, 5.0)
    try:
        vault = state_vault(lane, Sealer({"k1": bytes(32)}))
        stored = await vault.open(played.opening, played.seed)
        assert stored.seed == played.seed or (await lane.execute("FLUSHALL"))
        dealing = Dealing(vault, None, Counts(), 1)  # type: ignore[arg-type]  # it opens none
        contributions = played.record.source.contributions
        await dealing.deal(played.opening.hand, contributions)
        for entry in played.record.entries[1:]:
            await dealing.draw(played.opening.hand, entry)  # type: ignore[arg-type]  # entry 0 is the deal
    finally:
        await lane.close()
    path = tmp_path / "hand.json"
    path.write_text(json.dumps(played.file()))
    hand = played.opening.hand
    done = audited(state_place, hand, "--file", str(path), "--entropy", f"0={ENTROPY[0].hex()}")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == rebuilt(played.record)
    done = audited(state_place, hand, "--entropy", f"0={ENTROPY[3].hex()}")
    assert done.returncode == 1
    assert "entropy: slot 0 did not contribute" in done.stderr
    assert audited(state_place, "t9-9").returncode == 2
    file = played.file()
    file["record"]["hand"] = "t9-9"
    path.write_text(json.dumps(file))
    done = audited(state_place, hand, "--file", str(path))
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{path} is of hand t9-9\n")
    for content in ("no JSON", "{}", "[]"):
        path.write_text(content)
        done = audited(state_place, hand, "--file", str(path))
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(f"{path} is not what `servito hand export` writes")
    other = audited(state_place, hand, keys="k2:" + b64encode(bytes(range(32))).decode())
    assert (other.returncode, other.stdout) == (2, "")
    assert "cannot be opened" in other.stderr


def audited(state: str, *words: str, keys: str = KEYS) -> subprocess.CompletedProcess[str]:
    """Runs the tool."""
    environment = {**os.environ, "SERVITO_STATE_URL": state, "SERVITO_DEALER_SEAL_KEYS": keys}
    command = [sys.executable, "-m", "servito_dealer.audit", *words]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False, timeout=60)
