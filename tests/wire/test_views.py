"""What is shown: everything the gate gives out arrives, and nothing that another seat hides."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

import pytest

from servito.table.v1 import table_pb2 as pb
from servito_core import events as core
from servito_core import view as seen
from servito_core.cards import Card, parse_cards
from servito_core.rules import RuleSet
from servito_core.state import HandState, PlayerState
from servito_core.values import Category, HandValue
from servito_wire.events import TABLE_EVENTS
from servito_wire.views import WRITERS, event_view_to_bytes, hand_view_to_proto
from tests.wire.play import RULES, Moment, moments

MASK = Card(0)


def shown(hand: HandState, viewer: int | None) -> bytes:
    """The message of a hand, as it leaves."""
    return hand_view_to_proto(seen.view_for(hand, viewer), "t").SerializeToString()


def told(event: core.Event, viewer: int | None) -> bytes:
    """The message of an event, as it leaves."""
    return event_view_to_bytes(seen.event_for(event, viewer), "t")


def masked(player: PlayerState) -> PlayerState:
    """The same seat with other cards, from elsewhere, and not able to open."""
    return replace(
        player,
        openers=(),
        cards=(MASK,) * len(player.cards),
        positions=(0,) * len(player.positions),
        discards=(MASK,) * len(player.discards),
        discard_positions=(0,) * len(player.discard_positions),
    )


def masked_for(event: core.Event, viewer: int | None) -> core.Event:
    """The same event, had the others held other cards."""
    match event:
        case core.CardsDealt():
            mine = [seat == viewer for seat in event.seats]
            hidden = ((MASK,) * 5, (0,) * 5)
            hands = [
                hand if own else hidden
                for own, hand in zip(mine, zip(event.cards, event.positions, strict=True), strict=True)
            ]
            cards, positions = zip(*hands, strict=True)
            return replace(event, cards=cards, positions=positions)
        case core.OpenersFound():
            return core.OpenersFound({seat: cards for seat, cards in event.openers.items() if seat == viewer})
        case core.Discarded() if event.seat != viewer:
            return replace(event, cards=(MASK,) * len(event.cards))
        case core.CardsDrawn() if event.seat != viewer:
            return replace(event, cards=(MASK,) * len(event.cards), positions=(0,) * len(event.positions))
    return event


def some_play() -> list[Moment]:
    """Random deals under all rules."""
    return [
        moment
        for rules in RULES.values()
        for players in (2, 5, 9)
        for seed in range(2)
        for moment in moments(rules, players, seed, deals=4)
    ]


def test_cards_of_others_change_nothing_that_is_sent() -> None:
    """Had others held other cards, every byte sent to a viewer would be the same, until they are shown."""
    hidden = 0
    for moment in some_play():
        for viewer in (None, 0, 1):
            players = [
                player if player.seat == viewer or player.shown else masked(player)
                for player in moment.hand.players
            ]
            hidden += players != moment.hand.players
            assert shown(replace(moment.hand, players=players), viewer) == shown(moment.hand, viewer)
            assert told(masked_for(moment.event, viewer), viewer) == told(moment.event, viewer)
    assert hidden > 1000


@pytest.mark.parametrize("event", [core.CardsDealt, core.OpenersFound, core.Discarded, core.CardsDrawn])
def test_hidden_events_cannot_be_shown(event: type[core.Event]) -> None:
    """An event with hidden cards that did not pass the gate has no public form."""
    assert event not in WRITERS
    with pytest.raises(KeyError):
        event_view_to_bytes(event.__new__(event), "t")


def test_everything_that_may_leave_has_a_form() -> None:
    """The public events and the four projections, each; and each field of TableEvent but the table's own."""
    hidden = set(seen.PROJECTIONS)
    assert set(WRITERS) == {kind for kind in get_args(seen.PublicEvent) if kind not in hidden}
    fields = {field.name for field in pb.TableEvent.DESCRIPTOR.fields}
    assert {field for field, _ in WRITERS.values()} == fields - TABLE_EVENTS


def test_own_cards_arrive() -> None:
    """A seat is shown its own cards, where they lay, what it threw away, and whether it may open."""
    cards, thrown = parse_cards("Ah Ad 9c 8s 7h"), parse_cards("Kd")
    own = PlayerState(
        3, 90, 1, 4, 5, openers=cards[:2], cards=cards, positions=(1, 3, 5, 7, 9), discards=thrown, drawn=True
    )
    hand = HandState(
        RuleSet(), 12, 4, 7, "JJ", False, 0, [own, PlayerState(4, 80)], to_act=0, pot=9, opener=0
    )
    sent = hand_view_to_proto(seen.view_for(hand, 3), "table")
    assert (sent.hand_id, sent.number, sent.to_act, sent.opener, sent.pot) == ("table-12", 12, 3, 3, 9)
    assert tuple(sent.seats[0].cards) == cards
    assert sent.own == pb.OwnHandView(positions=(1, 3, 5, 7, 9), discards=thrown, may_open=True)
    assert sent.seats[0].discarded == 1
    assert not sent.seats[1].HasField("discarded")
    other = hand_view_to_proto(seen.view_for(hand, 4), "table")
    assert other.HasField("own")
    assert not other.seats[0].cards
    assert not hand_view_to_proto(seen.view_for(hand, None), "table").HasField("own")


def test_a_shown_hand_is_named_in_both_languages() -> None:
    """HandShown carries the value's name in English and in Italian."""
    event = core.HandShown(2, parse_cards("Jh Jd 9c 8s 7h"), HandValue(Category.ONE_PAIR, (11, 9, 8, 7)))
    sent = pb.TableEvent.FromString(event_view_to_bytes(seen.event_for(event, None), "t")).hand_shown
    assert (sent.value_en, sent.value_it) == ("pair of jacks", "coppia di fanti")


def test_a_winner_without_a_chip_is_named() -> None:
    """Each winner has a share, of nothing where there were fewer chips than winners."""
    event = core.PotAwarded(0, 1, (1, 2, 3), (1, 3), {3: 1})
    sent = pb.TableEvent.FromString(event_view_to_bytes(seen.event_for(event, None), "t")).pot_awarded
    assert [(share.seat, share.amount) for share in sent.shares] == [(1, 0), (3, 1)]
