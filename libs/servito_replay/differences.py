"""Where a stored hand first differs from what it must be: the kind of difference, the commit, the event."""

from __future__ import annotations

from enum import StrEnum


class Kind(StrEnum):
    """What differs, in the order in which a commit is looked at; sentences for each are the command's."""

    UNREADABLE = "unreadable"
    """The entry holds no commit."""
    MISPLACED = "misplaced"
    """It says that it is another version, or of another hand."""
    GAP = "gap"
    """It does not follow the one before it."""
    BEGINNING = "beginning"
    """The hand's first commit does not begin it, or says nothing of the rules and the players."""
    RULES = "rules"
    """The rules by which it was played are none."""
    NOT_SEALED = "not_sealed"
    """Something was hidden, and nothing was sealed for the auditor."""
    SEAL = "seal"
    """What was sealed does not open, or does not fit what it belongs to."""
    PARTS = "parts"
    """What everybody is told of it is not what was sealed."""
    EVENT = "event"
    """An event cannot have happened in this hand."""
    DECISION = "decision"
    """The rules make something else of what was done, or do not allow it."""
    TO_ACT = "to_act"
    """It says that it is another seat's turn."""
    NO_DIGEST = "no_digest"
    """It changed the hand, and says nothing of the state that it led to."""
    FORM = "form"
    """Its digest is of a form that this release does not know."""
    SHOWN = "shown"
    """It led to another state than is noted, as everybody sees it."""
    WHOLE = "whole"
    """It led to another state than is noted, in what is hidden."""
    AFTER = "after"
    """Something happened in the hand after its end."""
    DEALER = "dealer"
    """The dealer's own record has another card there."""


class Difference(Exception):  # noqa: N818 - it says what is the case
    """The first of them. `event`: its place among the events of the commit, from 0; `detail` says more, in
    English, and names hidden cards where the auditor's key was given.
    """

    def __init__(self, kind: Kind, version: int, event: int | None = None, detail: str = "") -> None:
        super().__init__(f"{kind} at version {version}: {detail}")
        self.kind = kind
        self.version = version
        self.event = event
        self.detail = detail
