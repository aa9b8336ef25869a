"""The table service over gRPC, for threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, cast

import grpc
import structlog

from servito.table.v1 import table_pb2, table_pb2_grpc
from servito_platform.log_context import trace_metadata
from servito_platform.own_token import Metadata
from servito_timers.app.ports import Result, TableAway

_RESULTS: Final = {
    table_pb2.EXPIRE_RESULT_EXPIRED: Result.EXPIRED,
    table_pb2.EXPIRE_RESULT_STALE: Result.STALE,
    table_pb2.EXPIRE_RESULT_NOT_DUE: Result.NOT_DUE,
    table_pb2.EXPIRE_RESULT_FAILED: Result.FAILED,
}
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class GrpcTable:
    """See `app.ports.Table`. `seconds`: deadline of a call, in which it also waits for a connection; `shows`:
    the metadata by which the worker is let in."""

    def __init__(self, channel: grpc.Channel, *, shows: Callable[[], Metadata], seconds: float) -> None:
        self._expire = table_pb2_grpc.TableServiceStub(channel).ExpireDeadlines
        self._shows = shows
        self._seconds = seconds

    def expire(self, members: Sequence[str]) -> Sequence[Result]:
        """See Table. A result that this release does not know counts as failed: its deadline comes back."""
        request = table_pb2.ExpireDeadlinesRequest(members=members)
        shown = (*self._shows(), *trace_metadata())
        try:
            answer = self._expire(request, timeout=self._seconds, metadata=shown, wait_for_ready=True)
        except grpc.RpcError as error:
            code = cast("grpc.Call", error).code()  # what a blocking call raises is the call itself
            _log.warning("expire_call_failed", code=code.name, deadlines=len(members))
            raise TableAway from error
        _log.debug("deadlines_carried_out", deadlines=len(members))
        return [_RESULTS.get(result, Result.FAILED) for result in answer.results]
