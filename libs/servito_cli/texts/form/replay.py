"""What `servito hand replay` and `servito audit export` say of the archive."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from servito_replay.differences import Kind


@dataclass(frozen=True, kw_only=True, slots=True)
class ReplayTexts:
    """What is said of stored hands."""

    heading: str
    """{hand_id} {when}: the time in UTC."""
    same: str
    """{commits} {events}: every state is as it was noted."""
    whole: str
    """Hidden cards were looked at as well."""
    open: str
    """Only what everybody may know was looked at."""
    dealer: str
    """{cards}: they lay where the dealer's record has them."""
    runs: str
    """The last line of a hand that is not over in the archive."""
    lost: str
    """{commits}: of a branch that a failover lost."""
    only_lost: str
    """{hand_id}: every commit of it was lost by a failover."""
    differs: str
    """{version} {what}"""
    differs_at: str
    """{version} {event}: which of its events, from 1; {what}"""
    kinds: Mapping[Kind, str]
    unknown: str
    """{hand_id}"""
    no_id: str
    """{hand_id}"""
    stranger: str
    """{player} {hand_id}"""
    key_needed: str
    """What a player was told takes the auditor's key."""
    no_archive: str
    """No address was given."""
    unusable: str
    """{why}"""
    no_key: str
    """{file} {why}"""
    no_lines: str
    """{file} {why}"""
    no_deal: str
    """{file} {why}: of the dealer's record."""
    written: str
    """{lines} {commits}"""
    broken: str
    """{table} {what}: writing ended at a commit that cannot be read."""
    nothing: str
    """Nothing in the archive fits."""
