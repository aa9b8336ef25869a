"""The list of tables, and a table that is drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from servito_client.messages import Phase, SitOutReason, TableStatus


@dataclass(frozen=True, kw_only=True, slots=True)
class TableTexts:
    """The list of tables, and a table that is drawn."""

    columns: tuple[str, str, str, str, str, str, str, str]
    """Of the list: id, name, rules, seats, buy-in, clock, hands, status."""
    statuses: Mapping[TableStatus.ValueType, str]
    """In the list, and above a table that is drawn; open ones are not marked."""
    maintenance: str
    """There as well, behind the status."""
    none: str
    """No table at all."""
    connecting: str
    heading: str
    """{name} {preset} {number} {cards} {ranks}"""
    heading_before: str
    """{name} {preset}: no hand so far."""
    free: str
    bet: str
    """{amount}"""
    button: str
    """One letter or two that mark the button's seat."""
    you: str
    """Follows the name of the own seat."""
    pot: str
    """{amount}"""
    carried: str
    """{amount}"""
    stock: str
    """{count}"""
    phases: Mapping[Phase.ValueType, str]
    requirement: str
    """{requirement}; shown until somebody has opened."""
    clock: str
    """{seconds}"""
    clock_more: str
    """{seconds} {left}: with a time bank."""
    folded: str
    all_in: str
    pat: str
    drew: str
    """{count}"""
    owed: str
    """{count}"""
    left: str
    not_dealt: str
    """Sits there, but is not in this hand."""
    sits_out: Mapping[SitOutReason.ValueType, str]
    """Is not dealt in from the next hand on."""
    waiting: str
    """{names}: who waits for a seat."""
    offered: str
    """{name} {seat}: somebody of these for whom a seat is held."""
