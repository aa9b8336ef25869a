"""A hand driven by words: the builder of the directed tests.

Seats are numbers from 0, clockwise; a line is a step of a hand script in words: `0 open 30`, `1 draw Kc
9d`, `2 draw`, `1 leave`. Cards that a test does not give come from the rest of the deck, lowest first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from servito_core import events as e
from servito_core.cards import deck_from, format_cards, parse_cards
from servito_core.deals import Between, Entrant, after, start_hand
from servito_core.evolve import replay
from servito_core.hand import legal_actions
from servito_core.refusals import Reason, Refused
from servito_core.rules import RuleSet
from servito_core.state import Phase
from servito_script.judging import play_on, serve
from servito_script.known_deck import KnownDeck
from servito_script.steps import command_of, legal_of
from tests.core.hand.random_play import apart

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from servito_core.commands import Command
    from servito_core.events import Event

WAGERS = ("open", "bet", "raise", "blind", "counter_blind", "over_blind")


class Driven:
    """One hand under way. `button` is a seat of `stacks`; `hands` by seat, `stock` from the top."""

    def __init__(
        self,
        options: Mapping[str, object] | None = None,
        stacks: Mapping[int, int] | Sequence[int] = (100, 100, 100, 100),
        button: int | None = None,
        hands: Mapping[int, str] | None = None,
        stock: str = "",
        between: Between | None = None,
    ) -> None:
        self.rules = RuleSet.from_options(dict(options or {}))
        seats = dict(stacks) if hasattr(stacks, "keys") else dict(enumerate(stacks))
        first = max(seats) if button is None else button
        self.before = between or Between(button=first - 1)
        entrants = [Entrant(seat, stack) for seat, stack in seats.items()]
        self.events: list[Event] = list(start_hand(self.rules, entrants, self.before, len(entrants)))
        self.hand = replay(self.rules, self.events)
        self._deck = KnownDeck(self._order(hands or {}, stock), list)
        self._took(*serve(self.hand, self._deck))

    def _order(self, hands: Mapping[int, str], stock: str) -> list[Any]:
        """The deck in which everybody gets his hand."""
        known = {seat: parse_cards(cards) for seat, cards in hands.items()}
        below = parse_cards(stock)
        taken = {*below, *(card for cards in known.values() for card in cards)}
        rest = [card for card in deck_from(self.hand.lowest_rank) if card not in taken]
        for player in self.hand.players:
            if player.seat not in known:
                known[player.seat], rest = tuple(rest[:5]), rest[5:]
        dealt = [known[player.seat][place] for place in range(5) for player in self.hand.players]
        order = [*dealt, *below, *rest]
        assert sorted(order) == list(deck_from(self.hand.lowest_rank)), (
            "a card twice, or one not of this deck"
        )
        return order

    def do(self, *lines: str) -> list[Event]:
        """Play the lines; the events of the last one."""
        played: list[Event] = []
        for line in lines:
            played, hand = play_on(self.hand, self.command(line), self._deck)
            self._took(played, hand)
        return played

    def refused(self, line: str) -> Reason:
        """Why a line is refused; it must be, and must change nothing."""
        before = apart(self.hand)
        try:
            play_on(self.hand, self.command(line), self._deck)
        except Refused as refusal:
            assert self.hand == before
            return refusal.reason
        raise AssertionError(f"{line} was accepted")

    def command(self, line: str) -> Command:
        """A line as a command."""
        seat, verb, *rest = line.split()
        step: dict[str, Any] = {"do": verb}
        if verb in WAGERS:
            step["to"] = int(rest[0]) if rest else None
        elif verb == "draw":
            step["discard"] = " ".join(rest)
        elif rest:
            step["word"] = rest[0]
        return command_of(int(seat), step)

    @property
    def to_act(self) -> int | None:
        """The seat to act."""
        return None if self.hand.to_act is None else self.hand.players[self.hand.to_act].seat

    @property
    def legal(self) -> dict[str, Any]:
        """What the seat to act may do, as a script writes it."""
        assert self.to_act is not None
        offer = legal_actions(self.hand, self.to_act)
        assert offer is not None
        return legal_of(offer)

    @property
    def stacks(self) -> list[int]:
        """Stacks by seat, ascending."""
        return [player.stack for player in sorted(self.hand.players, key=lambda player: player.seat)]

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self.hand.phase is Phase.OVER

    @property
    def pots(self) -> list[tuple[int, set[int], dict[int, int]]]:
        """Every pot awarded: amount, who was entitled, shares."""
        awarded = [event for event in self.events if isinstance(event, e.PotAwarded)]
        return [(pot.amount, set(pot.eligible), dict(pot.shares)) for pot in awarded]

    def of(self, kind: type[Event]) -> list[Any]:
        """Every event of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def cards(self, seat: int) -> str:
        """What a seat holds, ascending."""
        return format_cards(sorted(next(p.cards for p in self.hand.players if p.seat == seat)))

    def next(self, hands: Mapping[int, str] | None = None, sitting_out: Sequence[int] = ()) -> Driven:
        """The deal after this one, with the stacks as they are; who left is gone."""
        stacks = {
            player.seat: player.stack
            for player in self.hand.players
            if not player.left and player.seat not in sitting_out
        }
        between = after(self.before, self.hand)
        return Driven(self.rules.differences(), stacks, hands=hands, between=between)

    def _took(self, events: Sequence[Event], hand: Any) -> None:
        self.events.extend(events)
        self.hand = hand
