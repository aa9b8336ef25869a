"""A failover lost the end of a hand that was archived already: the branch that stayed is told and found
right, the other one is kept, and left out.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from servito_cli.history.export import Wanted, run_export
from servito_cli.history.replay import Asked
from servito_cli.texts import Language
from servito_history.reading import open_history
from servito_platform.seal_keys import DEVELOPMENT_KEYS, parse_seal_keys
from servito_platform.seals import Seals
from servito_replay.entries import Entry, read_all
from servito_replay.folding import folded
from servito_table.adapters.codec import Codec
from servito_table.adapters.sealing import PURPOSE, Sealing
from tests.replay.archived import archive, auditor_key
from tests.replay.stored import OPENER, SEALER
from tests.replay.transcripts import said
from tests.table.room import CONFIG, Room

if TYPE_CHECKING:
    from pathlib import Path

    from servito_table.app.commits import Known


SEALS = Seals(parse_seal_keys(DEVELOPMENT_KEYS), PURPOSE)


@dataclass
class Drained:
    """What a drain took of the twin of the state server, commit after commit, the lost ones as well."""

    room: Room
    codec: Codec = field(default_factory=lambda: Codec(sealing=Sealing(SEALS, SEALER)))
    entries: list[Entry] = field(default_factory=list)
    _taken: int = 0

    def take(self) -> None:
        """All that was made since."""
        store = self.room.store
        for commit in store.commits[self._taken :]:
            table, version = commit.state.id, commit.version
            lineage = store.made[table, version]
            written = self.codec.written(commit, lineage)
            parent = 0 if commit.before is None else commit.before.lineage
            self.entries.append(
                Entry(table, version, lineage, parent, 1_000 * len(self.entries), written.audit, written.seal)
            )
        self._taken = len(store.commits)

    def lose(self, now: Known) -> None:
        """A failover: what was made after `now` never was."""
        self.room.store.lose(now)
        self._taken = len(self.room.store.commits)


async def acts(drained: Drained, room: Room, style: random.Random, most: int) -> None:
    """So many acts, or until the hand is over."""
    for _ in range(most):
        if room.state.running is None:
            return
        await (room.due() if room.wait.seat is None else room.play_on(style))
        drained.take()


async def lost_in_a_hand() -> tuple[Drained, int]:
    """A hand of which the failover lost three acts, and what was drained; its number."""
    drained = Drained(Room())
    room = drained.room
    await room.open(replace(CONFIG, options={"open.requirement": "none"}, pause_ms=1_000))
    await room.sit("ann", "bob", "cat")
    await room.due()
    drained.take()
    number = room.hand.number
    await acts(drained, room, random.Random(1), 3)
    before = room.known
    await acts(drained, room, random.Random(2), 3)
    assert room.known.version > before.version
    drained.lose(before)
    await acts(drained, room.other(), random.Random(5), 200)
    assert room.state.running is None
    return drained, number


async def test_the_branch_that_stayed_is_told(tmp_path: Path) -> None:
    """Whole and as everybody may know it; the command says how many commits were lost."""
    drained, number = await lost_in_a_hand()
    table = drained.room.table_id
    url = archive(tmp_path / "history.sqlite", drained.entries)
    with open_history(url) as history:
        entries = [Entry.of(row) for row in history.hand(table, number)]
    lost = sum(entry.lost for entry in entries)
    assert lost >= 1
    for opener in (None, OPENER):
        steps = list(folded(read_all(entries, opener), number))
        assert steps[-1].hand.outcome is not None
        assert len(steps) == len(entries) - lost
    asked = Asked(f"{table}-{number}", history=url, key=auditor_key(tmp_path))
    text = said(asked, Language.EN)
    assert f"{lost} commits of a branch that a failover lost" in text
    assert text.endswith("exit 0\n")


async def test_what_was_lost_is_exported_on_demand(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else it is not, since the same versions are there once more."""
    drained, _ = await lost_in_a_hand()
    url = archive(tmp_path / "history.sqlite", drained.entries)
    counts = []
    for lost in (False, True):
        assert run_export(Wanted(history=url, lost=lost), Language.EN) == 0
        lines = capsys.readouterr().out.splitlines()
        counts.append((len(lines), sum('"lost":true' in line for line in lines)))
    (kept, none), (everything, some) = counts
    assert none == 0
    assert everything - kept == some > 0
