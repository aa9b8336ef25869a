"""The list of recent hands, and what frames the transcript of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from servito_client.messages import Outcome


@dataclass(frozen=True, kw_only=True, slots=True)
class HandTexts:
    """The list of recent hands, and what frames the transcript of one."""

    columns: tuple[str, str, str, str]
    """Of the list: id, when it began, players, how it ended."""
    none: str
    """No hand that is kept."""
    heading: str
    """{hand_id} {ago}"""
    ago: str
    """{time}"""
    cut: str
    """The beginning is gone."""
    runs: str
    """In place of how it ended."""
    runs_still: str
    """The last line of a hand that is not over."""
    ends: Mapping[Outcome.ValueType, str]
