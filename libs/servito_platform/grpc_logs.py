"""What the log lines of a call belong to: its method, and the ids that its request names.

At level debug every call has a line of its own when it ends, with its status and nothing else: what was asked
and answered may hold cards.
"""

from __future__ import annotations

from typing import Any

import structlog

from servito_platform.grpc_handlers import Behaviour, Context, Method
from servito_platform.grpc_metrics import code_of
from servito_platform.log_context import enter, leave

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class LogLayer:
    """See the module. To be put outside of ErrorLayer. Of a stream of requests each has ids of its own, which
    is for its handler to say.
    """

    def around(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """`behaviour`, whose lines say what they belong to."""
        rpc = f"{method.service}/{method.name}"
        one = method.kind in ("unary", "server_stream")

        async def told(request: Any, context: Context) -> Any:
            entered = enter(rpc=rpc, message=request if one else None)
            try:
                response = await behaviour(request, context)
                _log.debug("call_ended", code="OK")
                return response
            except BaseException as error:
                _log.debug("call_ended", code=code_of(error, context).name)
                raise
            finally:
                leave(entered)

        return told
