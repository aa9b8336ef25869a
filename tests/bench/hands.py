"""Whole hands per second: the rules core with known decks and its own judgement, against PokerKit.

Ours is what simulation and scripts do: the events that begin a deal, the offer to each seat, its command,
the cards, who wins by the plain definition, the chips paid. Two games: the one of PokerKit as near as our
rules come to it (antes instead of blinds), which is the comparison, and `italiana`, which is what tables
play.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from servito_core.cards import deck_from
from servito_core.deals import FIRST, Entrant, start_hand
from servito_core.evolve import replay
from servito_core.hand import legal_actions
from servito_core.rules import RuleSet, preset
from servito_script.judging import play_on, serve
from servito_script.known_deck import KnownDeck
from tests.bench.measure import Goal, Row, cpu_rate, interleaved
from tests.bench.peers import pokerkit_draw
from tests.bench.policy import PLAYERS, STACK, choose

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.bench.measure import Context

SECONDS: Final = 1.0
ENTRANTS: Final = [Entrant(seat, STACK) for seat in range(PLAYERS)]
NO_LIMIT: Final = RuleSet.from_options(
    {"preset": "americana", "bet.limit": "none", "open.requirement": "none", "ante": 1, "bet.min": 2}
)


def play_hand(rules: RuleSet, rng: Random) -> int:
    """Play one deal to its end; the number of actions in it."""
    hand = replay(rules, start_hand(rules, ENTRANTS, FIRST, PLAYERS))
    order = list(deck_from(hand.lowest_rank))
    rng.shuffle(order)
    deck = KnownDeck(order, lambda dead: rng.sample(dead, len(dead)))
    hand, actions = serve(hand, deck)[1], 0
    while hand.to_act is not None:
        actions += 1
        player = hand.players[hand.to_act]
        offer = legal_actions(hand, player.seat)
        assert offer is not None
        hand = play_on(hand, choose(offer, player, rng), deck)[1]
    return actions


class Player:
    """Plays one game again and again and counts."""

    def __init__(self, play_one: Callable[[Random], int]) -> None:
        self._play_one = play_one
        self._rng = Random(7)
        self.hands = self.actions = 0

    def rate(self) -> float:
        """Hands per second over a while."""
        return cpu_rate(self._one, SECONDS)

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
    no_limit = Player(lambda rng: play_hand(NO_LIMIT, rng))
    italiana = Player(lambda rng: play_hand(preset("italiana"), rng))
    peer = Player(pokerkit_draw.play_hand)
    rates = interleaved(context, {"no limit": no_limit.rate, "italiana": italiana.rate, "peer": peer.rate})

    def row(what: str, name: str, player: Player, goal: Goal | None) -> Row:
        actions = f"{player.actions_a_hand:.1f} actions a hand, theirs {peer.actions_a_hand:.1f}"
        return Row(what, rates[name], "PokerKit", rates["peer"], goal=goal, note=actions)

    yield row("whole hands, no-limit draw, 52 cards", "no limit", no_limit, Goal(5, 10))
    yield row("whole deals, preset italiana, 36 cards", "italiana", italiana, None)
