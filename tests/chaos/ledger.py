"""What all players together asked and were answered, kept outside of SDK and services.

Here: every request id with its copies and answers, refusals and lost answers by reason. An answer counts as
given when the table accepted; a later copy that was accepted otherwise is a broken promise, unless a failover
may have lost the first one. Not here: how requests are caught (witness.py), what the table made of them
(checks.py).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from google.protobuf.message import Message

WITHIN = frozenset({"UNAVAILABLE", "CONTENDED", "OUTCOME_UNKNOWN", "INTERNAL"})
"""Refusals that say nothing about the request itself: it is sent again."""


@dataclass(slots=True)
class Asked:
    """One request id. `request` is the message of the RPC `method` (Act over a stream too)."""

    player: str
    table_id: str
    method: str
    request: Message
    copies: int = 0
    """How often it was sent."""
    accepted: list[bytes] = field(default_factory=list)
    """Every answer that accepted it, encoded."""
    times: list[int] = field(default_factory=list)
    """When each of these came, by the machine's clock in ms."""
    refused: list[str] = field(default_factory=list)
    """Reasons of the refusals that were about it."""

    def answer(self, kind: type[Message]) -> Message | None:
        """The first answer that accepted it."""
        return kind.FromString(self.accepted[0]) if self.accepted else None

    @property
    def differs(self) -> bool:
        """Whether copies were accepted with different answers."""
        return len(set(self.accepted)) > 1

    def within(self, spans: Sequence[tuple[int, int]]) -> bool:
        """Whether one of its answers came in one of these spans of time, ms."""
        return any(begin <= moment <= end for moment in self.times for begin, end in spans)


@dataclass
class Ledger:
    """See the module."""

    asked: dict[tuple[str, str], Asked] = field(default_factory=dict)
    """By player and request id."""
    sent: int = 0
    """Messages that carry a request id."""
    refusals: Counter[str] = field(default_factory=Counter)
    refused_copies: Counter[str] = field(default_factory=Counter)
    """Refusals of requests that had been answered for good: the table does not remember acts for ever, and
    whoever has left meanwhile has no seat to act from.
    """
    unanswered: Counter[str] = field(default_factory=Counter)
    """Calls and streams that ended without an answer, by status of the connection."""
    rewinds: Counter[str] = field(default_factory=Counter)
    """By table: snapshots that said so."""
    problems: list[str] = field(default_factory=list)

    def send(self, player: str, table_id: str, method: str, request: Message, request_id: str) -> Asked:
        """A copy is sent now."""
        self.sent += 1
        asked = self.asked.get((player, request_id))
        if asked is None:
            asked = self.asked[player, request_id] = Asked(player, table_id, method, request)
        elif asked.request != request:
            self.problems.append(f"{player} sent two requests of one id: {method}")
        asked.copies += 1
        return asked

    def accept(self, asked: Asked, answer: Message, now_ms: int) -> None:
        """A copy was accepted."""
        asked.accepted.append(answer.SerializeToString(deterministic=True))
        asked.times.append(now_ms)

    def refuse(self, asked: Asked | None, reason: str) -> None:
        """A copy was refused."""
        answered = asked is not None and bool(asked.accepted or asked.refused)
        (self.refused_copies if answered else self.refusals)[reason] += 1
        if asked is not None and reason not in WITHIN:
            asked.refused.append(reason)

    @property
    def repeated(self) -> int:
        """Copies beyond the first of each request."""
        return self.sent - len(self.asked)

    def differing(self, losses: Sequence[tuple[int, int]]) -> list[Asked]:
        """Requests whose copies were accepted differently, none of them while commits may have been lost."""
        return [each for each in self.asked.values() if each.differs and not each.within(losses)]
