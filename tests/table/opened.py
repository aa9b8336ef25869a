"""Seals of the table service as a test opens them that was given the key: what is stored, whole.

The key is that of development unless another one is given, as `id:base64`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from servito.table.v1.store_pb2 import StoredCommit, StoredTable
from servito_platform.seal_keys import DEVELOPMENT_KEYS, parse_seal_keys
from servito_platform.seals import Seals
from servito_table.adapters.sealing import PURPOSE, Sealing
from servito_table.app.commits import Place
from servito_table.messages.seats import read_hidden_of_seats
from servito_wire.hand import read_hidden
from servito_wire.secrets import joined

Fields = Mapping[bytes, bytes]


def sealing(keys: str = DEVELOPMENT_KEYS, broken: Callable[[str], None] = lambda _why: None) -> Sealing:
    """What seals and opens under these keys."""
    return Sealing(Seals(parse_seal_keys(keys), PURPOSE), broken=broken)


def table_of(table_id: str, held: Fields, keys: str = DEVELOPMENT_KEYS) -> StoredTable:
    """The table in a hash, with everything in it."""
    table = StoredTable.FromString(held[b"s"])
    if table.sealed:
        secrets = sealing(keys).open_table(table_id, _at(held), held[b"s"], table)
        read_hidden_of_seats(table.seats, secrets.seats)
        if table.HasField("hand"):
            read_hidden(table.hand, secrets)
        table.ClearField("sealed")
    return table


def commit_of(table_id: str, fields: Fields, keys: str = DEVELOPMENT_KEYS) -> StoredCommit:
    """The commit in an entry of a table's stream, with everything in it."""
    commit = StoredCommit.FromString(fields[b"c"])
    if commit.sealed:
        at = Place(commit.version, int(fields.get(b"l", 0)))
        commit = joined(commit, sealing(keys).open_commit(table_id, at, fields[b"c"], commit))
        commit.ClearField("sealed")
    return commit


def resealed(
    table_id: str, held: Fields, public: StoredTable, at: Place, keys: str = DEVELOPMENT_KEYS
) -> bytes:
    """`public`, a changed copy of what was read from `held`, with the hidden part of that, stored at
    `at` under the id that it names.
    """
    before = StoredTable.FromString(held[b"s"])
    hidden = sealing(keys).open_table(table_id, _at(held), held[b"s"], before)
    shown = StoredTable()
    shown.CopyFrom(public)
    shown.ClearField("sealed")
    return sealing(keys).table(shown.table_id, at, shown.SerializeToString(), hidden.SerializeToString())


def _at(held: Fields) -> Place:
    return Place(int(held[b"v"]), int(held.get(b"l", 0)))
