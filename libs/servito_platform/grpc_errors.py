"""What a handler raises becomes what the client is told.

RpcError is sent as it is. Anything else is a fault of ours: the client gets INTERNAL with an incident id
and nothing more, the log gets the same id with the place. Handlers never call context.abort themselves.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import grpc
import structlog
from grpc import aio
from grpc_status import rpc_status

from servito_platform.errors import RpcError
from servito_platform.grpc_deadline import start_countdown
from servito_platform.grpc_handlers import Behaviour, Context, Method, time_left

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class ErrorLayer:
    """See the module."""

    def around(self, method: Method, behaviour: Behaviour) -> Behaviour:
        """`behaviour` with its exceptions as statuses."""

        async def mapped(request: Any, context: Context) -> Any:
            start_countdown(time_left(context))
            try:
                return await behaviour(request, context)
            except RpcError as error:
                failure = error
            except aio.BaseError:
                raise  # gRPC's own: the call is already aborted, or its connection gone
            except Exception:  # noqa: BLE001 - the last line of defence: nothing unknown reaches the client
                incident = uuid4().hex[:12]
                _log.exception("rpc_incident", incident=incident, rpc=f"{method.service}/{method.name}")
                failure = RpcError(
                    grpc.StatusCode.INTERNAL,
                    "INTERNAL",
                    f"a fault of the server, recorded as incident {incident}",
                    metadata={"incident": incident},
                )
            return await context.abort_with_status(rpc_status.to_status(failure.to_status()))

        return mapped
