"""Recent hands from the command line, against the running system."""

from __future__ import annotations

import asyncio
import re
import subprocess

import pytest

from servito_client.client import Servito
from servito_client.messages import HandEnded
from servito_client.updates import Snapshot
from servito_local.system import LocalSystem
from tests.system.demo import SERVITO
from tests.system.test_people import table_with_bots

pytestmark = [pytest.mark.system, pytest.mark.timeout(120)]
CARD = r"[2-9TJQKA][♠♣♦♥]"


def servito(*words: str) -> subprocess.CompletedProcess[str]:
    """Runs the command as a person does."""
    return subprocess.run([SERVITO, *words], capture_output=True, text=True, check=False, timeout=60)


async def test_hands_are_listed_and_one_is_shown(system: LocalSystem) -> None:
    """By the name of the table, the newest first; to its player with his cards, to others without, in the
    language that was asked for; a hand that is not kept is refused in words.
    """
    target = system.target("table")
    async with table_with_bots(system, "Sala delle mani", 2, 2) as table_id:
        async with Servito(target) as eve:
            ended = 0
            async for told in eve.watch(table_id):
                events = () if isinstance(told, Snapshot) else told.events
                ended += sum(isinstance(event, HandEnded) for event in events)
                if ended == 3:
                    break
            await eve.acting_as("casa").pause_table(table_id)  # a table keeps its latest hands only
        listed = await asyncio.to_thread(servito, "hand", "list", "Sala delle mani", "--target", target)
        assert listed.returncode == 0, listed.stderr
        numbers = [
            int(number) for number in re.findall(rf"^ *{table_id}-(\d+) ", listed.stdout, re.MULTILINE)
        ]
        assert numbers == sorted(numbers, reverse=True)
        assert len(numbers) >= 3
        assert re.search(r"bot0, bot1|bot1, bot0", listed.stdout)
        hand = f"{table_id}-{numbers[1]}"
        shown = {
            who: await asyncio.to_thread(
                servito, "hand", "show", hand, "--target", target, "--lang", "it", *options
            )
            for who, options in (("bot0", ("--player", "bot0")), ("nobody", ()))
        }
        unknown = await asyncio.to_thread(servito, "hand", "show", f"{table_id}-9999", "--target", target)
    for told_to in shown.values():
        assert told_to.returncode == 0, told_to.stderr
        assert re.search(rf"Sala delle mani, mano {numbers[1]}: 2 giocatori, 24 carte", told_to.stdout)
    dealt = rf"^ +\d+\.\d +bot0 +\d+ +({CARD} ?){{5}}$"
    assert re.search(dealt, shown["bot0"].stdout, re.MULTILINE)
    assert not re.search(dealt, shown["nobody"].stdout, re.MULTILINE)
    assert unknown.returncode == 1
    assert "no longer kept" in unknown.stderr
