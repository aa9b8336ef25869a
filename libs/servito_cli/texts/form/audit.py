"""What is said about the archive. Changes with Kind and Chain of servito_history.findings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from servito_history.findings import Chain, Kind


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditTexts:
    """See the module."""

    whole: str
    """{tables} {commits} {payments}"""
    broken: str
    """{wrong} and the same."""
    wrong: str
    note: str
    kinds: Mapping[Kind, str]
    """{table} {chain} {first} {last}, and the facts of the kind."""
    chains: Mapping[Chain, str]
    sources: Mapping[str, str]
    """Who noted an end: `head`, `noted`."""
    compared: str
    no_state: str
    not_compared: str
    """{why}"""
    no_servito: str
    unknown_table: str
    """{table}"""
    nowhere: str
    """{variable} {file}"""
    unreadable: str
    """{why}"""
    heads_unreadable: str
    """{file} {why}"""
    no_record: str
    """{hand}"""
    record_written: str
    """{file} {hand}"""
    migrated: str
    """{place}"""
    current: str
    """{place}"""
