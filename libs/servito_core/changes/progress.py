"""Events that move a hand to its next phase or end it, and what people do to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_core.blinds import level_unseen, next_asked, right_holder
from servito_core.changes.draft import index_of_seat, own
from servito_core.phases import after
from servito_core.showdown import next_to_show
from servito_core.state import SECOND_ROUND, SHOWDOWN
from servito_core.turns import leader, next_owed, next_to_bet, next_to_draw

if TYPE_CHECKING:
    from servito_core.events import (
        BlindsBegan,
        BlindsClosed,
        DeferredDrawBegan,
        DrawBegan,
        FirstRoundBegan,
        HandEnded,
        OpenersFound,
        OpeningProved,
        PlayerLeft,
        SecondRoundBegan,
        ShowdownBegan,
        TurnExpired,
    )
    from servito_core.state import HandState


def blinds_began(hand: HandState, event: BlindsBegan) -> None:
    """The seat left of the button is asked first."""
    hand.phase = after(hand.phase, event)
    hand.to_act = next_asked(hand)


def blinds_closed(hand: HandState, event: BlindsClosed) -> None:
    """Who is level unseen without the right to raise has answered already (`RULES.md B6`)."""
    hand.phase = after(hand.phase, event)
    hand.to_act = None
    hand.acted = 0
    if hand.blinds:
        hand.holder = right_holder(hand)
        level = level_unseen(hand)
        righted = level if hand.rules.blind_cover_right == "shared" else (hand.holder,)
        for index in righted:
            own(hand, index).may_raise_blind = True
        for index in level:
            if index not in righted:
                hand.acted |= 1 << index


def openers_found(hand: HandState, event: OpenersFound) -> None:
    """The opening begins left of the button."""
    for index, player in enumerate(hand.players):
        if player.seat in event.openers:
            own(hand, index).openers = event.openers[player.seat]
    hand.phase = after(hand.phase, event)
    hand.to_act = next_to_bet(hand, -1)


def first_round_began(hand: HandState, event: FirstRoundBegan) -> None:
    """Left of the button speaks first, after blinds left of the last blind player."""
    hand.phase = after(hand.phase, event)
    hand.to_act = next_to_bet(hand, hand.blinds - 1)


def draw_began(hand: HandState, event: DrawBegan) -> None:
    """The totals of the first round are settled."""
    hand.phase = after(hand.phase, event)
    _settle(hand)
    hand.to_act = next_to_draw(hand, -1)


def deferred_draw_began(hand: HandState, event: DeferredDrawBegan) -> None:
    """Cards are on their way to the first seat that is owed some."""
    hand.phase = after(hand.phase, event)
    hand.serving = next_owed(hand, -1)


def second_round_began(hand: HandState, event: SecondRoundBegan) -> None:
    """The leader speaks first."""
    hand.phase = after(hand.phase, event)
    hand.leader = hand.to_act = leader(hand)
    hand.aggressor = None


def showdown_began(hand: HandState, event: ShowdownBegan) -> None:
    """A second round that was skipped counts as one without a bet (`RULES.md B7`)."""
    if hand.phase is not SECOND_ROUND:
        hand.leader = leader(hand)
        hand.aggressor = None
    hand.phase = after(hand.phase, event)
    hand.to_act = next_to_show(hand)


def hand_ended(hand: HandState, event: HandEnded) -> None:
    """Nothing more happens in this hand."""
    hand.phase = after(hand.phase, event)
    hand.to_act = hand.serving = None
    hand.outcome = event.outcome
    hand.next_requirement = event.requirement
    hand.next_raised = event.raised


def player_left(hand: HandState, event: PlayerLeft) -> None:
    """A seat with chips behind folds, at once or when cards on their way have come; an all-in hand stays
    live, and so does the last one when all others have left. For a seat that had folded before it says
    only that nobody sits there any more.
    """
    index = index_of_seat(hand, event.seat)
    stays = [player for player in hand.players if not player.folded and not player.leaving]
    player = own(hand, index)
    player.left = True
    folds = player.stack > 0 and not player.folded and hand.phase is not SHOWDOWN
    player.leaving = folds and len(stays) > 1


def nothing(hand: HandState, event: TurnExpired | OpeningProved) -> None:
    """Worth telling, but it changes nothing."""


def _settle(hand: HandState) -> None:
    """Forget the totals of the round; `paid` keeps them."""
    for index, player in enumerate(hand.players):
        if player.bet:
            own(hand, index).bet = 0
    hand.high_bet = hand.full_bet = hand.last_raise = hand.raises = 0
    hand.acted = hand.spoke = 0
