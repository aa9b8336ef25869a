"""Hands of the running system, exported and verified by the command, by its players and by a stranger."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from servito_client.client import Servito
from servito_client.messages import HandEnded
from servito_client.updates import Snapshot
from servito_local.system import LocalSystem
from tests.proof.verifiers import alone
from tests.system.test_hands import servito
from tests.system.test_people import table_with_bots

pytestmark = [pytest.mark.system, pytest.mark.timeout(120)]


async def test_a_hand_is_exported_and_verified(system: LocalSystem, tmp_path: Path) -> None:
    """From the table to the verdict: three bots play, one contributes entropy, and a hand is exported by each
    of them and by nobody in particular: both verifiers find all files right and a changed one wrong, and none
    opens a card that its owner was not shown.
    """
    target = system.target("table")
    async with table_with_bots(system, "Sala delle prove", 3, 3) as table_id:
        given = await asyncio.to_thread(
            servito, "entropy", "Sala delle prove", "--player", "bot1", "--text", "dadi", "--target", target
        )
        assert given.returncode == 0, given.stderr
        assert "64616469" in given.stdout
        async with Servito(target) as eve:
            ended = 0
            async for told in eve.watch(table_id):
                events = () if isinstance(told, Snapshot) else told.events
                ended += sum(isinstance(event, HandEnded) for event in events)
                if ended == 2:
                    break
            await eve.acting_as("casa").pause_table(table_id)
            hands = [hand.hand_id async for hand in eve.list_hands(table_id) if hand.finished]
            files = {}
            for player in ("bot0", "bot1", "bot2", None):
                path = tmp_path / f"{player}.json"
                options = ("--file", str(path), "--target", target, *(("--player", player) if player else ()))
                done = await asyncio.to_thread(servito, "hand", "export", hands[0], *options)
                assert done.returncode == 0, done.stderr
                files[player] = json.loads(path.read_text())
            path = tmp_path / "none" / "hand.json"
            done = await asyncio.to_thread(
                servito, "hand", "export", hands[0], "--file", str(path), "--target", target
            )
            assert (done.returncode, done.stderr) == (2, f"{path}: No such file or directory\n")
    opened = {
        player: {(each["seat"], each["card"]) for each in file["proofs"]["openings"]}
        for player, file in files.items()
    }
    shown = opened[None]
    for player, file in files.items():
        assert alone(file, tmp_path) == "OK"
        path = tmp_path / f"{player}.json"
        done = await asyncio.to_thread(servito, "verify", str(path), "--lang", "it")
        assert (done.returncode, "tutto torna" in done.stdout) == (0, True), done.stderr
        own = {each for each in opened[player] if each[0] == file["record"]["own_seat"]}
        assert opened[player] == own | shown
    wrong = files["bot0"]
    wrong["proofs"]["openings"][0]["card"] = "2s"
    path = tmp_path / "wrong.json"
    path.write_text(json.dumps(wrong))
    done = await asyncio.to_thread(servito, "verify", str(path))
    assert done.returncode == 1
    assert "WRONG card: a card is opened as another one than was told" in done.stderr
