"""A table as the state server keeps it: `TableState` <-> StoredTable, its events <-> StoredEvent, commits,
money.

Here: the table's own part; hands, the deals between them and the events of hands are `servito_wire`'s, which
forms are read and written is in schema.py. It runs with every action: what seldom changes about a table (id,
owner, configuration, seats) and the players of its hand that are those of the commit before are encoded once;
their bytes are put beside the rest, and protobuf reads all of it as one message. Changes with store.proto and
`app.state`.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Final

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_core.deals import Between
from servito_table.adapters.schema import (
    FIRST,
    NEWEST,
    NotYet,
    UnreadableState,
    lower_events,
    lower_hand,
    read_table,
)
from servito_table.app.config import rules_of
from servito_table.app.listing import Listed
from servito_table.app.stakes import Stakes
from servito_table.app.state import Proposal, Seated, TableConfig, TableState, Waiter
from servito_table.app.status import Status
from servito_table.app.told import Told
from servito_table.messages.config import config_from_proto, config_to_proto
from servito_table.messages.consent import change_to_proto, changes_from_proto
from servito_table.messages.course import status_from_proto, status_to_proto
from servito_table.messages.own_events import FROM_STORE, TO_STORE
from servito_table.messages.seats import (
    seat_from_store,
    seat_to_store,
    waiters_from_store,
    waiters_to_store,
)
from servito_wire.events import event_from_proto, event_to_proto
from servito_wire.hand import (
    between_from_proto,
    between_to_proto,
    hand_from_proto,
    write_hand,
    write_player,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from servito.table.v1 import table_pb2 as pb
    from servito_core.rules import RuleSet
    from servito_core.state import HandState, PlayerState
    from servito_table.app.events import TableEvent

_REMEMBERED: Final = 4096
_Waiting = tuple[Waiter, ...]
_Head = tuple[
    TableConfig, tuple[Seated, ...], Between, Proposal | None, int, Status, Stakes, _Waiting, bool, bytes
]


class Codec:
    """Both ways; remembers the heads, the players and the configurations that it met last.

    `schema`: the form that is written (schema.py); `unreadable` is called for a table that cannot be read.
    """

    def __init__(self, schema: int = NEWEST, unreadable: Callable[[], None] = lambda: None) -> None:
        self._schema = schema
        self._unreadable = unreadable
        self._heads: dict[str, _Head] = {}
        self._players: dict[str, tuple[list[PlayerState], list[bytes]]] = {}
        self._configs: dict[bytes, tuple[TableConfig, RuleSet]] = {}

    def encode(self, state: TableState) -> bytes:
        """A StoredTable."""
        hand, body = state.hand, store.StoredTable(turn=state.turn)
        if hand is None:
            return self._head(state) + body.SerializeToString()
        write_hand(hand, body.hand)
        if self._schema == FIRST:
            lower_hand(body.hand)
        return b"".join((self._head(state), body.SerializeToString(), *self._seated(state.id, hand)))

    def decode(self, stored: bytes) -> TableState:
        """The state; UnreadableState for another schema, InvalidRules for rules that are not known here."""
        table = self._read(stored)
        config, rules = self._config(table.config)
        return TableState(
            table.table_id,
            table.owner,
            config,
            rules,
            tuple([seat_from_store(own) for own in table.seats]),
            between_from_proto(table.between),
            hand_from_proto(table.hand, rules) if table.HasField("hand") else None,
            table.turn,
            _proposal_from_proto(table.proposal) if table.HasField("proposal") else None,
            table.proposals,
            status_from_proto(table.status),
            tuple([(stake.player, stake.amount) for stake in table.stakes]),
            waiters_from_store(table.waiting),
            table.template_id,
            table.template_revision,
            table.held,
        )

    def listed(self, stored: bytes) -> Listed:
        """What lists say of a table, without reading its hand; errors as in `decode`."""
        table = self._read(stored)
        config, rules = self._config(table.config)
        seated, held = len(table.seats), sum(waiter.HasField("seat") for waiter in table.waiting)
        return Listed(
            table.table_id,
            config,
            rules.ante,
            status_from_proto(table.status),
            seated,
            config.seats - seated - held,
            table.hand.number,
            len(table.waiting),
            table.template_id,
            table.template_revision,
            table.held,
            table.HasField("hand") and table.hand.phase != pb.PHASE_OVER,
        )

    def told(self, told: Told) -> bytes:
        """A StoredCommit. Raises NotYet where the form that is written has no room for what it tells."""
        return told_to_bytes(
            replace(told, events=lower_events(told.events)) if self._schema == FIRST else told
        )

    def _read(self, stored: bytes) -> store.StoredTable:
        try:
            return read_table(stored)
        except UnreadableState:
            self._unreadable()
            raise

    def _head(self, state: TableState) -> bytes:
        """All but the hand and the turn."""
        if state.held and self._schema == FIRST:
            raise NotYet("maintenance")
        config, seats, between, proposal = state.config, state.seats, state.between, state.proposal
        held = self._heads.get(state.id)
        if (
            held is not None
            and held[0] is config
            and held[1] is seats
            and held[2] is between
            and held[3] is proposal
            and held[4] == state.proposals
            and held[5] is state.status
            and held[6] is state.stakes
            and held[7] is state.waiting
            and held[8] is state.held
        ):
            return held[9]
        table = store.StoredTable(
            schema=self._schema,
            table_id=state.id,
            owner=state.owner,
            config=config_to_proto(config),
            between=between_to_proto(between),
            proposal=None if proposal is None else _proposal_to_proto(proposal),
            proposals=state.proposals,
            seats=[seat_to_store(own) for own in seats],
            waiting=waiters_to_store(state.waiting),
            template_id=state.template,
            template_revision=state.revision,
            held=state.held,
        )
        if state.status is not Status.OPEN:
            table.status = status_to_proto(state.status)
        for player, amount in state.stakes:
            table.stakes.add(player=player, amount=amount)
        head = table.SerializeToString()
        if len(self._heads) >= _REMEMBERED:
            self._heads.clear()
        self._heads[state.id] = (
            config,
            seats,
            between,
            proposal,
            state.proposals,
            state.status,
            state.stakes,
            state.waiting,
            state.held,
            head,
        )
        return head

    def _seated(self, table_id: str, hand: HandState) -> list[bytes]:
        """The players of a hand, each as a StoredTable that has nothing else.

        States share the players that an action does not concern and never change one that they share, so who
        is the very same as in the commit before has the same bytes.
        """
        before, written = self._players.get(table_id) or ([], [])
        parts = [
            part if player is held else _player_to_bytes(player)
            for player, held, part in zip_longest(hand.players, before, written)
            if player is not None
        ]
        if len(self._players) >= _REMEMBERED:
            self._players.clear()
        self._players[table_id] = hand.players, parts
        return parts

    def _config(self, stored: pb.TableConfig) -> tuple[TableConfig, RuleSet]:
        key = stored.SerializeToString(deterministic=True)
        held = self._configs.get(key)
        if held is None:
            config = config_from_proto(stored)
            if len(self._configs) >= _REMEMBERED:
                self._configs.clear()
            held = self._configs[key] = (config, rules_of(config))
        return held


def _player_to_bytes(player: PlayerState) -> bytes:
    table = store.StoredTable()
    write_player(player, table.hand.players.add())
    return table.SerializeToString()


def told_to_bytes(told: Told) -> bytes:
    """A StoredCommit."""
    commit = store.StoredCommit(
        version=told.version,
        turn=told.turn,
        to_act=told.to_act,
        hand=told.hand,
        events=[_event_to_proto(event) for event in told.events],
        players=told.players,
    )
    return commit.SerializeToString()


def told_from_bytes(stored: bytes, whole: int | None = None, kinds: frozenset[str] = frozenset()) -> Told:
    """Read a StoredCommit; of the events, those of the hand `whole` (None: of any), and those whose fields in
    StoredEvent are among `kinds`.
    """
    commit = store.StoredCommit.FromString(stored)
    to_act = commit.to_act if commit.HasField("to_act") else None
    everything = whole is None or commit.hand == whole
    wanted = (event for event in commit.events if everything or event.WhichOneof("event") in kinds)
    events = tuple(_event_from_proto(event) for event in wanted)
    return Told(commit.version, commit.turn, to_act, commit.hand, events, tuple(commit.players))


def journal_to_bytes(table_id: str, version: int, player: str, amount: int) -> bytes:
    """A JournalEntry."""
    entry = store.JournalEntry(table_id=table_id, player=player, amount=amount, version=version)
    return entry.SerializeToString()


def _proposal_to_proto(proposal: Proposal) -> store.StoredProposal:
    return store.StoredProposal(
        number=proposal.number,
        seat=proposal.seat,
        player=proposal.player,
        changes=[change_to_proto(change) for change in proposal.changes],
        agreed=bytes(proposal.agreed),
        accepted=proposal.accepted,
    )


def _proposal_from_proto(stored: store.StoredProposal) -> Proposal:
    return Proposal(
        stored.number,
        stored.seat,
        stored.player,
        changes_from_proto(stored.changes),
        tuple(stored.agreed),
        stored.accepted,
    )


def _event_to_proto(event: TableEvent) -> store.StoredEvent:
    own = TO_STORE.get(type(event))
    if own is None:
        return event_to_proto(event)  # type: ignore[arg-type]  # what is not the table's is the hand's
    field, message = own(event)
    return store.StoredEvent(**{field: message})


def _event_from_proto(stored: store.StoredEvent) -> TableEvent:
    field = stored.WhichOneof("event")
    if field is None:
        raise UnreadableState("an event of the table is of a kind that this server does not know")
    own = FROM_STORE.get(field)
    return event_from_proto(stored) if own is None else own(getattr(stored, field))
