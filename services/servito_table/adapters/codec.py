"""A table as the state server keeps it: `TableState` <-> StoredTable, its events <-> StoredEvent, commits,
money.

Here: the table's own part; hands, the deals between them and the events of hands are `servito_wire`'s.
Release N reads schema N and N-1. It runs with every action: what never changes about a table (id, owner,
configuration) is encoded once and put before the rest, which protobuf reads as one message. Changes with
store.proto and `app.state`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_table.app.config import rules_of
from servito_table.app.events import PlayerSat, PlayerStood
from servito_table.app.state import Seated, TableConfig, TableState
from servito_wire.events import event_from_proto, event_to_proto
from servito_wire.hand import between_from_proto, between_to_proto, hand_from_proto, hand_to_proto

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_table.app.events import TableEvent

SCHEMA: Final = 1
READABLE: Final = frozenset({SCHEMA})
"""This release's and, once there was one, the one before."""

_HEADS: Final = 4096


class UnreadableState(Exception):  # noqa: N818 - it says what is the case
    """The state server holds a table in a form that this release does not read."""


class Codec:
    """Both ways; remembers the encoded heads of the tables that it wrote last."""

    def __init__(self) -> None:
        self._heads: dict[str, tuple[TableConfig, bytes]] = {}

    def encode(self, state: TableState) -> bytes:
        """A StoredTable."""
        body = store.StoredTable(turn=state.turn, between=between_to_proto(state.between))
        add = body.seats.add
        for own in state.seats:
            add(seat=own.seat, player=own.player, stack=own.stack, since=own.since, leaving=own.leaving)
        if state.hand is not None:
            body.hand.CopyFrom(hand_to_proto(state.hand))
        return self._head(state) + body.SerializeToString()

    def decode(self, stored: bytes) -> TableState:
        """The state; UnreadableState for another schema, InvalidRules for rules that this release does not
        know.
        """
        table = store.StoredTable.FromString(stored)
        if table.schema not in READABLE:
            raise UnreadableState(f"schema {table.schema}; this release reads {sorted(READABLE)}")
        config = config_from_proto(table.config)
        rules = rules_of(config)
        return TableState(
            table.table_id,
            table.owner,
            config,
            rules,
            tuple([Seated(own.seat, own.player, own.stack, own.since, own.leaving) for own in table.seats]),
            between_from_proto(table.between),
            hand_from_proto(table.hand, rules) if table.HasField("hand") else None,
            table.turn,
        )

    def _head(self, state: TableState) -> bytes:
        held = self._heads.get(state.id)
        if held is not None and held[0] is state.config:
            return held[1]
        head = store.StoredTable(
            schema=SCHEMA, table_id=state.id, owner=state.owner, config=config_to_proto(state.config)
        ).SerializeToString()
        if len(self._heads) >= _HEADS:
            self._heads.clear()
        self._heads[state.id] = (state.config, head)
        return head


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
    )


def commit_to_bytes(version: int, turn: int, events: Sequence[TableEvent]) -> bytes:
    """A StoredCommit."""
    return store.StoredCommit(
        version=version, turn=turn, events=[_event_to_proto(event) for event in events]
    ).SerializeToString()


def commit_from_bytes(stored: bytes) -> tuple[int, int, tuple[TableEvent, ...]]:
    """(version, turn, events) of a StoredCommit."""
    commit = store.StoredCommit.FromString(stored)
    return commit.version, commit.turn, tuple(_event_from_proto(event) for event in commit.events)


def journal_to_bytes(table_id: str, version: int, player: str, amount: int) -> bytes:
    """A JournalEntry."""
    return store.JournalEntry(
        table_id=table_id, player=player, amount=amount, version=version
    ).SerializeToString()


def _event_to_proto(event: TableEvent) -> store.StoredEvent:
    if isinstance(event, PlayerSat):
        return store.StoredEvent(player_sat=sat_to_proto(event))
    if isinstance(event, PlayerStood):
        return store.StoredEvent(player_stood=stood_to_proto(event))
    return event_to_proto(event)


def _event_from_proto(stored: store.StoredEvent) -> TableEvent:
    match stored.WhichOneof("event"):
        case "player_sat":
            sat = stored.player_sat
            return PlayerSat(sat.seat, sat.player, sat.buy_in)
        case "player_stood":
            stood = stored.player_stood
            return PlayerStood(stood.seat, stood.player, stood.cashed_out)
        case _:
            return event_from_proto(stored)


def sat_to_proto(event: PlayerSat) -> pb.PlayerSat:
    """As it is stored and shown."""
    return pb.PlayerSat(seat=event.seat, player=event.player, buy_in=event.buy_in)


def stood_to_proto(event: PlayerStood) -> pb.PlayerStood:
    """As it is stored and shown."""
    return pb.PlayerStood(seat=event.seat, player=event.player, cashed_out=event.cashed_out)
