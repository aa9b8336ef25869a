"""An independent oracle for chips: PokerKit plays the same cards and actions and pays the same, hand by
hand.

PokerKit can express our game with 52 cards, no suits, no limit, the last increment as least raise, dead
antes, nothing required to open, left of the button first. Least and greatest amounts, who acts, what it
costs to call and every stack have to be equal; the one difference is named in `NO_REASON`, and such a
raise is not made.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING

import pokerkit as pk
import pytest

from servito_core import commands as c
from servito_core import events as e
from servito_core.cards import deck_from, format_card, parse_card
from servito_core.deals import Between, Entrant, start_hand
from servito_core.evolve import replay
from servito_core.hand import legal_actions
from servito_core.rules import RuleSet
from servito_core.state import Phase
from servito_script.judging import play_on, serve
from servito_script.known_deck import KnownDeck

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_core.cards import Card
    from servito_core.state import Offer

RULES = RuleSet.from_options(
    {
        "preset": "americana",
        "ante": 2,
        "bet.limit": "none",
        "raise.min": "last_increment",
        "bet.reopen": "full_raise_only",
        "open.requirement": "none",
        "round2.first": "left_of_dealer",
    }
)
AUTOMATED = (
    pk.Automation.ANTE_POSTING,
    pk.Automation.BET_COLLECTION,
    pk.Automation.BLIND_OR_STRADDLE_POSTING,
    pk.Automation.CARD_BURNING,
    pk.Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    pk.Automation.HAND_KILLING,
    pk.Automation.CHIPS_PUSHING,
    pk.Automation.CHIPS_PULLING,
)
NO_REASON = "There is no reason to complete, bet, or raise since every other player has either folded or gone"
"""The one wager that we offer and PokerKit does not: over a bet that the others cannot cover (B3: they
have chips).
"""
HANDS = 600


def _theirs(stacks: Sequence[int]) -> pk.State:
    streets = (
        pk.Street(False, (False,) * 5, 0, False, pk.Opening.POSITION, 2, None),
        pk.Street(False, (), 0, True, pk.Opening.POSITION, 2, None),
    )
    return pk.State(
        AUTOMATED,
        pk.Deck.STANDARD,
        (pk.StandardHighHand,),
        streets,
        pk.BettingStructure.NO_LIMIT,
        True,  # a short ante plays for what it matched
        (2,) * len(stacks),
        (0,) * len(stacks),
        0,
        stacks,
        len(stacks),
    )


def _text(cards: Sequence[Card]) -> str:
    return "".join(format_card(card) for card in cards)


class Duel:
    """One hand played by both; every step is compared."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        count = rng.randint(2, 6)
        self.stacks = [rng.choice((1, 2, 7, 30, 31, 100, 250)) for _ in range(count)]
        self.refused: Counter[str] = Counter()
        entrants = [Entrant(seat, stack) for seat, stack in enumerate(self.stacks)]
        hand = replay(RULES, start_hand(RULES, entrants, Between(button=count - 2), count))
        order = list(deck_from(2))
        rng.shuffle(order)
        self._deck = KnownDeck(order, lambda dead: rng.sample(dead, len(dead)))
        self.events, self.hand = serve(hand, self._deck)
        self.theirs = _theirs(self.stacks)
        for place in range(5):
            for player in self.hand.players:
                self.theirs.deal_hole(format_card(player.cards[place]))

    def play(self) -> None:
        """To the end of both. The part of an ante that nobody could match they return at once, we with the
        pots.
        """
        while (index := self.hand.to_act) is not None:
            offer = legal_actions(self.hand, self.hand.players[index].seat)
            assert offer is not None
            if offer.draw is not None:
                self._draw(index)
            else:
                self._bet(index, offer)
            if self.theirs.status and min(self.stacks) >= RULES.ante:
                assert [player.stack for player in self.hand.players] == list(self.theirs.stacks)
        assert self.hand.phase is Phase.OVER
        assert not self.theirs.status

    def _draw(self, index: int) -> None:
        assert self.theirs.stand_patter_or_discarder_index == index
        held = self.hand.players[index].cards
        thrown = tuple(self._rng.sample(held, self._rng.randint(0, 5)))
        self._do(c.Draw(index, thrown))
        self.theirs.stand_pat_or_discard(_text(thrown))
        if self.theirs.stand_patter_or_discarder_index is None:
            drawn = {
                event.seat: list(event.cards) for event in self.events if isinstance(event, e.CardsDrawn)
            }
            while (dealee := self.theirs.hole_dealee_index) is not None:
                self.theirs.deal_hole(format_card(drawn[dealee].pop(0)))

    def _bet(self, index: int, offer: Offer) -> None:
        assert self.theirs.actor_index == index
        wager = offer.raise_to or offer.bet
        if wager is not None and self._they_wager(wager) and self._rng.random() < 0.35:
            to = self._rng.choice((wager[0], wager[1], self._rng.randint(*wager)))
            self._do(c.RaiseTo(index, to) if offer.raise_to else c.Bet(index, to))
            self.theirs.complete_bet_or_raise_to(to)
        elif offer.can_fold and self._rng.random() < 0.2:
            self._do(c.Fold(index))
            self.theirs.fold()
        else:
            if offer.call is not None:
                assert self.theirs.checking_or_calling_amount == offer.call
            self._do(c.Check(index) if offer.can_check else c.Call(index))
            self.theirs.check_or_call()

    def _they_wager(self, wager: tuple[int, int]) -> bool:
        """Whether they allow a wager that we offer; then the range has to be the same."""
        try:
            self.theirs.verify_completion_betting_or_raising_to()
        except ValueError as error:
            self.refused[str(error)] += 1
            return False
        theirs = self.theirs
        assert wager == (
            theirs.min_completion_betting_or_raising_to_amount,
            theirs.max_completion_betting_or_raising_to_amount,
        )
        return True

    def _do(self, command: c.Command) -> None:
        events, self.hand = play_on(self.hand, command, self._deck)
        self.events += events


@pytest.mark.filterwarnings("ignore:.*:UserWarning:pokerkit")  # it warns of cards that come from a refill
@pytest.mark.parametrize("batch", range(5))
def test_both_pay_the_same(batch: int) -> None:
    """Thousands of hands with short stacks, side pots, folds, draws and split pots."""
    refused: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    for seed in range(HANDS):
        duel = Duel(random.Random(1000 * batch + seed))
        duel.play()
        refused += duel.refused
        outcomes["side pots" if sum(isinstance(x, e.PotAwarded) for x in duel.events) > 1 else "one pot"] += 1
        assert [player.stack for player in duel.hand.players] == list(duel.theirs.stacks)
    assert [message[: len(NO_REASON)] for message in refused] == [NO_REASON]
    assert min(outcomes.values()) > HANDS // 20


def test_their_deck_is_ours() -> None:
    """Both know the same 52 cards by the same names."""
    assert {parse_card(repr(card)) for card in pk.Deck.STANDARD} == set(deck_from(2))
