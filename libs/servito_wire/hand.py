"""A hand as the state server keeps it: `HandState` <-> `StoredHand`, `Between` <-> `StoredBetween`, exactly.

Here: every field of servito_core/state.py but `rules`, which belong to the table and are handed in when a
hand is read. Not here: what a viewer may see (`views`). It runs with every action, hence the plain field by
field code. Changes with servito_core/{state,deals}.py and store.proto.
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


def hand_to_proto(hand: HandState) -> StoredHand:
    """Write a hand; ValueError where a card, position or index is not 0..255."""
    stored = StoredHand()
    write_hand(hand, stored)
    write_reshuffled(hand, stored)
    for player in hand.players:
        write_whole(player, stored.players.add())
    return stored


def write_hand(hand: HandState, stored: StoredHand) -> None:
    """Write what everybody may know, without the players; ValueError as in `hand_to_proto`.

    Field by field, which is a third faster than by keywords.
    """
    stored.number = hand.number
    stored.button = hand.button
    stored.lowest_rank = hand.lowest_rank
    stored.requirement = hand.requirement
    stored.raised = hand.raised
    stored.carried = hand.carried
    stored.phase = PHASE_NUMBERS[hand.phase]
    stored.high_bet = hand.high_bet
    stored.full_bet = hand.full_bet
    stored.last_raise = hand.last_raise
    stored.raises = hand.raises
    stored.acted_seats = hand.acted
    stored.spoke_seats = hand.spoke
    stored.pot = hand.pot
    stored.entries = hand.entries
    stored.stock = hand.stock
    stored.judged = hand.judged
    stored.cip = hand.cip
    stored.blinds_allowed = hand.blinds_allowed
    stored.blinds = hand.blinds
    stored.outcome = OUTCOME_NUMBERS[hand.outcome]
    stored.next_requirement = hand.next_requirement
    stored.next_raised = hand.next_raised
    _write_places(hand, stored)


def write_reshuffled(hand: HandState, stored: StoredHand | TableSecrets) -> None:
    """Write what is hidden of the hand itself: which positions went back into the stock."""
    stored.reshuffled = bytes(sorted(hand.reshuffled))


def _write_places(hand: HandState, stored: StoredHand) -> None:
    """What may be nobody, which is to be told from the first player."""
    if hand.to_act is not None:
        stored.to_act = hand.to_act
    if hand.opener is not None:
        stored.opener = hand.opener
    if hand.aggressor is not None:
        stored.aggressor = hand.aggressor
    if hand.leader is not None:
        stored.leader = hand.leader
    if hand.serving is not None:
        stored.serving = hand.serving
    if hand.holder is not None:
        stored.holder = hand.holder


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


def between_to_proto(between: Between) -> StoredBetween:
    """Write what one deal hands to the next."""
    return StoredBetween(
        button=between.button,
        carried=between.carried,
        requirement=between.requirement,
        raised=between.raised,
        number=between.number,
        outcome=OUTCOME_NUMBERS[between.outcome],
        deck_players=between.deck_players,
        dues=[StoredDue(seat=seat, amount=amount) for seat, amount in between.dues.items()],
        others_due=between.others_due,
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


def write_whole(player: PlayerState, stored: StoredPlayer) -> None:
    """Write a player; ValueError as in `hand_to_proto`."""
    write_player(player, stored)
    write_hidden(player, stored)


def write_hidden(player: PlayerState, stored: StoredPlayer | PlayerSecrets) -> None:
    """Write what not everybody may know of a player; ValueError likewise."""
    stored.openers = bytes(player.openers)
    stored.cards = bytes(player.cards)
    stored.positions = bytes(player.positions)
    stored.discards = bytes(player.discards)
    stored.discard_positions = bytes(player.discard_positions)


def same_hidden(player: PlayerState, before: PlayerState) -> bool:
    """Whether `write_hidden` writes the same of both, seen without comparing: states share what they keep."""
    return (
        player.cards is before.cards
        and player.discards is before.discards
        and player.openers is before.openers
        and player.positions is before.positions
        and player.discard_positions is before.discard_positions
    )


def write_player(player: PlayerState, stored: StoredPlayer) -> None:
    """Write what everybody may know of a player."""
    stored.seat = player.seat
    stored.stack = player.stack
    stored.ante = player.ante
    stored.bet = player.bet
    stored.paid = player.paid
    stored.dead = player.dead
    stored.folded = player.folded
    stored.left = player.left
    stored.leaving = player.leaving
    stored.may_raise_blind = player.may_raise_blind
    stored.drawn = player.drawn
    stored.owed = player.owed
    stored.split = player.split
    stored.shown = player.shown


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
