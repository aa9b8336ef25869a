"""What is remembered of a table: every deal counted, the best hands kept with the cards that bots tell."""

from __future__ import annotations

from servito.table.v1 import table_pb2 as pb
from servito_cli.demo.chronicle import REMEMBERED, Chronicle
from servito_client.bots.own_cards import OwnCards
from servito_client.messages import (
    Event,
    HandEnded,
    HandShown,
    HandStarted,
    Outcome,
    Phase,
    PlayerSat,
    PotAwarded,
    TurnExpired,
)
from servito_client.updates import Snapshot, Update

SALA = pb.TableConfig(name="Sala 1", preset="italiana")


def update(*events: Event) -> Update:
    """One commit; the chronicle looks at its events alone."""
    return Update(version=1, events=events, to_act=None, turn_id=0, remaining_ms=0, offer=None)


def hand(number: int, shown: int = 0, *more: Event) -> list[Update]:
    """A hand in which `shown` seats show their cards."""
    return [
        update(HandStarted(hand_id=f"t-{number}", number=number), *more),
        update(*[HandShown(seat=seat) for seat in range(shown)], PotAwarded()),
        update(HandEnded(outcome=Outcome.OUTCOME_SHOWDOWN)),
    ]


def test_the_hands_that_show_most_are_kept_with_names_and_own_cards() -> None:
    """Dull hands are counted and forgotten; a kept one is whole, from its start to its end."""
    chronicle = Chronicle(SALA, keep=1)
    chronicle.told(update(PlayerSat(seat=0, player="anna"), PlayerSat(seat=3, player="bruno")))
    for number, shown in ((1, 0), (2, 3), (3, 1)):
        for told in hand(number, shown):
            chronicle.told(told)
        chronicle.own_cards(0, OwnCards(hand_id=f"t-{number}", dealt=(number,)))
    assert chronicle.hands == 3
    [(_, tale)] = chronicle.best()
    assert tale.names == {0: "anna", 3: "bruno"}
    assert isinstance(tale.events[0], HandStarted)
    assert tale.events[0].number == 2
    assert isinstance(tale.events[-1], HandEnded)
    assert tale.own[0].dealt == (2,)


def test_own_cards_of_a_kept_hand_outlast_those_of_many_others() -> None:
    """What is needed to tell the best hand is not pushed out by later ones."""
    chronicle = Chronicle(SALA, keep=1)
    for number in range(1, 3 * REMEMBERED):
        for told in hand(number, shown=4 if number == 1 else 0):
            chronicle.told(told)
        chronicle.own_cards(0, OwnCards(hand_id=f"t-{number}", dealt=(number,)))
    [(_, tale)] = chronicle.best()
    assert tale.own[0].dealt == (1,)


def test_hands_stay_counted_across_a_snapshot() -> None:
    """A spectator who missed hands knows their number from the running one's."""
    chronicle = Chronicle(SALA)
    for told in hand(1):
        chronicle.told(told)
    running = pb.HandView(number=9, phase=Phase.PHASE_DRAW)
    chronicle.told(Snapshot(pb.TableView(hand=running)))
    assert (chronicle.hands, chronicle.running) == (8, True)
    chronicle.told(update(HandEnded()))
    assert (chronicle.hands, chronicle.running) == (9, False)
    chronicle.told(Snapshot(pb.TableView(hand=pb.HandView(number=9, phase=Phase.PHASE_OVER))))
    assert (chronicle.hands, chronicle.running) == (9, False)


def test_turns_ended_by_the_clock_are_counted() -> None:
    """Each expiry once."""
    chronicle = Chronicle(SALA)
    chronicle.told(update(TurnExpired(seat=1), TurnExpired(seat=2)))
    assert chronicle.timeouts == 2
