"""What the log lines of a call belong to: its method, and the ids that its request names.

At level debug every call has a line of its own when it ends, with its status and nothing else: what was asked
and answered may hold cards.
"""

from __future__ import annotations

import logging
from typing import Any

import structlog

from servito_platform.grpc_handlers import Behaviour, Context, Method
from servito_platform.grpc_metrics import code_of
from servito_platform.log_context import current_ids, current_trace, enter, leave

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class LogLayer:
    """See the module. To be put outside of ErrorLayer, and inside of a TraceLayer, whose span is told the ids
    that are known at the end. Of a stream of requests each has ids of its own, for its handler to say.
    """

    def around(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """`behaviour`, whose lines say what they belong to."""
        if _log.bind().is_enabled_for(logging.DEBUG):
            behaviour = _ending(behaviour)
        rpc = f"{method.service}/{method.name}"
        one = method.kind in ("unary", "server_stream")

        async def told(request: Any, context: Context) -> Any:
            entered = enter(rpc, request if one else None)
            try:
                return await behaviour(request, context)
            finally:
                trace = current_trace()
                if trace is not None:
                    trace.about(current_ids())
                leave(entered)

        return told


def _ending(behaviour: Behaviour) -> Behaviour:
    async def ending(request: Any, context: Context) -> Any:
        try:
            response = await behaviour(request, context)
        except BaseException as error:
            _log.debug("call_ended", code=code_of(error, context).name)
            raise
        _log.debug("call_ended", code="OK")
        return response

    return ending
