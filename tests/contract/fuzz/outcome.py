"""What became of fuzzed requests: counted by reason, and every answer that breaks the contract kept."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import grpc
from google.rpc.status_pb2 import Status

from servito_wire.refusals import refusal_from_proto, refusal_of

if TYPE_CHECKING:
    from grpc import aio

    from servito.table.v1 import refusal_pb2
    from tests.contract.promises import Rpc

NEVER: Final = frozenset({"INTERNAL", "OUTCOME_UNKNOWN"})
"""Documented, and not to be met while nothing is broken."""
KEPT: Final = 20


@dataclass
class Outcomes:
    """Of one rpc."""

    rpc: Rpc
    counted: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def answered(self) -> None:
        """It was done."""
        self.counted["OK"] += 1

    def failed(self, error: aio.AioRpcError, sent: bytes) -> None:
        """The call ended with a status."""
        refused = refusal_of(error)
        if refused is None:
            self._fault(f"{error.code().name} without ErrorInfo: {error.details()!r}", sent)
            return
        self._refused(refused.reason, refused.message, sent)
        if error.code() in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN):
            self._fault(f"{error.code().name}: {error.details()!r}", sent)

    def refused_inside(self, refusal: refusal_pb2.Refusal, sent: bytes) -> None:
        """An answer in a stream."""
        self._refused(refusal_from_proto(refusal).reason, refusal.message, sent)

    def carried(self, status: bytes, sent: bytes) -> None:
        """An answer to a call inside of a stream: a status, or nothing where it was done."""
        code = Status.FromString(status).code if status else grpc.StatusCode.OK.value[0]
        name = next(each.name for each in grpc.StatusCode if each.value[0] == code)
        self.counted[name] += 1
        if name in ("INTERNAL", "UNKNOWN"):
            self._fault(f"{name} inside: {status!r}", sent)

    def silent(self, sent: bytes) -> None:
        """No answer by the deadline."""
        self._fault("no answer by the deadline", sent)

    def _refused(self, reason: str, message: str, sent: bytes) -> None:
        self.counted[reason] += 1
        if reason not in self.rpc.refusals:
            self._fault(f"{reason} is not in the comment of {self.rpc.name}: {message}", sent)
        elif reason in NEVER:
            self._fault(f"{reason}: {message}", sent)
        elif not message:
            self._fault(f"{reason} without a word", sent)

    def _fault(self, what: str, sent: bytes) -> None:
        self.counted["fault"] += 1
        if len(self.faults) < KEPT:
            self.faults.append(f"{what} <- {sent[:300]!r}")

    def __str__(self) -> str:
        return f"{self.rpc.name}: " + ", ".join(f"{name} {n}" for name, n in self.counted.most_common())
