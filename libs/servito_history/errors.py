"""What may go wrong with an archive, each with a text for people that holds no password and no row."""

from __future__ import annotations


class HistoryUnusable(Exception):  # noqa: N818 - it says what is the case
    """The address names no archive, or what is there is none: nobody should try again by himself."""


class HistoryAway(Exception):  # noqa: N818 - it says what is the case
    """The archive does not answer, or not in time: trying again later may help. What was written is unknown,
    and may be written again.
    """


class HistoryRefused(Exception):  # noqa: N818 - it says what is the case
    """The archive answered, and did not take these rows; nothing of them is written."""
