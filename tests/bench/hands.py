"""Whole hands per second: the rules core with known decks and its own judgement, against PokerKit.

Ours is what simulation does: the events that begin a deal, the offer to each seat, its command, the cards,
who wins by the plain definition, the chips paid, on a hand that nobody else holds (PokerKit's, too, changes
where it stands). The same with every state kept, as scripts and tables want it, is a row of its own. Two
games: the one of PokerKit as near as our rules come to it (antes instead of blinds), which is the
comparison, and `italiana`, which is what tables play.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from servito_core.cards import deck_from
from servito_core.deals import FIRST, Entrant, start_hand
from servito_core.evolve import replay
from servito_core.hand import advance, legal_actions
from servito_core.rules import RuleSet, preset
from servito_script.judging import advance_served, play_on, serve
from servito_script.known_deck import KnownDeck
from tests.bench.measure import Goal, Row, cpu_rate, interleaved
from tests.bench.peers import pokerkit_draw
from tests.bench.policy import PLAYERS, STACK, choose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from servito_core.state import HandState
    from tests.bench.measure import Context

SECONDS: Final = 1.0
ENTRANTS: Final = [Entrant(seat, STACK) for seat in range(PLAYERS)]
NO_LIMIT: Final = RuleSet.from_options(
    {"preset": "americana", "bet.limit": "none", "open.requirement": "none", "ante": 1, "bet.min": 2}
)
ITALIANA: Final = preset("italiana")


def play_hand(rules: RuleSet, rng: Random) -> int:
    """Play one deal to its end, in place; the number of actions in it."""
    hand, deck = _started(rules, rng)
    advance_served(hand, deck)
    actions = 0
    while hand.to_act is not None:
        actions += 1
        player = hand.players[hand.to_act]
        offer = legal_actions(hand, player.seat)
        assert offer is not None
        advance(hand, choose(offer, player, rng))
        advance_served(hand, deck)
    return actions


def play_hand_keeping_states(rules: RuleSet, rng: Random) -> int:
    """The same, each state a value of its own."""
    hand, deck = _started(rules, rng)
    hand, actions = serve(hand, deck)[1], 0
    while hand.to_act is not None:
        actions += 1
        player = hand.players[hand.to_act]
        offer = legal_actions(hand, player.seat)
        assert offer is not None
        hand = play_on(hand, choose(offer, player, rng), deck)[1]
    return actions


def _started(rules: RuleSet, rng: Random) -> tuple[HandState, KnownDeck]:
    hand = replay(rules, start_hand(rules, ENTRANTS, FIRST, PLAYERS))
    order = list(deck_from(hand.lowest_rank))
    rng.shuffle(order)
    return hand, KnownDeck(order, lambda dead: rng.sample(dead, len(dead)))


class Player:
    """Plays one game again and again and counts."""

    def __init__(self, play_one: Callable[[Random], int], seconds: float) -> None:
        self._play_one = play_one
        self._seconds = seconds
        self._rng = Random(7)
        self.hands = self.actions = 0

    def rate(self) -> float:
        """Hands per second over a while."""
        return cpu_rate(self._one, self._seconds)

    @property
    def actions_a_hand(self) -> float:
        """The mean over everything played."""
        return self.actions / self.hands

    def _one(self) -> int:
        self.actions += self._play_one(self._rng)
        self.hands += 1
        return 1


def measure(context: Context) -> Iterator[Row]:
    """Rows for both games."""
    seconds = context.seconds(SECONDS)
    no_limit = Player(lambda rng: play_hand(NO_LIMIT, rng), seconds)
    keeping = Player(lambda rng: play_hand_keeping_states(NO_LIMIT, rng), seconds)
    italiana = Player(lambda rng: play_hand(ITALIANA, rng), seconds)
    peer = Player(pokerkit_draw.play_hand, seconds)
    works = {
        "no limit": no_limit.rate,
        "keeping": keeping.rate,
        "italiana": italiana.rate,
        "peer": peer.rate,
    }
    rates = interleaved(context, works)

    def row(what: str, name: str, player: Player, goal: Goal | None) -> Row:
        actions = f"{player.actions_a_hand:.1f} actions a hand, theirs {peer.actions_a_hand:.1f}"
        return Row(what, rates[name], "PokerKit", rates["peer"], goal=goal, note=actions)

    yield row("whole hands, no-limit draw, 52 cards", "no limit", no_limit, Goal(5, 10))
    yield row("the same, every state kept", "keeping", keeping, None)
    yield row("whole deals, preset italiana, 36 cards", "italiana", italiana, None)
