"""What may be asked of a list of tables: the filter of ListTables, as keyword arguments.

The meaning of every field is written in table.proto; all that is given has to hold."""

from __future__ import annotations

from typing import TypedDict

from servito_client.messages import TableStatus


class Filter(TypedDict, total=False):
    """Without a status: every table that is not closed. A range without an end has no limit there."""

    preset: str
    name_contains: str
    status: TableStatus.ValueType
    with_free_seat: bool
    template_id: str
    least_ante: int
    most_ante: int
    least_buy_in: int
    most_buy_in: int
