"""The state server of the model: the embedded one with the real scripts, a clock that the test moves, and a
replica that lags.

Nothing of a script is altered but its one reading of the clock, and, for a twin, the lines that make it one.
The replica is what the keys of the table's partition were when it last caught up; a failover makes that the
truth.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha1
from typing import TYPE_CHECKING, Any, ClassVar, Final

import hiredis
import redis

from servito.table.v1.store_pb2 import JournalEntry
from servito_platform.redis import pack

if TYPE_CHECKING:
    from servito_platform.keys import Keys
    from servito_platform.redis import Argument, Script

CLOCK: Final = "redis.call('TIME')"
OURS: Final = "redis.call('HMGET', 'clock', 's', 'us')"
Cut = tuple[str, str]
"""Text of a script, and what a twin has in its place."""


@dataclass(frozen=True)
class Row:
    """What the server holds of a table. `begun`: the lineage of its turn; `waits`: when the open ones end, by
    their names; `members`: what the timers would find, likewise; `money`: the sum of the journal.
    """

    version: int
    turn: int
    begun: int
    lineage: int
    stored: bytes
    waits: Mapping[str, int]
    members: Mapping[str, int]
    entry: tuple[bytes, bytes]
    """The latest entry of the stream: its id and what was told."""
    money: int


class Altered:
    """The scripts as they run here, by the texts that the services have."""

    def __init__(self, cuts: Sequence[Cut] = ()) -> None:
        self._cuts = cuts
        self._shas: dict[str, str] = {}

    def text(self, text: str) -> str:
        """With our clock, and with the cuts of a twin."""
        for old, new in ((CLOCK, OURS), *self._cuts):
            text = text.replace(old, new)
        return text

    def command(self, *command: Any) -> tuple[Any, ...]:
        """An EVAL or EVALSHA of a real script as one of the altered script; anything else as it is."""
        if command[0] == "EVAL":
            text = self.text(command[1])
            self._shas[_sha(command[1])] = _sha(text)
            return "EVAL", text, *command[2:]
        if command[0] == "EVALSHA":
            return "EVALSHA", self._shas.get(command[1], command[1]), *command[2:]
        return command


class Connection(redis.Connection):
    """What claims are sent on, which are made by the real code: it sends the scripts altered."""

    altered: ClassVar[Altered]

    def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """See redis-py."""
        reader = hiredis.Reader()
        reader.feed(b"".join([command] if isinstance(command, bytes) else command))
        packed = []
        while (each := reader.gets()) is not False:
            name, *rest = each
            if name in (b"EVAL", b"EVALSHA"):
                name, *rest = self.altered.command(name.decode(), rest[0].decode(), *rest[1:])
            packed.append(pack((name, *rest)))
        send: Any = super().send_packed_command  # published without types
        send(packed, check_health)


class Server:
    """See the module. `now` is its clock, in ms."""

    def __init__(self, url: str, keys: Keys, cuts: Sequence[Cut] = ()) -> None:
        self.altered = Altered(cuts)
        altering: Any = type("Own", (Connection,), {"altered": self.altered})
        self.client: Any = redis.Redis.from_url(url, connection_class=altering)
        self.now = 1_000_000
        self._keys = keys
        self._replica: list[tuple[bytes, int, bytes]] = []
        self._told = False
        self.client.flushdb()
        self.client.script_flush()  # a script that needs no clock has its own name here, altered or not

    def pass_time(self, ms: int) -> None:
        """Move the clock on."""
        self.now += ms
        self._told = False

    def tell_time(self) -> None:
        """Let scripts know what time it is."""
        if not self._told:
            self.client.execute_command("HSET", *self._time())
            self._told = True

    def run(self, script: Script, keys: Sequence[str], args: Sequence[Argument], table_id: str) -> Any:
        """What a lane would be answered, and the table then."""
        command = ("EVALSHA", script.sha, len(keys), *keys, *args)
        reply, row = self._answered(command, table_id)
        if isinstance(reply, redis.exceptions.NoScriptError):
            command = ("EVAL", script.text, len(keys), *keys, *args)
            reply, row = self._answered(command, table_id)
        if isinstance(reply, Exception):
            raise reply
        return reply, row

    def row(self, table_id: str) -> Row | None:
        """The table as it is."""
        return self._answered(("HSET", *self._time()), table_id)[1]

    def _time(self) -> tuple[str | int, ...]:
        return "clock", "s", self.now // 1000, "us", self.now % 1000 * 1000

    def _answered(self, command: tuple[Any, ...], table_id: str) -> tuple[Any, Row | None]:
        """The answer to a command, or the error, and the table after it, in one go: there are many."""
        keys = self._keys
        partition = keys.partition(table_id)
        pipe = self.client.pipeline(transaction=False)
        pipe.execute_command("HSET", *self._time())
        pipe.execute_command(*command)
        pipe.hgetall(keys.table(table_id))
        pipe.zrange(keys.deadlines(partition), 0, -1, withscores=True)
        pipe.xrevrange(keys.events(table_id), count=1)
        pipe.xrange(keys.journal(partition))
        _, reply, held, due, entries, journal = pipe.execute(raise_on_error=False)
        self._told = True
        return reply, _row(held, due, entries, journal) if held else None

    def replicate(self) -> None:
        """The replica catches up."""
        names: list[bytes] = [name for name in self.client.keys("*") if name != b"clock"]
        pipe = self.client.pipeline(transaction=False)
        for name in names:
            pipe.pttl(name)
            pipe.dump(name)
        found = pipe.execute()
        self._replica = list(zip(names, found[::2], found[1::2], strict=True))

    def was_swept(self) -> bool:
        """Whether a sweep was ever noted."""
        return bool(self.client.exists(self._keys.sweep(0)))

    def fail_over(self) -> None:
        """The primary is gone: what the replica has is the truth, and it knows no script."""
        self.client.flushdb()
        self.client.script_flush()
        pipe = self.client.pipeline(transaction=False)
        for name, left, dump in self._replica:
            pipe.restore(name, max(0, left), dump)
        pipe.execute()
        self._told = False


def _row(held: Any, due: Any, entries: Any, journal: Any) -> Row:
    waits = dict(part.split("=") for part in held.get(b"waits", b"").decode().split())
    ends = {name: int(at) for name, at in waits.items()}
    if int(held[b"deadline"]):
        ends[held[b"turn"].decode()] = int(held[b"deadline"])
    [(name, fields)] = entries
    return Row(
        version=int(held[b"v"]),
        turn=int(held[b"turn"]),
        begun=int(held[b"b"]),
        lineage=int(held[b"l"]),
        stored=held[b"s"],
        waits=ends,
        members={member.decode().rpartition(":")[2]: int(score) for member, score in due},
        entry=(name, fields[b"c"]),
        money=sum(JournalEntry.FromString(moved[b"j"]).amount for _, moved in journal),
    )


def _sha(text: str) -> str:
    return sha1(text.encode(), usedforsecurity=False).hexdigest()
