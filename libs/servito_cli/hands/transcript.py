"""A recent hand as a transcript: what happened, line by line, with the seconds since it began.

Pure. A hand whose beginning is gone cannot be followed, since nobody knows the stacks and who sat where: only
how it ended is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from servito_cli.story.telling import Teller
from servito_cli.texts.form import Texts
from servito_cli.words import CardText
from servito_client.bots.own_cards import OwnCards, OwnCardsReader
from servito_client.following import Following
from servito_client.messages import (
    Event,
    HandEnded,
    HandRecord,
    HandShown,
    HandTabled,
    HandView,
    OpeningProved,
    PotAwarded,
    SeatView,
    TableView,
    event_of,
)

_ENDINGS: Final = (HandTabled, HandShown, OpeningProved, PotAwarded, HandEnded)
"""What can be told of a hand without its beginning."""
_SEATS: Final = range(10)


def transcript(hand: HandRecord, texts: Texts, card_text: CardText) -> list[str]:
    """The hand in lines without ends; amounts are chips, and bets totals of the betting round."""
    words = texts.hand
    lines = [words.heading.format(hand_id=hand.hand_id, ago=ago(hand.age_ms, words.ago))]
    if not hand.complete:
        lines.append(words.cut)
    own = {hand.own_seat: own_cards(hand)} if hand.HasField("own_seat") else {}
    lines += told(hand, texts, card_text, own)
    return lines if hand.finished else [*lines, words.runs_still]


def told(hand: HandRecord, texts: Texts, card_text: CardText, own: Mapping[int, OwnCards]) -> Iterator[str]:
    """Its events, a line or none for each; `own`: the cards of seats that may be told."""
    teller = Teller(Following(view=_table(hand)), texts.story, card_text, own)
    for ms, event in _events(hand):
        if hand.complete or isinstance(event, _ENDINGS):
            yield from (f"{ms / 1000:7.1f}  {line}" for line in teller.lines(event))


def own_cards(hand: HandRecord) -> OwnCards:
    """What the caller's own seat held, got and threw away."""
    reader = OwnCardsReader()
    for _, event in _events(hand):
        reader.event(event, hand.own_seat)
    return reader.hand


def ago(ms: int, sentence: str) -> str:
    """How long ago that was, in the greatest unit that fits; `sentence` has {time}."""
    seconds = ms // 1000
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= size:
            return sentence.format(time=f"{seconds // size} {unit}")
    return sentence.format(time=f"{seconds} s")


def _events(hand: HandRecord) -> Iterator[tuple[int, Event]]:
    """Each with its milliseconds; kinds that are newer than this client are left out."""
    for happened in hand.events:
        event = event_of(happened.event)
        if event is not None:
            yield happened.ms, event


def _table(hand: HandRecord) -> TableView:
    """The table before the first event."""
    table = TableView(config=hand.config)
    table.seats.extend(SeatView(seat=own.seat, player=own.player) for own in hand.players)
    if hand.HasField("own_seat"):
        table.own_seat = hand.own_seat
    if not hand.complete:
        table.hand.CopyFrom(HandView(hand_id=hand.hand_id, number=hand.number))
        for seat in _SEATS:
            table.hand.seats.add(seat=seat)
    return table
