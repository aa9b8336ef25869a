"""Telling events one after the other, or those of a whole hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from servito_cli.story.deal import Deal
from servito_cli.story.ending import Ending
from servito_cli.story.moves import Moves
from servito_cli.story.table import AroundTheHands
from servito_cli.story.wording import Wording
from servito_cli.texts import TEXTS, Language
from servito_cli.texts.form.story import StoryTexts
from servito_cli.words import CardText, suit_signs
from servito_client.bots.own_cards import OwnCards
from servito_client.following import Following
from servito_client.messages import Event, SeatView, TableConfig, TableView

ENGLISH = TEXTS[Language.EN].story


@dataclass(frozen=True, slots=True)
class Tale:
    """What there is to tell: a hand's events from HandStarted to HandEnded, and who sat where.

    `config` is that of the table: what it is called and which rules it plays."""

    config: TableConfig
    names: Mapping[int, str]
    events: Sequence[Event]
    own: Mapping[int, OwnCards] = field(default_factory=dict)


def tell(tale: Tale, card_text: CardText = suit_signs, texts: StoryTexts = ENGLISH) -> list[str]:
    """The hand in lines without ends; amounts are chips, and bets totals of the betting round."""
    seats = [SeatView(seat=seat, player=name) for seat, name in tale.names.items()]
    table = Following(view=TableView(config=tale.config, seats=seats))
    teller = Teller(table, texts, card_text, tale.own)
    return [line for event in tale.events for line in teller.lines(event)]


class Teller:
    """Tells event after event, and folds each into `table` before it does.

    `own` holds the cards of seats that may be told; it may grow while the hand is played."""

    def __init__(
        self,
        table: Following,
        texts: StoryTexts,
        card_text: CardText = suit_signs,
        own: Mapping[int, OwnCards] | None = None,
    ) -> None:
        self._table = table
        wording = Wording(table, texts, card_text, own if own is not None else {})
        self._chapters = (Deal(wording), Moves(wording), Ending(wording), AroundTheHands(wording))

    def lines(self, event: Event) -> list[str]:
        """What one event is worth telling: often one line, sometimes none."""
        self._table.event(event)
        return [line for chapter in self._chapters for line in chapter.told(event)]
