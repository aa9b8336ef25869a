"""What seals and the audit stream cost a commit: `python -m tests.bench sealing`.

The commits of random play of five, encoded as the table service does it, one after the other: in the form
before, in which nothing is sealed and nothing goes to the audit stream, and sealed, without and with the
auditor's part. CPU time of this process, the arms in turns, the least of several rounds; beside it what is
stored.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from time import process_time
from typing import TYPE_CHECKING

from servito_platform.audit_seal import AuditSealer, new_auditor_key
from servito_platform.seal_keys import DEVELOPMENT_KEYS, parse_seal_keys
from servito_platform.seals import Seals
from servito_table.adapters.codec import Codec
from servito_table.adapters.schema import FIRST
from servito_table.adapters.sealing import PURPOSE, Sealing
from servito_table.app.commits import Place
from tests.table.room import CONFIG, Room

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from servito_table.app.commits import Commit
    from tests.bench.measure import Context

ACTS, ROUNDS = 400, 9
LINE = "{:<34} {:>11} {:>8} {:>11} {:>9} {:>9} {:>9}"


async def played(acts: int = ACTS) -> list[Commit]:
    """Commits that hand after hand is played by; what no form before could store is left out."""
    room, style = Room(), random.Random(17)
    await room.open(replace(CONFIG, pause_ms=0, seats=5))
    await room.sit(*"abcde")
    for _ in range(acts):
        await room.play_on(style)
    return room.store.commits


def arms() -> dict[str, Callable[[], Codec]]:
    """By name: a process that has not encoded anything yet."""
    seals = Seals(parse_seal_keys(DEVELOPMENT_KEYS), PURPOSE)
    public = new_auditor_key()[1]
    return {
        "nothing sealed": lambda: Codec(FIRST),
        "sealed, no auditor": lambda: Codec(sealing=Sealing(seals)),
        "sealed, and for the auditor": lambda: Codec(sealing=Sealing(seals, AuditSealer("a1", public))),
    }


def seconds(work: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """The least CPU time of each, in turns."""
    least = dict.fromkeys(work, float("inf"))
    for _ in range(rounds):
        for name, run in work.items():
            begun = process_time()
            run()
            least[name] = min(least[name], process_time() - begun)
    return least


def writing(commits: Sequence[Commit], codec: Callable[[], Codec]) -> Callable[[], object]:
    """Encode all, as one process after the other would."""

    def run() -> None:
        own = codec()
        for commit in commits:
            own.written(commit, 7)

    return run


def reading(commits: Sequence[Commit], codec: Callable[[], Codec]) -> Callable[[], object]:
    """Read all tables again."""
    stored = [(codec().written(commit, 7).state, commit) for commit in commits]

    def run() -> None:
        own = codec()
        for state, commit in stored:
            own.decode(state, commit.state.id, Place(commit.version, 7))

    return run


def measure(context: Context) -> Iterator[str]:
    """Microseconds and bytes of one commit, and how many times the unsealed one."""
    commits = asyncio.run(played(context.some(ACTS)))
    rounds = context.some(ROUNDS)
    ways = arms()
    wrote = seconds({name: writing(commits, codec) for name, codec in ways.items()}, rounds)
    read = seconds({name: reading(commits, codec) for name, codec in ways.items()}, rounds)
    count, base = len(commits), wrote["nothing sealed"]
    yield LINE.format("a commit", "written", "ratio", "read", "table", "event", "audit")
    for name, codec in ways.items():
        own = codec()
        written = [own.written(commit, 7) for commit in commits]
        sizes = (
            sum(len(each.state) for each in written),
            sum(len(each.told) for each in written),
            sum(len(each.audit) + len(each.seal) for each in written),
        )
        yield LINE.format(
            name,
            f"{wrote[name] / count * 1e6:.1f} us",
            f"{wrote[name] / base:.2f}",
            f"{read[name] / count * 1e6:.1f} us",
            *(f"{size / count:.0f} B" for size in sizes),
        )
