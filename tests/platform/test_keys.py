"""Partitions and key names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from servito_platform import keys as module
from servito_platform.keys import Keys, is_id, table_of
from servito_platform.partitions import partition_of, tag

KEYS = Keys(64)
ids = st.from_regex(r"[A-Za-z0-9_.-]{1,64}", fullmatch=True)


def test_a_table_keeps_its_partition_for_ever() -> None:
    """The partition is part of the stored format: these values may never change."""
    assert [partition_of(table, 64) for table in ("t1", "t2", "roma", "Table_9.b")] == [55, 13, 50, 18]
    assert partition_of("123456789", 1000) == 0xCBF43926 % 1000  # the check value of CRC-32
    assert tag(7) == "{p007}"


def test_tables_spread_over_the_partitions() -> None:
    """Ten thousand numbered tables leave no partition empty and none with twice its share."""
    counts = [0] * 64
    for number in range(10_000):
        counts[partition_of(f"table-{number}", 64)] += 1
    assert min(counts) > 0
    assert max(counts) < 2 * 10_000 / 64


@given(table=ids, player=ids, number=st.integers(0, 10**9))
def test_all_keys_of_a_table_share_its_hash_tag(table: str, player: str, number: int) -> None:
    """On a Redis Cluster one script may touch every key of a table, its partition's and its hands'."""
    partition = KEYS.partition(table)
    names = [*_keys_of_table(table, player, f"{table}-{number}"), *_keys_of_partition(partition)]
    assert {name[: len(tag(0))] for name in names} == {tag(partition)}
    assert len(set(names)) == len(names)


@given(table=ids, number=st.integers(0, 10**9))
def test_a_hand_id_tells_its_table(table: str, number: int) -> None:
    """A dash inside a table's id does not confuse it."""
    assert table_of(f"{table}-{number}") == table


@pytest.mark.parametrize("name", ["", "a b", "a:b", "{p001}", "à", "x" * 65, "a\n"])
def test_what_could_forge_a_key_is_refused(name: str) -> None:
    """An id with a separator, a brace, a space or no character names nothing."""
    assert not is_id(name)
    for make in (KEYS.table, KEYS.events, KEYS.partition, lambda player: KEYS.requests("t1", player)):
        with pytest.raises(ValueError, match="an id is"):
            make(name)


@pytest.mark.parametrize("hand", ["t1", "t1-", "-1", "t1-x", "t1-²", "a:b-1", ""])
def test_a_malformed_hand_id_is_refused(hand: str) -> None:
    """A hand id without table or number reaches no key."""
    with pytest.raises(ValueError, match="a hand id is"):
        KEYS.hand(hand)


def test_the_header_lists_every_key() -> None:
    """The table in the module's docstring has a line for each kind of key that can be made, and no other."""
    listed = set(re.findall(r"^\| `([^`]+)`", module.__doc__ or "", re.MULTILINE))
    partition = KEYS.partition("TABLE")
    made = {
        *_keys_of_table("TABLE", "PLAYER", "TABLE-1"),
        *_keys_of_partition(partition),
        KEYS.taken("WORKER"),
        KEYS.templates(),
        KEYS.looker(),
        KEYS.looker_of_all(),
        KEYS.laid_out(),
        KEYS.maintenance_changes(),
        KEYS.maintenance_asked(),
        KEYS.maintenance_look("WHAT"),
    }
    assert len(made) == len([name for name in vars(Keys) if not name.startswith("_") and name != "partition"])
    names = {
        "TABLE-1": "<hand>",
        "TABLE": "<table>",
        "PLAYER": "<player>",
        "WORKER": "<worker>",
        "WHAT": "<what>",
        tag(partition): "{pNNN}",
    }
    for name, generic in names.items():
        made = {key.replace(name, generic) for key in made}
    assert listed == made


def _keys_of_table(table: str, player: str, hand: str) -> list[str]:
    return [
        KEYS.table(table),
        KEYS.events(table),
        KEYS.requests(table, player),
        KEYS.hand(hand),
    ]


def _keys_of_partition(partition: int) -> list[str]:
    makers = (
        *(KEYS.tables, KEYS.closed, KEYS.deadlines, KEYS.journal, KEYS.carried, KEYS.audit, KEYS.drain),
        *(KEYS.sweep, KEYS.wakeups),
    )
    return [make(partition) for make in makers]
