"""What the archive costs: entries taken from a state server, chained, inserted, thrown away.

Beside the same rows inserted barely, without a stream, a hash or a look whether they are there; and beside
the same hands played by the rules core alone. Entries are as large as those of real hands. CPU time of this
process; the file is synced as in production, which costs no CPU. A hand has `COMMITS`, as it has on average.
"""

from __future__ import annotations

from functools import partial
from itertools import chain, count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import process_time
from typing import TYPE_CHECKING, Final

import redis
from sqlalchemy import insert

from servito_history import tables
from servito_history.address import file_url, read_history_url
from servito_history.chain import BEGIN
from servito_history.engine import new_engine
from servito_history.rows import Commit, pack
from servito_history.streams import Streams
from servito_history.writing import Archive
from tests.bench import hands
from tests.bench.measure import Row, cpu_rate, interleaved
from tests.bench.rates.valkey import bare_server
from tests.history.entries import events
from tests.history.feeding import KEYS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.bench.measure import Context

SECONDS: Final = 0.5
COMMITS: Final = 18
TABLES: Final = 16
EVENTS_BYTES: Final = 92
SEAL_BYTES: Final = 95
RECORD: Final = (b"r" * 120, b"r" * 88)
"""Of the public events of a commit, of their seal, of a dealer's record; the means of real hands."""


class Drain:
    """A state server and an archive; each `hand` is told to the one beforehand and drained into the other."""

    def __init__(self, client: redis.Redis, archive: Archive) -> None:
        self._client = client
        self._archive = archive
        self._streams = Streams(client, KEYS, worker="bench", lease_seconds=30)
        self._versions = dict.fromkeys(range(TABLES), 0)

    def tell(self) -> None:
        """One more hand of each table waits; this costs the table service, not the drain."""
        with self._client.pipeline(transaction=False) as pipe:
            for table in self._versions:
                for _ in range(COMMITS):
                    self._versions[table] += 1
                    _tell(pipe, f"t{table}", self._versions[table])
            pipe.execute()

    def __call__(self) -> int:
        """Drain all that waits."""
        taken = self._streams.take(list(self._streams.waiting()), 2048)
        self._archive.append([each.commit for found in taken for each in found.commits], [])
        self._streams.trim(taken)
        return sum(map(len, taken)) // COMMITS


def _tell(pipe: redis.client.Pipeline, table: str, version: int) -> None:
    hand, last = divmod(version - 1, COMMITS)
    ends = last == COMMITS - 1
    if ends:
        pipe.rpush(KEYS.hand(f"{table}-{hand + 1}"), *RECORD)
    told = events(hand + 1, ends=ends)
    at = {b"t": table.encode(), b"v": b"%d" % version, b"l": b"%d" % version, b"p": b"%d" % (version - 1)}
    sealed = {b"e": told + b"\x7a" + _filler(len(told)), b"s": b"s" * SEAL_BYTES}
    pipe.execute_command("XADD", KEYS.audit(KEYS.partition(table)), "*", *chain(*(at | sealed).items()))


def _filler(told: int) -> bytes:
    """Field 15 of a StoredCommit, which no release knows: as many bytes as real events have."""
    size = max(0, EVENTS_BYTES - told - 2)
    return bytes((size,)) + b"f" * size


class Bare:
    """The same rows, inserted and nothing more."""

    def __init__(self, directory: Path) -> None:
        place = read_history_url(file_url(directory / "bare.sqlite"))
        Archive(place, seconds=20).prepare()
        self._engine = new_engine(place, seconds=20)
        self._seq = count(1)

    def __call__(self) -> int:
        """A hand of each table."""
        content = pack([("s", b"s" * SEAL_BYTES), ("e", b"e" * EVENTS_BYTES)])
        rows = []
        for _ in range(COMMITS):
            seq = next(self._seq)
            for table in range(TABLES):
                commit = Commit(f"t{table}", seq, seq, seq - 1, seq, 0, seq // COMMITS, content)
                rows.append({**commit._asdict(), "seq": seq, "follows": seq - 1, "hash": BEGIN})
        with self._engine.begin() as sql:
            sql.execute(insert(tables.commits), rows)
        return TABLES


def measure(context: Context) -> Iterator[Row | str]:
    """Hands drained, per second of CPU."""
    rng = Random(7)
    with TemporaryDirectory() as directory, bare_server() as (_, socket):
        archive = Archive(read_history_url(file_url(Path(directory) / "h.sqlite")), seconds=20)
        archive.prepare()
        with redis.Redis(unix_socket_path=str(socket), protocol=2) as client:
            drain = Drain(client, archive)
            seconds = context.seconds(SECONDS)
            works: dict[str, Callable[[], float]] = {
                "drained": partial(drained_rate, drain, seconds),
                "bare": partial(cpu_rate, Bare(Path(directory)), seconds),
                "played": partial(cpu_rate, partial(_played, rng), seconds),
            }
            rates = interleaved(context, works)
            busy = float(client.info("cpu")["used_cpu_user"]) + float(client.info("cpu")["used_cpu_sys"])
        archive.close()
    yield Row(
        f"hands of {COMMITS} commits archived", rates["drained"], "bare inserts of the rows", rates["bare"]
    )
    yield Row("the same", rates["drained"], "hands played by the core alone", rates["played"])
    rows = sum(rates["drained"]) / len(rates["drained"]) * COMMITS
    yield (
        f"  {rows:,.0f} rows for a second of CPU, {1e6 / rows:,.0f} us each; the state server's own "
        f"{busy:.1f} s are for what was told to it as well"
    )


def drained_rate(drain: Drain, seconds: float) -> float:
    """Hands for a second of CPU that went into draining, without what telling of them took."""
    done, took = 0, 0.0
    while took < seconds:
        drain.tell()
        begun = process_time()
        done += drain()
        took += process_time() - begun
    return done / took


def _played(rng: Random) -> int:
    hands.play_hand(hands.NO_LIMIT, rng)
    return 1
