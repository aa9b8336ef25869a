"""DealerService: from messages to use cases and back, refusals included.

Here is no decision: ranges are checked by `servito_wire.dealer`, everything else by the use cases. Cards
leave through the responses of `OpenHand`, `Deal`, `Draw` and `Prove` below and through nothing else.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from servito.dealer.v1 import dealer_pb2, dealer_pb2_grpc
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import DrawEntry, Opening
from servito_platform.caller import caller
from servito_platform.errors import RpcError
from servito_platform.identity import SERVICE as SERVICE_CALLER
from servito_wire.dealer import (
    REFUSALS,
    Malformed,
    deal_response,
    draw_response,
    prove_response,
    read_deal,
    read_draw,
    read_open,
    read_prove,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from servito_dealer.app.dealing import Dealing
    from servito_dealer.app.ports import Monitor
    from servito_dealer.app.requests import Dealt
    from servito_platform.grpc_handlers import Context

TABLE = f"{SERVICE_CALLER}table"
"""The one caller that may know cards."""
SERVICE = dealer_pb2.DESCRIPTOR.services_by_name["DealerService"].full_name


class DealerServicer(dealer_pb2_grpc.DealerServiceServicer):
    """See `dealer.proto`."""

    def __init__(self, dealing: Dealing, monitor: Monitor) -> None:
        self._dealing = dealing
        self._monitor = monitor

    async def OpenHand(
        self, request: dealer_pb2.OpenHandRequest, context: Context
    ) -> dealer_pb2.OpenHandResponse:
        """See the proto."""
        with self._refusing():
            opening, dealt = Opening(*read_open(request)), None
            if request.deal_at_once:
                record, dealt = await self._dealing.open_and_deal(opening)
            else:
                record = await self._dealing.open_hand(opening)
        return dealer_pb2.OpenHandResponse(
            deck_size=opening.deck_size,
            seed_hash=record.seed_hash,
            dealt=None if dealt is None else _dealt(dealt),
        )

    async def Deal(self, request: dealer_pb2.DealRequest, context: Context) -> dealer_pb2.DealResponse:
        """See the proto."""
        with self._refusing():
            dealt = await self._dealing.deal(*read_deal(request))
        return _dealt(dealt)

    async def Draw(self, request: dealer_pb2.DrawRequest, context: Context) -> dealer_pb2.DrawResponse:
        """See the proto."""
        with self._refusing():
            hand, order = read_draw(request)
            drawn = await self._dealing.draw(hand, DrawEntry(*order))
        return draw_response(drawn.cards, drawn.stock_left, drawn.shuffled)

    async def Prove(self, request: dealer_pb2.ProveRequest, context: Context) -> dealer_pb2.ProveResponse:
        """See the proto."""
        with self._refusing():
            proven = await self._dealing.prove(*read_prove(request))
        return prove_response(proven.seed_hash, proven.entropy_digest, proven.shuffles, proven.proofs)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Lets nobody in but the table; counts refusals and gives them the form in which they travel."""
        who = caller()
        if who is None:
            raise self._refusal(Reason.UNAUTHENTICATED, "this call carries no token that is known here")
        if who != TABLE:
            raise self._refusal(Reason.NOT_PERMITTED, "only the table service may ask the dealer")
        try:
            yield
        except Malformed as error:
            raise self._refusal(Reason.MALFORMED, str(error)) from None
        except Refused as error:
            raise self._refusal(error.reason, error.message) from error

    def _refusal(self, reason: Reason, message: str) -> RpcError:
        self._monitor.refused(reason)
        status = REFUSALS[reason.value]
        return RpcError(status.code, reason.value, message, retry_after=status.retry_after)


def _dealt(dealt: Dealt) -> dealer_pb2.DealResponse:
    return deal_response(dealt.hands, dealt.stock_left, dealt.entropy_digest, dealt.shuffled.root)
