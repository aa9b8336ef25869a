"""The configuration of a table: `TableConfig` <-> the message of that name, for requests, views and the
store.
"""

from __future__ import annotations

from servito.table.v1 import table_pb2 as pb
from servito_table.app.state import (
    AWAY_AFTER,
    PROPOSAL_MS,
    SEAT_OFFER_MS,
    SIT_OUT_MS,
    WARN_MS,
    TableConfig,
)


def config_to_proto(config: TableConfig) -> pb.TableConfig:
    """Write a configuration."""
    return pb.TableConfig(
        name=config.name,
        preset=config.preset,
        options=config.options,
        seats=config.seats,
        min_buy_in=config.min_buy_in,
        max_buy_in=config.max_buy_in,
        turn_ms=config.turn_ms,
        pause_ms=config.pause_ms,
        proposal_ms=config.proposal_ms,
        away_after=config.away_after,
        sit_out_ms=config.sit_out_ms,
        seat_offer_ms=config.seat_offer_ms,
        time_bank_ms=config.time_bank_ms,
        time_banks=config.time_banks,
        time_bank_hands=config.time_bank_hands,
        warn_ms=config.warn_ms,
        no_spectators=config.no_spectators,
    )


def config_from_proto(sent: pb.TableConfig) -> TableConfig:
    """Read a configuration; whether it may be played is checked elsewhere."""
    return TableConfig(
        name=sent.name,
        preset=sent.preset,
        options=dict(sent.options),
        seats=sent.seats,
        min_buy_in=sent.min_buy_in,
        max_buy_in=sent.max_buy_in,
        turn_ms=sent.turn_ms,
        pause_ms=sent.pause_ms,
        proposal_ms=sent.proposal_ms or PROPOSAL_MS,
        away_after=sent.away_after or AWAY_AFTER,
        sit_out_ms=sent.sit_out_ms or SIT_OUT_MS,
        seat_offer_ms=sent.seat_offer_ms or SEAT_OFFER_MS,
        time_bank_ms=sent.time_bank_ms,
        time_banks=sent.time_banks,
        time_bank_hands=sent.time_bank_hands,
        warn_ms=sent.warn_ms or WARN_MS,
        no_spectators=sent.no_spectators,
    )
