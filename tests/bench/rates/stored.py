"""What the seat to act may do, read out of a stored table with as little work as possible.

Only as much is read as the policy asks for: the public part says nearly everything, the seal is opened for
cards and openers, and the rules core is asked for the amount of a wager. That it says what the core says is
tested (test_choices.py). Changes with store.proto.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.store_pb2 import StoredTable
from servito_core.hand import legal_actions
from servito_wire.hand import hand_from_proto, read_hidden

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito.table.v1.store_pb2 import PlayerSecrets, TableSecrets
    from servito_core.rules import RuleSet
    from servito_core.state import Offer
    from servito_table.adapters.sealing import Sealing
    from servito_table.app.commits import Place
    from tests.bench.rates.acting import Kind

BETTING: Final = (pb.PHASE_FIRST_ROUND, pb.PHASE_SECOND_ROUND)


class Reader(NamedTuple):
    """Reads stored tables that are played by these rules."""

    sealing: Sealing
    rules: RuleSet

    def choices(self, stored: bytes, at: Place) -> Stored | None:
        """Of the seat to act; None where nobody is."""
        table = StoredTable.FromString(stored)
        return Stored(self, stored, at, table) if table.hand.HasField("to_act") else None


class Stored:
    """Choices (acting.py) of the seat to act; opening and draw included, but neither blinds nor showdown."""

    def __init__(self, reader: Reader, stored: bytes, at: Place, table: StoredTable) -> None:
        self._reader, self._stored, self._at, self._table = reader, stored, at, table
        self._phase, self._player = table.hand.phase, table.hand.players[table.hand.to_act]

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self._player.seat

    def drawing(self) -> Sequence[int] | None:
        """See Choices."""
        return self._hidden().cards if self._phase == pb.PHASE_DRAW else None

    def opening(self) -> int | None:
        """See Choices."""
        if self._phase != pb.PHASE_OPENING or not self._hidden().openers:
            return None
        return None if (allowed := self._offer().open) is None else allowed[0]

    def may_fold(self) -> bool:
        """See Choices."""
        return self._phase in BETTING and self._to_call() > 0

    def wager(self) -> tuple[Kind, int] | None:
        """See Choices."""
        if self._phase not in BETTING:
            return None
        offer = self._offer()
        if offer.raise_to is not None:
            return pb.ACTION_KIND_RAISE, offer.raise_to[0]
        return None if offer.bet is None else (pb.ACTION_KIND_BET, offer.bet[0])

    def least(self) -> Kind:
        """See Choices."""
        if self._phase not in BETTING:
            return pb.ACTION_KIND_PASS
        return pb.ACTION_KIND_CALL if self._to_call() else pb.ACTION_KIND_CHECK

    def _to_call(self) -> int:
        return self._table.hand.high_bet - self._player.bet

    def _hidden(self) -> PlayerSecrets:
        return self._secrets.players[self._table.hand.to_act]

    @cached_property
    def _secrets(self) -> TableSecrets:
        table = self._table
        return self._reader.sealing.open_table(table.table_id, self._at, self._stored, table)

    def _offer(self) -> Offer:
        stored = self._table.hand
        read_hidden(stored, self._secrets)
        offer = legal_actions(hand_from_proto(stored, self._reader.rules), self.seat)
        if offer is None:
            raise RuntimeError("a table that waits for a seat offers it nothing")
        return offer
