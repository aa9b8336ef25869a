"""Which partition a table belongs to.

All keys of a table share the hash tag of its partition, so one script may touch them all on a Redis
Cluster, and a sweeper has a fixed, small number of deadline sets to look at. Changes with keys.py.
"""

from __future__ import annotations

from zlib import crc32

MAX_PARTITIONS = 1000
"""The tag has three digits."""


def partition_of(table_id: str, partitions: int) -> int:
    """The partition 0..partitions-1 of a table, the same in every process and release."""
    return crc32(table_id.encode()) % partitions


def tag(partition: int) -> str:
    """The hash tag of a partition: 17 -> "{p017}"."""
    return f"{{p{partition:03d}}}"
