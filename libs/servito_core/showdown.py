"""The showdown: who shows in which order, what is asked of the evaluator, how each pot is divided (`RULES.md
B7`).

Hands are never compared here: the winner sets come from outside, because with the straight-flush circle a
winner is a property of the set of hands that meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.cards import rank_of, suit_of
from servito_core.endings import ended
from servito_core.events import Folded, HandShown, HandTabled, Outcome, PotAwarded
from servito_core.pots import pots
from servito_core.refusals import Reason, Refused
from servito_core.state import SHOWDOWN, Offer, WinnersNeeded
from servito_core.turns import clockwise, index_to_act
from servito_core.values import SfKind

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from servito_core.commands import Concede, SupplyWinners, TableHand
    from servito_core.events import Event
    from servito_core.pots import Pot
    from servito_core.state import HandState
    from servito_core.values import HandValue


def show_order(hand: HandState) -> tuple[int, ...]:
    """Indexes of the live seats in the order in which they show.

    The last who bet or raised in the second round, without a bet its first speaker; then clockwise.
    """
    start = hand.aggressor if hand.aggressor is not None else hand.leader or 0
    return tuple([index for index in clockwise(start, len(hand.players)) if not hand.players[index].folded])


def next_to_show(hand: HandState) -> int | None:
    """Who is asked to table or concede its hand; None where the rules ask nobody, or everybody has
    answered.
    """
    if hand.rules.show_muck != "may_concede":
        return None
    order = show_order(hand)
    if len(order) < 2:
        return None
    return next((index for index in order if not hand.players[index].shown), None)


def showdown_offer(hand: HandState, index: int) -> Offer:
    """What the seat whose turn it is to show may do."""
    return Offer(hand.players[index].seat, can_table=True, can_concede=True)


def table_hand(hand: HandState, command: TableHand) -> tuple[Event, ...]:
    """`TableHand` -> `HandTabled`."""
    index = _index_to_show(hand, command.seat)
    return (HandTabled(command.seat, hand.players[index].cards),)


def concede(hand: HandState, command: Concede) -> tuple[Event, ...]:
    """`Concede` -> `Folded`: the seat has no part in any pot."""
    _index_to_show(hand, command.seat)
    return (Folded(command.seat),)


def _index_to_show(hand: HandState, seat: int) -> int:
    index = index_to_act(hand, seat)
    if hand.phase is not SHOWDOWN:
        raise Refused(Reason.ACTION_NOT_AVAILABLE, "hands are tabled or conceded at the showdown only")
    return index


def winners_needed(hand: HandState) -> WinnersNeeded:
    """The hands that meet, and who contests each pot."""
    hands = {player.seat: player.cards for player in hand.players if not player.folded}
    return WinnersNeeded(hands, tuple([pot.eligible for pot in pots(hand)]))


def award(hand: HandState, command: SupplyWinners) -> tuple[Event, ...]:
    """`SupplyWinners` -> the live hands in show order, every pot awarded, the end."""
    layers = pots(hand)
    _check_winners(hand, command, layers)
    events: list[Event] = []
    for index in show_order(hand):
        player = hand.players[index]
        events.append(HandShown(player.seat, player.cards, command.values[player.seat]))
    odd = 0
    for number, (pot, winners) in enumerate(zip(layers, command.winners, strict=True)):
        ordered = tuple([seat for seat in pot.eligible if seat in winners])
        shares = divide(hand, pot.amount, ordered, command.values)
        odd += pot.amount - sum(shares.values())
        events.append(PotAwarded(number, pot.amount, pot.eligible, ordered, shares))
    return (*events, ended(hand, Outcome.SHOWDOWN, odd))


def _check_winners(hand: HandState, command: SupplyWinners, layers: Sequence[Pot]) -> None:
    """An answer that does not fit the question is refused whole."""
    if hand.phase is not SHOWDOWN or hand.to_act is not None:
        raise Refused(Reason.ACTION_NOT_AVAILABLE, "the hand does not wait for winners")
    live = {player.seat for player in hand.players if not player.folded}
    fits = len(command.winners) == len(layers) and command.values.keys() >= live
    if not fits or not all(
        winners and winners.issubset(pot.eligible)
        for winners, pot in zip(command.winners, layers, strict=True)
    ):
        raise Refused(
            Reason.MALFORMED,
            "winners are a set of entitled seats for each pot, with a value for each live hand",
        )


def divide(
    hand: HandState, amount: int, winners: Sequence[int], values: Mapping[int, HandValue]
) -> dict[int, int]:
    """The share of each winner (seats in speaking order) of one pot.

    When three kinds of straight flush meet, first into a third for each kind (`sf_standoff`), then each third
    by heads; odd chips of either division go as `odd_chip` says.
    """
    if len(winners) == 1:
        return {winners[0]: amount}
    groups = _groups(hand, winners, values)
    shares: dict[int, int] = {}
    for group, part in zip(groups, _parts(hand, amount, groups, values), strict=True):
        heads = [[seat] for seat in group]
        shares.update(zip(group, _parts(hand, part, heads, values), strict=True))
    return {seat: shares[seat] for seat in winners}


def _groups(hand: HandState, winners: Sequence[int], values: Mapping[int, HandValue]) -> list[list[int]]:
    """Who shares which part of the pot, in speaking order: one group, or one for each kind that meets."""
    if hand.rules.sf_standoff == "best_of_each_type":
        kinds = [[seat for seat in winners if values[seat].kind is kind] for kind in SfKind]
        if all(kinds):
            return sorted(kinds, key=lambda group: winners.index(group[0]))
    return [list(winners)]


def _parts(
    hand: HandState, amount: int, groups: Sequence[Sequence[int]], values: Mapping[int, HandValue]
) -> list[int]:
    """One part of `amount` for each group, all equal but for the odd chips (`odd_chip`)."""
    equal, odd = divmod(amount, len(groups))
    parts = [equal] * len(groups)
    match hand.rules.odd_chip:
        case "left_of_dealer":
            parts[:odd] = [equal + 1] * odd
        case "highest_suit":
            suits = [max(_top_suit(hand, seat, values[seat]) for seat in group) for group in groups]
            parts[suits.index(max(suits))] += odd
        case "next_pot":
            pass
    return parts


def _top_suit(hand: HandState, seat: int, value: HandValue) -> tuple[int, int]:
    """Suit, then rank, of the card that names the hand: the best of its pair, the top of its run, its top
    card.
    """
    cards = next(player.cards for player in hand.players if player.seat == seat)
    return max((suit_of(card), rank_of(card)) for card in cards if rank_of(card) == value.ranks[0])
