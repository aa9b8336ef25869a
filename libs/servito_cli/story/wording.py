"""How players, cards and chips are written in every line of a story."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from servito_cli.texts.form.story import StoryTexts
from servito_cli.words import CardText, written
from servito_client.bots.own_cards import OwnCards
from servito_client.following import Following
from servito_client.messages import TableView


@dataclass(frozen=True, slots=True)
class Wording:
    """One language and one way of writing cards, about one table; `own` are the cards that may be told."""

    table: Following
    texts: StoryTexts
    card_text: CardText
    own: Mapping[int, OwnCards]

    @property
    def view(self) -> TableView:
        """The table after the event that is being told."""
        return self.table.view

    def line(self, sentence: str, seat: int, **values: object) -> str:
        """A sentence about the player at `seat`."""
        return "  " + sentence.format(who=self.name(seat), **values)

    def name(self, seat: int) -> str:
        """The player at `seat`; of a stranger the number of his seat."""
        return self.table.name(seat) or self.texts.seat.format(seat=seat)

    def pot(self) -> str:
        """What the pot holds now; follows a sentence."""
        return self.texts.pot.format(pot=self.view.hand.pot)

    def cards(self, cards: Iterable[int]) -> str:
        """These cards."""
        return written(cards, self.card_text)

    def some_cards(self, known: Sequence[int], count: int) -> str:
        """The cards where they are known, else their number."""
        if known:
            return self.cards(known)
        return self.texts.one_card if count == 1 else self.texts.some_cards.format(count=count)
