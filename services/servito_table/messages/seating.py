"""Who sat and who stood: the table's own events, which are stored and shown in one form."""

from __future__ import annotations

from typing import Final

from servito.table.v1 import table_pb2 as pb
from servito_table.app.events import PlayerSat, PlayerStood, Stood

_REASON: Final = "STAND_REASON_"


def sat_to_proto(event: PlayerSat) -> pb.PlayerSat:
    """Write it."""
    return pb.PlayerSat(
        seat=event.seat, player=event.player, buy_in=event.buy_in, time_banks=event.time_banks
    )


def sat_from_proto(stored: pb.PlayerSat) -> PlayerSat:
    """Read it."""
    time_banks = stored.time_banks if stored.HasField("time_banks") else None
    return PlayerSat(stored.seat, stored.player, stored.buy_in, time_banks)


def stood_to_proto(event: PlayerStood) -> pb.PlayerStood:
    """Write it."""
    reason = pb.StandReason.Value(
        _REASON + ("UNSPECIFIED" if event.reason is Stood.LEFT else event.reason.name)
    )
    return pb.PlayerStood(seat=event.seat, player=event.player, cashed_out=event.cashed_out, reason=reason)


def stood_from_proto(stored: pb.PlayerStood) -> PlayerStood:
    """Read it."""
    reason = Stood[pb.StandReason.Name(stored.reason).removeprefix(_REASON)] if stored.reason else Stood.LEFT
    return PlayerStood(stored.seat, stored.player, stored.cashed_out, reason)
