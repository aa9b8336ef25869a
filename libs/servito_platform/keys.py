"""Every Redis key of Servito's state, in one place.

| key                         | type   | holds                                                               |
|-----------------------------|--------|---------------------------------------------------------------------|
| `{pNNN}:t:<table>`          | hash   | state of a table: version, encoded state, turn started, deadline    |
| `{pNNN}:e:<table>`          | stream | its events; the id of an entry is `<version>-0`                     |
| `{pNNN}:r:<table>:<player>` | list   | that player's latest requests at the table, but for acts            |
| `{pNNN}:tables`             | zset   | table ids of the partition, all scored 0: pages go by their order   |
| `{pNNN}:closed`             | zset   | the same of tables that are closed, which are not in `tables`       |
| `{pNNN}:deadlines`          | zset   | member `<table>:<turn>`, score = due or claimed until, in server ms |
| `{pNNN}:journal`            | stream | chips that came into or left play: every buy-in and cash-out        |
| `{pNNN}:carried`            | hash   | chips by table id that journal entries moved which the history took |
| `{pNNN}:audit`              | stream | commits until the history took them; hidden parts under a seal      |
| `{pNNN}:drain`              | string | who takes them to the history now; a lease (its streams.py)         |
| `{pNNN}:d:<hand>`           | list   | the dealer's record of a hand; hand id = `<table>-<number>`         |
| `{pNNN}:sweep`              | string | server ms of the latest sweep, and of the latest outage (claim.lua) |
| `partitions`                | string | how many partitions the state was laid out with (laid_out.py)       |
| `templates`                 | hash   | kinds of tables that are kept open, by their ids                    |
| `templates:look`            | string | there for as long as no process needs to look at all of them        |
| `timers:look`               | string | the worker that goes through everything that is stored, for a while |
| `{maintenance}:changes`     | stream | who turned maintenance on and off; the last entry holds             |
| `{maintenance}:asked`       | string | who asked for that last; for a minute                               |
| `{maintenance}:look:<what>` | string | there for as long as no process needs to walk through all tables    |
| `timers:taken:<worker>`     | list   | claims of a sweeper that other workers began to carry out           |
| `{pNNN}:wake`               | (none) | shard channel: `<table> <version> <origin>` after a commit, a hint  |

NNN is the partition of the table id, so that one script may touch all keys of a table. Scripts get every
key from here in KEYS and build none themselves. Changes with the scripts that use the keys (claim.lua, the
table's commit, the history's trim).
"""

from __future__ import annotations

import re
from typing import Final

from servito_platform.partitions import partition_of, tag

_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def is_id(text: str) -> bool:
    """Whether `text` may name a table or a player: 1 to 64 letters, digits, `_`, `.` or `-`."""
    return _ID.fullmatch(text) is not None


class Keys:
    """Key names for a fixed number of partitions. Ids that is_id refuses raise ValueError."""

    def __init__(self, partitions: int) -> None:
        self.partitions = partitions
        self._tags = tuple(tag(partition) for partition in range(partitions))

    def partition(self, table_id: str) -> int:
        """The partition of a table."""
        return partition_of(_checked(table_id), self.partitions)

    def table(self, table_id: str) -> str:
        """State of a table."""
        return f"{self._tag_of(table_id)}:t:{table_id}"

    def events(self, table_id: str) -> str:
        """Events of a table."""
        return f"{self._tag_of(table_id)}:e:{table_id}"

    def requests(self, table_id: str, player: str) -> str:
        """Recent requests of a player at a table, but for acts."""
        return f"{self._tag_of(table_id)}:r:{table_id}:{_checked(player)}"

    def hand(self, hand_id: str) -> str:
        """The dealer's record of a hand, in the partition of its table."""
        return f"{self._tag_of(table_of(hand_id))}:d:{hand_id}"

    def tables(self, partition: int) -> str:
        """Index of a partition's tables that are not closed."""
        return f"{self._tags[partition]}:tables"

    def closed(self, partition: int) -> str:
        """Index of a partition's closed tables."""
        return f"{self._tags[partition]}:closed"

    def deadlines(self, partition: int) -> str:
        """Deadlines of a partition."""
        return f"{self._tags[partition]}:deadlines"

    def journal(self, partition: int) -> str:
        """Money journal of a partition."""
        return f"{self._tags[partition]}:journal"

    def carried(self, partition: int) -> str:
        """Chips that the journal's entries moved which are not there any more, by table id."""
        return f"{self._tags[partition]}:carried"

    def audit(self, partition: int) -> str:
        """Commits of a partition that the history did not take yet."""
        return f"{self._tags[partition]}:audit"

    def drain(self, partition: int) -> str:
        """Lease of whoever takes them there."""
        return f"{self._tags[partition]}:drain"

    def sweep(self, partition: int) -> str:
        """Times of a partition's latest sweep and outage."""
        return f"{self._tags[partition]}:sweep"

    def laid_out(self) -> str:
        """How many partitions there are; of none of them."""
        return "partitions"

    def templates(self) -> str:
        """Kinds of tables that are kept open; of no table, so of no partition."""
        return "templates"

    def looker(self) -> str:
        """Who looked at all templates, not long ago; of no partition either."""
        return "templates:look"

    def maintenance_changes(self) -> str:
        """Changes of maintenance; of no partition, but together with the next two."""
        return "{maintenance}:changes"

    def maintenance_asked(self) -> str:
        """Who asked for one last."""
        return "{maintenance}:asked"

    def maintenance_look(self, what: str) -> str:
        """Who walks through all tables, for this reason."""
        return f"{{maintenance}}:look:{_checked(what)}"

    def taken(self, worker: str) -> str:
        """Claims of a sweeper that other workers began to carry out; of no table, so of no partition."""
        return f"timers:taken:{_checked(worker)}"

    def looker_of_all(self) -> str:
        """Which worker of the timers looks at everything that is stored; of no partition."""
        return "timers:look"

    def wakeups(self, partition: int) -> str:
        """Shard channel of a partition that tells of commits; it may lose some, so it is only a hint."""
        return f"{self._tags[partition]}:wake"

    def _tag_of(self, table_id: str) -> str:
        return self._tags[self.partition(table_id)]


def table_of(hand_id: str) -> str:
    """The table of a hand: "t1-42" -> "t1"; ValueError when `hand_id` is not `<table>-<number>`."""
    table_id, _, number = hand_id.rpartition("-")
    if not (is_id(table_id) and number.isascii() and number.isdigit()):
        raise ValueError("a hand id is <table>-<number>")
    return table_id


def _checked(name: str) -> str:
    if not is_id(name):
        raise ValueError("an id is 1 to 64 letters, digits, '_', '.' or '-'")
    return name
