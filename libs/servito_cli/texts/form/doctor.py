"""What `servito doctor` says: of each finding what is wrong, what follows from it, what to do.

Changes with Check, Kind and Risk of the doctor and the platform: the maps hold each of their values, with the
facts that are named there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from servito_local.doctor.findings import Check, Kind
from servito_platform.safety.names import Risk


@dataclass(frozen=True, slots=True)
class Said:
    """Of one finding."""

    what: str
    follows: str
    do: str


@dataclass(frozen=True, kw_only=True, slots=True)
class DoctorTexts:
    """See the module."""

    checks: Mapping[Check, str]
    """{number}: how much was looked at."""
    not_made: str
    """A check that hangs on a server that does not answer."""
    well: str
    note: str
    warning: str
    wrong: str
    all_well: str
    sum_up: str
    """{wrong} {warnings}"""
    kinds: Mapping[Kind, Said]
    """All but UNSAFE, which has its words by the risk."""
    phrases: Mapping[str, str]
    """What facts may begin with, by the English words for it: which server, which calls."""
    risks: Mapping[Risk, Said]
    """{what}"""
