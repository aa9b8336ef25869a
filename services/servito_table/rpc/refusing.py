"""Refusals on their way out: counted once, cut to a size that travels, in the form of the call they
answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

import structlog

from servito_platform.caller import bad_credentials, caller, caller_role
from servito_platform.errors import RpcError
from servito_platform.identity import SERVICE, Role
from servito_table.app.refusals import TableReason, TableRefused
from servito_wire.refusals import WireRefusal, refusal, refusal_to_proto

if TYPE_CHECKING:
    from servito.table.v1.refusal_pb2 import Refusal
    from servito_platform.grpc_handlers import Context
    from servito_table.app.ports import Monitor

MOST: Final = 1_500
"""Characters of a message: it travels in the trailers of a call, which have little room."""

_ACT: Final = "Act"
"""Acts that come in by Play are counted as what they are."""

Method = Callable[[Any, "Context"], Awaitable[Any]]

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


def viewer_of_call() -> str | None:
    """Who looks, None for a spectator. Refused: UNAUTHENTICATED for who says who he is and is not believed,
    because he would wonder where his cards are.
    """
    wrong = bad_credentials()
    if wrong is not None:
        raise TableRefused(TableReason.UNAUTHENTICATED, wrong)
    return caller()


def player_of_call() -> str:
    """The player who calls. Refused: UNAUTHENTICATED, NOT_PERMITTED for a service."""
    who = viewer_of_call()
    if who is None:
        raise TableRefused(
            TableReason.UNAUTHENTICATED, "this call needs a player: send `authorization: Bearer <token>`"
        )
    if who.startswith(SERVICE):
        raise TableRefused(TableReason.NOT_PERMITTED, "services do not play")
    return who


def creator_of_call(*, only_operators: bool) -> str:
    """Who may create tables and templates. Refused: as player_of_call; NOT_PERMITTED for a player where only
    operators may.
    """
    who = player_of_call()
    if only_operators and caller_role() is not Role.OPERATOR:
        raise TableRefused(TableReason.NOT_PERMITTED, "only operators create tables and templates here")
    return who


def operator_of_call() -> str:
    """The operator who calls. Refused: as player_of_call; NOT_PERMITTED for who is none."""
    who = player_of_call()
    if caller_role() is not Role.OPERATOR:
        raise TableRefused(TableReason.NOT_PERMITTED, "only operators may do this")
    return who


def only_for(service: str) -> None:
    """Refused: UNAUTHENTICATED, NOT_PERMITTED, unless that service calls."""
    who = caller()
    if who is None:
        raise TableRefused(TableReason.UNAUTHENTICATED, "this call carries nobody's token")
    if who != SERVICE + service:
        raise TableRefused(TableReason.NOT_PERMITTED, f"only the {service} service may call this")


class Refusals:
    """Both ways out."""

    def __init__(self, monitor: Monitor) -> None:
        self._monitor = monitor

    def sent_by(self, method: Method) -> Method:
        """`method`, whose refusals become the status of its call."""

        name = method.__name__

        async def refusing(request: Any, context: Context) -> Any:
            try:
                return await method(request, context)
            except TableRefused as refused:
                told = self._told(name, refused)
                raise RpcError(
                    told.code, told.reason, told.message, metadata=told.metadata, retry_after=told.retry_after
                ) from None

        return refusing

    def as_message(self, error: Exception) -> Refusal:
        """For an answer inside a stream; what is no refusal is a fault of ours, logged under a number."""
        if not isinstance(error, TableRefused):
            incident = uuid4().hex[:12]
            _log.error("act_incident", incident=incident, exc_info=error)
            error = TableRefused(
                TableReason.INTERNAL, f"a fault of the server, recorded as incident {incident}"
            )
        return refusal_to_proto(self._told(_ACT, error))

    def _told(self, method: str, refused: TableRefused) -> WireRefusal:
        self._monitor.refused(method, refused.reason.value)
        message = refused.message if len(refused.message) <= MOST else refused.message[: MOST - 3] + "..."
        return refusal(refused.reason, message, refused.version)
