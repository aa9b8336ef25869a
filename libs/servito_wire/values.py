"""Hand values as the state server keeps them: `HandValue` <-> `StoredHandValue`, exactly.

Not here: the evaluator's form (`evaluator`). Changes with servito_core/values.py.
"""

from __future__ import annotations

from servito.table.v1.store_pb2 import StoredHandValue
from servito_core.values import Category, HandValue, SfKind


def value_to_proto(value: HandValue) -> StoredHandValue:
    """Write a value."""
    return StoredHandValue(
        category=value.category,
        straight_flush_kind=value.kind or 0,
        ranks=bytes(value.ranks),
        suit=value.suit,
    )


def value_from_proto(stored: StoredHandValue) -> HandValue:
    """Read a value; ValueError for a category or kind that does not exist."""
    kind = SfKind(stored.straight_flush_kind) if stored.straight_flush_kind else None
    suit = stored.suit if stored.HasField("suit") else None
    return HandValue(Category(stored.category), tuple(stored.ranks), kind, suit)
