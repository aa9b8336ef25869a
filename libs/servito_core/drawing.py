"""The draw: how many cards a seat may change and how they reach it (`RULES.md B4`).

Where the cards come from is in `stock`; who is next in `turns`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.betting import unavailable
from servito_core.cards import DECK_SIZE, deck_cards
from servito_core.events import CardsDrawn, Discarded, Folded, OpeningJudged
from servito_core.refusals import Reason, Refused
from servito_core.state import DEFERRED, DRAW, Offer, OpenersNeeded
from servito_core.stock import cards_needed, due
from servito_core.turns import index_to_act

if TYPE_CHECKING:
    from servito_core.cards import Card
    from servito_core.commands import Draw, SupplyDraw, SupplyOpeners
    from servito_core.events import Event
    from servito_core.state import HandState, PlayerState


def drawing_offer(hand: HandState, index: int) -> Offer:
    """What the seat at `index`, whose turn it is, may do: how many cards it may throw away."""
    offer = Offer(hand.players[index].seat)
    offer.draw = 0, most_discards(hand)
    return offer


def most_discards(hand: HandState) -> int:
    """`draw.max`; with `cap` no more than the stock holds beyond what earlier seats are owed."""
    if hand.rules.draw_exhaust != "cap":
        return hand.rules.draw_max
    owed = sum(player.owed for player in hand.players if not player.folded)
    return min(hand.rules.draw_max, hand.stock - owed)


def draw(hand: HandState, command: Draw) -> tuple[Event, ...]:
    """`Draw` -> `Discarded`; the cards follow from the dealer."""
    index = index_to_act(hand, command.seat)
    if hand.phase is not DRAW:
        raise unavailable(hand, "draw")
    _check_discards(hand, hand.players[index], command.discards)
    return (Discarded(command.seat, command.discards),)


def _check_discards(hand: HandState, player: PlayerState, discards: tuple[int, ...]) -> None:
    if not discards:
        return
    for card in discards:
        if type(card) is not int or not 0 <= card < DECK_SIZE:
            raise Refused(Reason.MALFORMED, "a discard is a card that the seat holds")
    most, thrown = most_discards(hand), set(discards)
    if len(discards) > most:
        raise Refused(Reason.TOO_MANY_DISCARDS, f"{len(discards)} discards are too many: {most} at most")
    if not thrown.issubset(player.cards):
        raise Refused(Reason.CARD_NOT_HELD, "the seat does not hold every card that it would throw away")
    if len(thrown) < len(discards):
        raise Refused(Reason.DUPLICATE_CARD, "a card can be thrown away once only")


def is_judging(hand: HandState) -> bool:
    """Whether the opener's discards wait to be judged (`draw.opener_split`) before he gets cards."""
    return (
        hand.serving is not None
        and hand.serving == hand.opener
        and not hand.judged
        and hand.rules.draw_opener_split != "allowed"
        and bool(hand.players[hand.serving].openers)
    )


def kept_openers_needed(hand: HandState, slot: int) -> OpenersNeeded:
    """The question whether what the opener at index `slot` keeps still opens."""
    player = hand.players[slot]
    return OpenersNeeded(hand.requirement, hand.raised, {player.seat: player.cards})


def judge(hand: HandState, command: SupplyOpeners, slot: int) -> tuple[Event, ...]:
    """`SupplyOpeners` about kept cards -> `OpeningJudged`; where splitting is forbidden, the draw is
    refused.
    """
    player = hand.players[slot]
    split = not command.openers.get(player.seat)
    if split and hand.rules.draw_opener_split == "forbidden":
        raise Refused(Reason.OPENERS_REQUIRED, "the opener has to keep cards that open")
    return (OpeningJudged(player.seat, split),)


def supply_draw(hand: HandState, command: SupplyDraw) -> tuple[Event, ...]:
    """`SupplyDraw` -> `CardsDrawn`, and the fold of a player who left meanwhile."""
    if hand.serving is None or is_judging(hand):
        raise Refused(Reason.ACTION_NOT_AVAILABLE, "the hand does not wait for cards of a draw")
    dealt = command.dealt
    if not _answers(hand, hand.serving, command):
        raise Refused(Reason.MALFORMED, "these cards do not answer the request of the hand")
    deferred = hand.phase is DEFERRED
    drawn = CardsDrawn(dealt.seat, command.entry, dealt.cards, dealt.positions, deferred, command.shuffled)
    return (drawn, *leavers(hand))


def leavers(hand: HandState) -> list[Folded]:
    """The folds that waited for cards on their way."""
    return [Folded(player.seat) for player in hand.players if player.leaving]


def _answers(hand: HandState, slot: int, command: SupplyDraw) -> bool:
    """Whether the cards answer the request, and nobody holds or has thrown away one of them."""
    dealt, player = command.dealt, hand.players[slot]
    cards = set(dealt.cards)
    count = due(hand, player)
    if command.entry != hand.entries or dealt.seat != player.seat:
        return False
    if not len(dealt.cards) == len(dealt.positions) == len(cards) == count:
        return False
    back = hand.reshuffled
    if command.shuffled:
        refills = cards_needed(hand, slot).refills[: len(command.shuffled)]
        if command.shuffled != tuple(len(refill) for refill in refills):
            return False
        back = back.union(*refills)
    return cards <= deck_cards(hand.lowest_rank) and _come_from_the_stock(hand, cards, back)


def _come_from_the_stock(hand: HandState, cards: set[Card], back: frozenset[int]) -> bool:
    """Whether nobody holds or has thrown away one of the cards, but for those whose positions went `back`."""
    for player in hand.players:
        if cards.isdisjoint(player.cards) and cards.isdisjoint(player.discards):
            continue
        places = player.positions + player.discard_positions
        for card, place in zip(player.cards + player.discards, places, strict=True):
            if card in cards and place not in back:
                return False
    return True
