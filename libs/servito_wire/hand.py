"""A hand as the state server keeps it: `HandState` <-> `StoredHand`, `Between` <-> `StoredBetween`, exactly.

Here: every field of servito_core/state.py but `rules`, which belong to the table and are handed in when a
hand is read. Not here: what a viewer may see (`views`). It is written with every action, hence as bytes
(`fields`). Changes with servito_core/{state,deals}.py and store.proto.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from servito.table.v1.store_pb2 import (
    PlayerSecrets,
    StoredBetween,
    StoredDue,
    StoredHand,
    StoredPlayer,
    TableSecrets,
)
from servito.table.v1.table_pb2 import Outcome as OutcomeProto
from servito.table.v1.table_pb2 import Phase as PhaseProto
from servito_core.deals import Between
from servito_core.events import Outcome
from servito_core.state import HandState, Phase, PlayerState
from servito_wire.fields import Block, Bytes, Values, record

if TYPE_CHECKING:
    from collections.abc import Callable

    from servito_core.cards import Card
    from servito_core.rules import RuleSet

OUTCOME_NUMBERS: Final[dict[Outcome | None, OutcomeProto.ValueType]] = {
    None: OutcomeProto.OUTCOME_UNSPECIFIED,
    **{outcome: OutcomeProto.Value(f"OUTCOME_{outcome.name}") for outcome in Outcome},
}
OUTCOMES: Final = {number: outcome for outcome, number in OUTCOME_NUMBERS.items()}
PHASE_NUMBERS: Final = {phase: PhaseProto.Value(f"PHASE_{phase.name}") for phase in Phase}
PHASES: Final = {number: phase for phase, number in PHASE_NUMBERS.items()}

cards_from: Final = cast("Callable[[bytes], tuple[Card, ...]]", tuple)
"""Cards as stored, one byte each; what was stored by us is not checked again."""


HAND_FIELDS: Final = record(
    StoredHand,
    "number button lowest_rank requirement raised carried phase to_act high_bet full_bet last_raise raises "
    "opener aggressor leader pot entries stock serving judged cip blinds_allowed blinds holder outcome "
    "next_requirement next_raised acted_seats spoke_seats",
    {"acted_seats": "acted", "spoke_seats": "spoke"},
    {"phase": PHASE_NUMBERS, "outcome": OUTCOME_NUMBERS},
)
"""Writes a StoredHand as everybody may know it, without the players."""
_BEFORE_HELD: Final = "seat stack ante bet paid dead folded left leaving may_raise_blind"
_BEHIND_HELD: Final = "drawn owed split shown"
_BEFORE: Final = record(StoredPlayer, _BEFORE_HELD)
_BEHIND: Final = record(StoredPlayer, _BEHIND_HELD)
_WITHOUT: Final = record(StoredPlayer, f"{_BEFORE_HELD} {_BEHIND_HELD}")
_HELD: Final = "openers cards positions discards discard_positions"
HIDDEN_FIELDS: Final = record(PlayerSecrets, _HELD)
"""Writes a PlayerSecrets: what not everybody may know of a player. ValueError where a card or position is not
0..255.
"""
_HELD_FIELDS: Final = record(StoredPlayer, _HELD)
_PLAYERS: Final = Block(StoredHand, "players")
_RESHUFFLED: Final = Bytes(StoredHand, "reshuffled")
_BETWEEN: Final = record(
    StoredBetween,
    "button carried requirement raised number outcome deck_players others_due",
    numbers={"outcome": OUTCOME_NUMBERS},
)
_DUES: Final = Block(StoredBetween, "dues")
_SEAT: Final = Values(StoredDue, "seat")
_AMOUNT: Final = Values(StoredDue, "amount")


def hand_to_bytes(hand: HandState) -> bytes:
    """A StoredHand with everything in it; ValueError where a card, position or index is not 0..255."""
    players = map(_PLAYERS, map(whole_player, hand.players))
    return b"".join((whole_hand(hand), *players))


def whole_hand(hand: HandState) -> bytes:
    """The same without the players."""
    return HAND_FIELDS(hand) + _RESHUFFLED[sorted(hand.reshuffled)]


def whole_player(player: PlayerState) -> bytes:
    """A StoredPlayer with everything in it; ValueError likewise."""
    return player_fields(player, _HELD_FIELDS(player))


def player_fields(player: PlayerState, held: bytes = b"") -> bytes:
    """A StoredPlayer as everybody may know it; `held`: fields of his cards, which come between the others."""
    return b"".join((_BEFORE(player), held, _BEHIND(player))) if held else _WITHOUT(player)


def between_to_bytes(between: Between) -> bytes:
    """A StoredBetween: what one deal hands to the next."""
    dues = [_DUES(_SEAT[seat] + _AMOUNT[amount]) for seat, amount in between.dues.items()]
    return b"".join((_BETWEEN(between), *dues))


def hand_from_proto(stored: StoredHand, rules: RuleSet) -> HandState:
    """Read a hand that is played by `rules`; KeyError for a phase or outcome that does not exist."""
    has = stored.HasField
    return HandState(
        rules,
        stored.number,
        stored.button,
        stored.lowest_rank,
        stored.requirement,
        stored.raised,
        stored.carried,
        [_read_player(player) for player in stored.players],
        PHASES[stored.phase],
        stored.to_act if has("to_act") else None,
        stored.high_bet,
        stored.full_bet,
        stored.last_raise,
        stored.raises,
        stored.acted_seats,
        stored.spoke_seats,
        stored.opener if has("opener") else None,
        stored.aggressor if has("aggressor") else None,
        stored.leader if has("leader") else None,
        stored.pot,
        stored.entries,
        stored.stock,
        stored.serving if has("serving") else None,
        stored.judged,
        frozenset(stored.reshuffled),
        stored.cip,
        stored.blinds_allowed,
        stored.blinds,
        stored.holder if has("holder") else None,
        OUTCOMES[stored.outcome],
        stored.next_requirement,
        stored.next_raised,
    )


def between_from_proto(stored: StoredBetween) -> Between:
    """Read what one deal hands to the next; KeyError for an outcome that does not exist."""
    return Between(
        button=stored.button if stored.HasField("button") else None,
        carried=stored.carried,
        requirement=stored.requirement,
        raised=stored.raised,
        number=stored.number,
        outcome=OUTCOMES[stored.outcome],
        deck_players=stored.deck_players,
        dues={due.seat: due.amount for due in stored.dues},
        others_due=stored.others_due if stored.HasField("others_due") else None,
    )


def same_hidden(player: PlayerState, before: PlayerState) -> bool:
    """Whether `HIDDEN_FIELDS` are the same of both, seen without comparing: states share what they keep."""
    return (
        player.cards is before.cards
        and player.discards is before.discards
        and player.openers is before.openers
        and player.positions is before.positions
        and player.discard_positions is before.discard_positions
    )


def read_hidden(stored: StoredHand, secrets: TableSecrets) -> None:
    """Give a hand of which the public part was read what is hidden of it. ValueError: of another hand."""
    if len(secrets.players) != len(stored.players):
        raise ValueError("the hidden part of a hand has other players than its public part")
    stored.reshuffled = secrets.reshuffled
    for player, own in zip(stored.players, secrets.players, strict=True):
        player.openers = own.openers
        player.cards = own.cards
        player.positions = own.positions
        player.discards = own.discards
        player.discard_positions = own.discard_positions


def _read_player(stored: StoredPlayer) -> PlayerState:
    return PlayerState(
        stored.seat,
        stored.stack,
        stored.ante,
        stored.bet,
        stored.paid,
        stored.dead,
        stored.folded,
        stored.left,
        stored.leaving,
        stored.may_raise_blind,
        cards_from(stored.openers),
        cards_from(stored.cards),
        tuple(stored.positions),
        cards_from(stored.discards),
        tuple(stored.discard_positions),
        stored.drawn,
        stored.owed,
        stored.split,
        stored.shown,
    )
