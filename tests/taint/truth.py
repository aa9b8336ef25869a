"""Who may know which card, and from which version of the table on: a model of its own.

Cards come from the dealer's record, the seats' doings from the commits; what the table believes that it may
show (`shown`, views, the cards in events of showing) is not looked at. The rule: a player knows the cards
that his seat received in hands that he was dealt into; everybody knows the hand of a seat that comes to a
showdown alive (where it may concede: once it has tabled, or the hand is over), and the cards that qualified
an opener who won without one, where the rules ask for that proof. Nobody knows anything else, for ever.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from servito_core import events as e
from servito_core.cards import Card
from servito_core.openers import opening_cards

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from servito_core.rules.ruleset import Requirement
    from servito_dealer.app.record import Record
    from servito_table.app.commits import Commit
    from servito_table.app.events import TableEvent
    from tests.taint.house import House

Given = tuple[int, int]
"""A card and the position that it came from."""


@dataclass
class Hand:
    """One hand: `received` by seat, as cards came; `held` now; `shown` cards by the version since which
    everybody may know them."""

    number: int
    started: e.HandStarted
    players: dict[int, str]
    received: dict[int, list[Given]] = field(default_factory=dict)
    held: dict[int, list[int]] = field(default_factory=dict)
    sets: list[tuple[int, frozenset[int]]] = field(default_factory=list)
    """Every five cards that a seat held at a time, and whose they were."""
    shown: dict[tuple[int, int], int] = field(default_factory=dict)
    """By seat and card."""
    undealt: list[int] = field(default_factory=list)
    secrets: set[bytes] = field(default_factory=set)
    """Seed, and salts of positions that nobody was dealt."""
    live: set[int] = field(default_factory=set)
    opener: int | None = None
    at_showdown: bool = False
    served: int = 0
    judged: bool = False
    """Whether it was announced that an opener broke his opening: by the rules it tells of hidden cards."""

    def of(self, player: str | None) -> int | None:
        """The seat that the player was dealt in on."""
        return next((seat for seat, name in self.players.items() if name == player), None)

    def known(self, player: str | None, version: int) -> set[Given]:
        """Cards that the player may know at that version, each with the positions that it came from."""
        seat = self.of(player)
        known = set(self.received.get(seat, ())) if seat is not None else set()
        for (shower, card), since in self.shown.items():
            if since <= version:
                known |= {given for given in self.received[shower] if given[0] == card}
        return known

    def hidden(self, player: str | None, version: int) -> list[frozenset[int]]:
        """Sets of five cards that are hidden from him: what seats held, and the next of the stock."""
        cards = {card for card, _ in self.known(player, version)}
        own = self.of(player)
        stock = [frozenset(self.undealt[:5])] if len(self.undealt) >= 5 else []
        return [five for seat, five in self.sets if seat != own and not five <= cards] + stock

    @property
    def cards(self) -> set[int]:
        """All that were dealt."""
        return {card for given in self.received.values() for card, _ in given}


class Truth:
    """See the module; `look` takes in what was committed since."""

    def __init__(self, house: House, table_id: str) -> None:
        self._house = house
        self._table_id = table_id
        self._taken = 0
        self.hands: dict[int, Hand] = {}
        self.hand_at: dict[int, int] = {}
        """The number of the hand that a version tells of."""

    @property
    def hand(self) -> Hand:
        """The latest."""
        return self.hands[max(self.hands)]

    def look(self) -> None:
        """See the class."""
        commits = self._house.store.commits
        for commit in commits[self._taken :]:
            if commit.state.id == self._table_id:
                for event in commit.events:
                    self._happened(event, commit)
                self.hand_at[commit.version] = max(self.hands, default=0)
        self._taken = len(commits)

    def _happened(self, event: TableEvent, commit: Commit) -> None:
        if isinstance(event, e.HandStarted):
            players = {own.seat: own.player for own in commit.state.seats if own.seat in event.seats}
            hand = Hand(event.number, event, players, live=set(event.seats))
            self.hands[event.number] = hand
        if not self.hands:
            return
        hand = self.hand
        match event:
            case e.CardsDealt():
                self._dealt(hand)
            case e.Discarded(seat, cards):
                hand.held[seat] = [card for card in hand.held[seat] if card not in cards]
            case e.CardsDrawn(seat):
                self._drawn(hand, seat)
            case e.OpeningJudged():
                hand.judged = True
            case e.Opened(seat):
                hand.opener = seat
            case e.Folded(seat):
                hand.live.discard(seat)
            case e.ShowdownBegan():
                hand.at_showdown = True
        self._shown(hand, event, commit)

    def _shown(self, hand: Hand, event: TableEvent, commit: Commit) -> None:
        rules, version = commit.state.rules, commit.version
        concede = rules.show_muck == "may_concede"
        if hand.at_showdown and len(hand.live) > 1:
            if isinstance(event, e.HandTabled) and event.seat in hand.live:
                self._show(hand, event.seat, hand.held[event.seat], version)
            if isinstance(event, e.HandEnded) or not concede:
                for seat in hand.live:
                    self._show(hand, seat, hand.held[seat], version)
        asked = rules.open_proof == "show_on_uncalled_win"
        if isinstance(event, e.HandEnded) and asked and hand.live == {hand.opener}:
            seat = next(iter(hand.live))
            dealt = [Card(card) for card, _ in hand.received[seat][:5]]
            requirement = cast("Requirement", hand.started.requirement)
            proof = opening_cards(dealt, requirement, rules, hand.started.lowest_rank, hand.started.raised)
            self._show(hand, seat, proof, version)

    def _show(self, hand: Hand, seat: int, cards: Sequence[int], version: int) -> None:
        for card in cards:
            hand.shown.setdefault((seat, card), version)

    def _dealt(self, hand: Hand) -> None:
        answer = self._record(hand).answers[0]
        for seat, given in zip(hand.started.seats, answer.hands, strict=True):  # type: ignore[union-attr]  # entry 0
            hand.received[seat] = [(int(card), position) for card, position in given]
            hand.held[seat] = [card for card, _ in hand.received[seat]]
            hand.sets.append((seat, frozenset(hand.held[seat])))
        self._keep_secrets(hand)

    def _drawn(self, hand: Hand, seat: int) -> None:
        hand.served += 1
        answer = self._record(hand).answers[hand.served]
        given = [(int(card), position) for card, position in answer.cards]  # type: ignore[union-attr]  # a draw
        hand.received[seat] += given
        hand.held[seat] += [card for card, _ in given]
        if len(hand.held[seat]) == 5:
            hand.sets.append((seat, frozenset(hand.held[seat])))
        self._keep_secrets(hand)

    def _record(self, hand: Hand) -> Record:
        return self._house.dealing._recent[f"{self._table_id}-{hand.number}"].record

    def _keep_secrets(self, hand: Hand) -> None:
        record = self._record(hand)
        deck = record.deck
        assert deck is not None
        hand.undealt = [int(deck.order[position]) for position in deck.stock]
        hand.secrets = {record.source.seed, *_salts(record)}


def _salts(record: Record) -> Iterator[bytes]:
    """Those of the first shuffle's positions that are in the stock."""
    deck = record.deck
    assert deck is not None
    size = deck.shuffles[0].size
    salts = record.source._salts(0, size)
    for position in deck.stock:
        if position < size:
            yield salts[32 * position : 32 * position + 32]
