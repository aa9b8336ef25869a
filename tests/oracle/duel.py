"""One hand played by both: the core and PokerKit get the same cards and the same actions, and are compared.

Compared at every step: who acts, what it costs to call, least and greatest amount of a wager, every stack. A
difference that the rules make is not passed over: it is counted in `differences` under one of the names
below, and the tests say which there are. Rules, seats and cards are the caller's.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pokerkit as pk
from pokerkit.lookups import Label

from servito_core import commands as c
from servito_core import events as e
from servito_core.cards import deck_from
from servito_core.deals import Between, Entrant, start_hand
from servito_core.evolve import replay
from servito_core.hand import legal_actions
from servito_core.state import Phase
from servito_script.judging import play_on, serve
from servito_script.known_deck import KnownDeck
from tests.oracle.pokerkit_hands import CARDS, ORDERS, Suited, kind_of

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from servito_core.cards import Card
    from servito_core.rules import RuleSet
    from servito_core.state import Offer

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

COVERED = "a wager over a bet that the others cannot cover"
"""We offer it while another player has chips (B3); PokerKit sees no reason for it. It is not made."""
NO_REASON = "There is no reason to complete, bet, or raise since every other player has either folded or gone"

PASSED_OUT = "nobody opened"
"""Our deal is over and its pot carried (B2); for PokerKit a pass is a check, and the draw follows."""

THREE_KINDS = "all three kinds of straight flush"
"""There is no order of them that PokerKit could use (B7)."""


@dataclass(frozen=True)
class Game:
    """A game that both can play. `limit` and `hands` say in PokerKit's words what `rules` say in ours."""

    rules: RuleSet
    limit: pk.BettingStructure
    hands: type[pk.CombinationHand]
    lowest: int

    def theirs(self, stacks: Sequence[int], carried_each: int) -> pk.State:
        """A pot that was carried is an ante that everybody paid on top."""
        streets = (
            pk.Street(False, (False,) * 5, 0, False, pk.Opening.POSITION, self.rules.minimum_bet, None),
            pk.Street(False, (), 0, True, pk.Opening.POSITION, self.rules.minimum_bet, None),
        )
        return pk.State(
            AUTOMATED,
            CARDS[4 * (self.lowest - 2) :],  # type: ignore[arg-type] # any cards will do, it has names for few decks
            (self.hands,),
            streets,
            self.limit,
            True,  # a short ante plays for what it matched
            (self.rules.ante + carried_each,) * len(stacks),
            (0,) * len(stacks),
            0,
            [stack + carried_each for stack in stacks],
            len(stacks),
        )


class Duel:
    """One hand. `stacks` are in speaking order; `hands`, if given, are dealt to the first seats."""

    def __init__(
        self,
        game: Game,
        rng: random.Random,
        stacks: Sequence[int],
        carried_each: int = 0,
        hands: Sequence[Sequence[Card]] = (),
    ) -> None:
        self._game, self._rng = game, rng
        self._compare_stacks = min(stacks) >= game.rules.ante
        self._standing_pat = set(range(len(hands)))
        self.differences: Counter[str] = Counter()
        count = len(stacks)
        entrants = [Entrant(seat, stack) for seat, stack in enumerate(stacks)]
        between = Between(button=count - 2, carried=count * carried_each)
        hand = replay(game.rules, start_hand(game.rules, entrants, between, count))
        assert hand.lowest_rank == game.lowest
        self._deck = KnownDeck(self._order(hands, count), lambda dead: rng.sample(dead, len(dead)))
        self.events, self.hand = serve(hand, self._deck)
        self.theirs = game.theirs(stacks, carried_each)
        for place in range(5):
            for player in self.hand.players:
                self.theirs.deal_hole((CARDS[player.cards[place]],))

    def _order(self, hands: Sequence[Sequence[Card]], count: int) -> list[Card]:
        taken = {card for hand in hands for card in hand}
        rest = [card for card in deck_from(self._game.lowest) if card not in taken]
        self._rng.shuffle(rest)
        dealt = [tuple(hand) for hand in hands]
        dealt += [tuple(rest[5 * seat : 5 * seat + 5]) for seat in range(count - len(hands))]
        return [hand[place] for place in range(5) for hand in dealt] + rest[5 * (count - len(hands)) :]

    def play(self) -> None:
        """To the end of both, or to where they differ for good.

        The part of an ante that nobody could match PokerKit returns at once, we with the pots.
        """
        while (index := self.hand.to_act) is not None:
            offer = legal_actions(self.hand, self.hand.players[index].seat)
            assert offer is not None
            if offer.draw is not None:
                self._draw(index, offer.draw[1])
            else:
                self._bet(index, offer)
            if self.theirs.status and self._compare_stacks:
                assert self.stacks == list(self.theirs.stacks)
        assert self.hand.phase is Phase.OVER
        if self.hand.outcome is e.Outcome.PASSED_OUT:
            self.differences[PASSED_OUT] += 1
            assert self.theirs.stand_patter_or_discarder_index == 0
        else:
            assert not self.theirs.status

    @property
    def stacks(self) -> list[int]:
        """Ours, in speaking order."""
        return [player.stack for player in self.hand.players]

    def of(self, kind: type[Any]) -> list[Any]:
        """Our events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    def _draw(self, index: int, most: int) -> None:
        assert self.theirs.stand_patter_or_discarder_index == index
        held = self.hand.players[index].cards
        count = 0 if index in self._standing_pat else self._rng.randint(0, most)
        thrown = tuple(self._rng.sample(held, count))
        self._do(c.Draw(index, thrown))
        self.theirs.stand_pat_or_discard([CARDS[card] for card in thrown])
        if self.theirs.stand_patter_or_discarder_index is None:
            drawn: dict[int, list[Card]] = {}
            for event in self.of(e.CardsDrawn):
                drawn.setdefault(event.seat, []).extend(event.cards)
            while (dealee := self.theirs.hole_dealee_index) is not None:
                self.theirs.deal_hole((CARDS[drawn[dealee].pop(0)],))

    def _bet(self, index: int, offer: Offer) -> None:
        assert self.theirs.actor_index == index
        wager = offer.open or offer.raise_to or offer.bet
        if wager is not None and self._they_wager(wager) and self._rng.random() < self._boldness(offer):
            to = self._rng.choice((wager[0], wager[1], self._rng.randint(*wager)))
            verb = c.Open if offer.open else c.RaiseTo if offer.raise_to else c.Bet
            self._do(verb(index, to))
            self.theirs.complete_bet_or_raise_to(to)
        elif offer.can_fold and self._rng.random() < 0.2:
            self._do(c.Fold(index))
            self.theirs.fold()
        else:
            if offer.call is not None:
                assert self.theirs.checking_or_calling_amount == offer.call
            free = c.Pass(index) if offer.can_pass else c.Check(index)
            self._do(c.Call(index) if offer.call is not None else free)
            self.theirs.check_or_call()

    def _boldness(self, offer: Offer) -> float:
        return 0.7 if offer.open else 0.35

    def _they_wager(self, wager: tuple[int, int]) -> bool:
        """Whether they allow a wager that we offer; then the range has to be the same."""
        theirs = self.theirs
        try:
            theirs.verify_completion_betting_or_raising_to()
        except ValueError as error:
            self.differences[COVERED if str(error).startswith(NO_REASON) else str(error)] += 1
            return False
        least, most = (
            theirs.min_completion_betting_or_raising_to_amount,
            theirs.max_completion_betting_or_raising_to_amount,
        )
        assert wager == (least, most)
        return True

    def _do(self, command: c.Command) -> None:
        """Ours first: which kinds of straight flush meet is known then, before PokerKit compares hands."""
        events, self.hand = play_on(self.hand, command, self._deck)
        self.events += events
        lookup = self._game.hands.lookup
        if self.hand.phase is Phase.OVER and isinstance(lookup, Suited):
            shown = [[CARDS[card] for card in event.cards] for event in self.of(e.HandShown)]
            flushes = [cards for cards in shown if lookup.get_entry(cards).label is Label.STRAIGHT_FLUSH]
            kinds = frozenset(map(kind_of, flushes))
            order = ORDERS.get(kinds, ())
            lookup.kinds = (*order, *(kind for kind in Suited.kinds if kind not in order))
            self.differences[THREE_KINDS] += len(kinds) == 3
