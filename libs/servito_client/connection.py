"""One channel to the table service and one player's credentials; what calls and streams stand on.

Here: metadata, deadlines of unary calls and their repetition. Several players of one process may share the
channel. Not here: which calls there are (client.py).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

from grpc import StatusCode, aio

from servito_client.errors import TableError, error_of
from servito_client.retries import Backoff, Effort, RetryPolicy, repeated
from servito_client.spans import calling, opening
from servito_platform.trace_context import METADATA

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

    from servito.table.v1.table_pb2_grpc import TableServiceAsyncStub

Request = TypeVar("Request")
Answer = TypeVar("Answer")
Metadata = tuple[tuple[str, str], ...]


def fresh_id() -> str:
    """A request id that nobody else uses."""
    return uuid4().hex


@dataclass(frozen=True, slots=True)
class Connection:
    """The table service as one caller reaches it.

    `new_id` and `rng` (jitter of pauses) may be given by tests.
    """

    stub: TableServiceAsyncStub
    token: Callable[[], str]
    """The token to be shown now, "" for none."""
    policy: RetryPolicy
    effort: Effort
    tracer: Tracer | None = None
    """Where calls are traced; None: they are not."""
    new_id: Callable[[], str] = fresh_id
    rng: Random = field(default_factory=Random)

    @property
    def metadata(self) -> Metadata:
        """What a call carries now."""
        token = self.token()
        return (("authorization", f"Bearer {token}"),) if token else ()

    @property
    def opening(self) -> Metadata:
        """What a stream carries besides that is opened now."""
        return () if self.tracer is None else opening()

    def failure(self, failed: aio.AioRpcError, shown: Metadata) -> TableError:
        """What became of a call that showed this. Whose token has been renewed meanwhile tries again."""
        error = error_of(failed)
        if failed.code() is StatusCode.UNAUTHENTICATED and self.metadata != shown:
            error.retryable = True
        return error

    def backoff(self) -> Backoff:
        """The pauses of one stream."""
        return Backoff(self.policy, self.effort, self.rng)

    async def ask(self, method: aio.UnaryUnaryMultiCallable[Request, Answer], request: Request) -> Answer:
        """The answer to `request`, sent again while that may help; `Refusal` or `Unanswered` else."""
        if self.tracer is None:
            return await self._ask(method, request, ())
        with calling(self.tracer, request) as traceparent:
            return await self._ask(method, request, ((METADATA, traceparent),) if traceparent else ())

    async def _ask(
        self, method: aio.UnaryUnaryMultiCallable[Request, Answer], request: Request, traced: Metadata
    ) -> Answer:
        async def once() -> Answer:
            shown = self.metadata
            try:
                return await method(
                    request,
                    metadata=(*shown, *traced),
                    timeout=self.policy.call_timeout,
                    wait_for_ready=True,
                )
            except aio.AioRpcError as failed:
                raise self.failure(failed, shown) from failed

        return await repeated(once, self.policy, self.effort)
