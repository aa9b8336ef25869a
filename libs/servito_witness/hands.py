"""Whether a stored table plays a hand, and whether it stands still. Changes with store.proto."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito.table.v1 import store_pb2, table_pb2

if TYPE_CHECKING:
    from servito_witness.stored import Partition, StoredHash


def runs(state: store_pb2.StoredTable) -> bool:
    """Whether a hand is being played."""
    return state.HasField("hand") and state.hand.phase != table_pb2.PHASE_OVER


def stands_still(
    partition: Partition, table: StoredHash, state: store_pb2.StoredTable, patience: float
) -> bool:
    """Whether nobody will ever go on by himself: a running hand without a deadline, or a deadline that is due
    for more than `patience` seconds. By the table's own deadline: claims push that of the sorted set on.
    """
    if not table.deadline:
        return runs(state)
    return partition.now - table.deadline > patience * 1000
