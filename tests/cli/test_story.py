"""Hands told: golden stories of the shared scripts, and any hand at all."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from servito.table.v1 import table_pb2 as pb
from servito_cli.story.telling import Tale, Teller, tell
from servito_cli.texts import TEXTS, Language
from servito_cli.words import letters
from servito_client.bots.own_cards import OwnCards
from servito_client.following import Following
from servito_client.messages import (
    ActionKind,
    AntePosted,
    CardsDealt,
    CardsDrawn,
    Event,
    HandShown,
    HandStarted,
    Phase,
    PhaseBegan,
    SeatActed,
    TableConfig,
    TableView,
)
from servito_core.events import Event as CoreEvent
from servito_core.events import HandEnded
from servito_core.rules import PRESETS, RuleSet, preset
from tests.cli.stories import GOLDEN, TOLD, config_of, own, seen, story
from tests.wire.play import RULES, moments

ALL = {**RULES, **{name: preset(name) for name in PRESETS}}
SALA = TableConfig(name="Sala 1", preset="italiana")


@pytest.mark.parametrize("name", TOLD)
def test_scripts_are_told_as_a_player_would_read_them(name: str) -> None:
    """The golden stories; `python -m tests.cli.stories` writes them anew, to be read before they are kept."""
    assert story(name) == (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def random_deals(rules: RuleSet, players: int, seed: int) -> Iterator[list[CoreEvent]]:
    """The events of some whole deals played at random."""
    played = moments(rules, players, seed, deals=3)
    for _, deal in groupby(played, key=lambda moment: moment.hand.number):
        yield [moment.event for moment in deal]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(ALL)), st.integers(2, 9), st.integers(0, 10_000), st.sampled_from([*Language]))
def test_any_hand_can_be_told_and_the_pot_adds_up(
    rules: str, players: int, seed: int, language: Language
) -> None:
    """Through time-outs, leaving and void hands, the pot that is told is what the hand carries in the end."""
    for deal in random_deals(ALL[rules], players, seed):
        config = config_of(ALL[rules])
        table = Following(view=TableView(config=config))
        teller = Teller(table, TEXTS[language].story, letters)
        lines = [line for event in seen(deal, None) for line in teller.lines(event)]
        assert all(line.strip() for line in lines)
        assert not [line for line in lines if set("{}") & set(line)]
        ended = deal[-1]
        assert isinstance(ended, HandEnded)
        assert table.view.hand.pot == ended.carried


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 9), st.integers(0, 10_000))
def test_a_seat_reads_from_its_stream_the_cards_that_it_ends_with(players: int, seed: int) -> None:
    """Dealt less discards plus draws is what it shows."""
    for deal in random_deals(RuleSet(), players, seed):
        for event in seen(deal, None):
            if isinstance(event, HandShown):
                hand = own(deal, event.seat)
                assert sorted(hand.held) == sorted(event.cards)
                assert len(hand.dealt) == 5


def test_what_is_not_known_is_told_as_a_number_of_cards() -> None:
    """Without the players' leave no card is told before the showdown."""
    events: list[Event] = [
        HandStarted(seats=[1], stacks=[9], lowest_rank=7, requirement="JJ", button=1),
        CardsDealt(),
        SeatActed(seat=1, kind=ActionKind.ACTION_KIND_DRAW, discarded=4),
        CardsDrawn(seat=1, count=3),
        CardsDrawn(seat=1, count=1, deferred=True),
    ]
    tale = Tale(SALA, {1: "anna"}, events)
    assert [line.strip() for line in tell(tale)[3:]] == [
        "anna throws 4 cards",
        "anna gets 3 cards",
        "anna gets a card, owed beyond three",
    ]


def test_cards_are_written_as_the_terminal_allows() -> None:
    """Signs for the suits, or the letters of the scripts; best cards first."""
    shown = HandShown(seat=1, cards=[0, 51], value_it="a", value_en="b")
    started = HandStarted(seats=[1], stacks=[9], lowest_rank=9)
    tale = Tale(SALA, {1: "anna"}, [started, shown])
    assert "A♥ 2♠" in tell(tale)[-1]
    assert "Ah 2s" in tell(tale, letters)[-1]


def test_live_antes_are_part_of_the_bets_of_the_first_round() -> None:
    """A call names the whole total and costs the difference; who has no more is all in."""
    events: list[Event] = [
        HandStarted(seats=[1, 2], stacks=[9, 4], lowest_rank=9, requirement="none", button=2),
        AntePosted(seat=1, amount=1),
        AntePosted(seat=2, amount=2),
        CardsDealt(),
        SeatActed(seat=1, kind=ActionKind.ACTION_KIND_RAISE, to=5),
        SeatActed(seat=2, kind=ActionKind.ACTION_KIND_CALL, to=4),
    ]
    tale = Tale(TableConfig(name="Sala 1", preset="libera"), {1: "anna", 2: "bruno"}, events)
    assert [line.strip() for line in tell(tale)] == [
        "Sala 1, hand 0: 2 players, 24 cards from the nine up, any hand opens",
        "bruno has the button",
        "antes: 1, 2, live   (pot 3)",
        "five cards each",
        "anna raises to 5   (pot 7)",
        "bruno calls 4, all in   (pot 9)",
    ]
    assert "  inviti: 1, 2, vivi   (piatto 3)" in tell(tale, texts=TEXTS[Language.IT].story)


def test_giving_up_at_the_showdown_is_a_concession() -> None:
    """The event is a fold; where it happens says what it was."""
    events: list[Event] = [
        HandStarted(seats=[1], stacks=[9], lowest_rank=9, requirement="JJ", button=1),
        PhaseBegan(phase=Phase.PHASE_SHOWDOWN),
        SeatActed(seat=1, kind=ActionKind.ACTION_KIND_FOLD),
    ]
    assert tell(Tale(SALA, {1: "anna"}, events))[-1].strip() == "anna concedes without showing"


def test_what_opens_is_told_as_it_counts_in_this_deal() -> None:
    """Draws that open besides the pair, and only where they count above the first level."""
    accomodo = TableConfig(name="Sala 1", preset="accomodo")
    low = HandStarted(seats=[1, 2], stacks=[9, 9], lowest_rank=9, requirement="JJ")
    high = HandStarted(seats=[1, 2], stacks=[9, 9], lowest_rank=9, requirement="QQ", raised=True)
    assert "JJ or better opens, or four to an open-ended straight" in tell(Tale(accomodo, {}, [low]))[0]
    assert tell(Tale(accomodo, {}, [high]))[0].endswith("straight")
    accomodo.options["open.draw_in_raised_deals"] = "false"
    assert tell(Tale(accomodo, {}, [high]))[0].endswith("QQ or better opens")


def test_own_cards_may_be_missing() -> None:
    """A bot that joined in the middle knows no deal: its cards are told as a number."""
    events: list[Event] = [
        HandStarted(seats=[1], stacks=[9], lowest_rank=9),
        CardsDealt(),
        SeatActed(seat=1, kind=ActionKind.ACTION_KIND_DRAW, discarded=2),
        CardsDrawn(seat=1, count=2),
    ]
    tale = Tale(SALA, {1: "anna"}, events, {1: OwnCards(hand_id="t-1")})
    assert tell(tale)[-1].strip() == "anna gets 2 cards"


def test_a_change_of_rules_is_told_step_by_step() -> None:
    """Who proposed what, who said yes or no, and what came of it."""
    change = pb.RuleChange(option="ante", before="1", after="2")
    events: list[Event] = [
        pb.RulesProposed(proposal_id=1, seat=1, player="anna", changes=[change]),
        pb.RulesAgreed(proposal_id=1, seat=2),
        pb.RulesRefused(proposal_id=1, seat=3),
        pb.RulesLapsed(proposal_id=1, reason=pb.LAPSE_REASON_REFUSED),
        pb.RulesProposed(proposal_id=2, seat=1, player="anna", changes=[change]),
        pb.RulesAccepted(proposal_id=2),
        pb.RulesChanged(proposal_id=2, changes=[change]),
    ]
    assert [line.strip() for line in tell(Tale(SALA, {2: "bruno", 3: "carla"}, events))] == [
        "anna proposes other rules: ante 1 -> 2",
        "bruno agrees to them",
        "carla refuses them",
        "The rules stay as they are.",
        "anna proposes other rules: ante 1 -> 2",
        "Everybody agrees: they come with the next hand that has no carried pot.",
        "The rules are from now on: ante 1 -> 2",
    ]


def test_the_course_of_a_table_is_told() -> None:
    """Closing is told where a hand still runs; who gets what back of a carried pot is told by name."""
    started = HandStarted(seats=[1, 2], stacks=[9, 9], lowest_rank=9, requirement="none")
    shares = [pb.CarriedShare(player="anna", seat=1, amount=4), pb.CarriedShare(player="dora", amount=3)]
    back = pb.CarriedReturned(shares=shares)
    events: list[Event] = [pb.TablePaused(), pb.TableResumed(), pb.TableClosing(), back, pb.TableClosed()]
    assert [line.strip() for line in tell(Tale(SALA, {1: "anna"}, events))] == [
        "The table is paused: no new hand begins.",
        "The table goes on.",
        "anna gets back 4 of the carried pot",
        "dora gets back 3 of the carried pot",
        "The table is closed.",
    ]
    running = tell(Tale(SALA, {1: "anna"}, [started, pb.TableClosing()]), texts=TEXTS[Language.IT].story)
    assert running[-1] == "  Il tavolo chiude dopo questa mano."


def test_maintenance_is_told_in_both_languages() -> None:
    """With what it means for who sits there: the hand is finished, and nobody has to leave."""
    why = pb.PAUSE_REASON_MAINTENANCE
    events: list[Event] = [pb.TablePaused(reason=why), pb.TableResumed(reason=why)]
    assert [line.strip() for line in tell(Tale(SALA, {1: "anna"}, events))] == [
        "Maintenance: the hand is finished, and no other is dealt until it is over. Seats and chips stay.",
        "Maintenance is over: play goes on.",
    ]
    told = tell(Tale(SALA, {1: "anna"}, events), texts=TEXTS[Language.IT].story)
    assert [line.strip() for line in told] == [
        "Manutenzione: si finisce la mano e poi non se ne danno altre. Posti e gettoni restano.",
        "La manutenzione è finita: si riprende.",
    ]


def test_more_time_and_what_was_decided_beforehand_are_told() -> None:
    """Who gets more time and how often still; to the player himself also what he wants, or no longer."""
    call = pb.PreAction(kind=pb.PRE_ACTION_KIND_CALL, amount=6)
    fold = pb.PreAction(kind=pb.PRE_ACTION_KIND_CHECK_OR_FOLD)
    events: list[Event] = [
        pb.TimeBankUsed(seat=1, left=2, ms=20_000),
        pb.TimeBankReturned(seat=1, left=3),
        pb.ClockRestored(seat=1, ms=5_000),
        pb.PreActionSet(seat=1, pre_action=fold),
        pb.PreActionEnded(seat=1, reason=pb.PRE_ACTION_END_TAKEN_BACK),
        pb.PreActionSet(seat=1, pre_action=call),
        pb.PreActionEnded(seat=1, reason=pb.PRE_ACTION_END_DROPPED),
        pb.PreActionEnded(seat=1, reason=pb.PRE_ACTION_END_DONE),
        pb.PreActionEnded(seat=1, reason=pb.PRE_ACTION_END_OVER),
    ]
    assert [line.strip() for line in tell(Tale(SALA, {1: "anna"}, events))] == [
        "anna takes 20 seconds more; extra times left: 2",
        "anna has an extra time back, and has 3 now",
        "the table could not be reached for a while: anna has 5 seconds again",
        "anna decides beforehand: check or fold",
        "anna takes back what was decided beforehand",
        "anna decides beforehand: call 6",
        "what anna decided beforehand does not fit any more",
    ]
    italian = tell(Tale(SALA, {1: "anna"}, events), texts=TEXTS[Language.IT].story)
    assert [line.strip() for line in (italian[0], italian[5])] == [
        "anna prende altri 20 secondi; proroghe rimaste: 2",
        "anna decide in anticipo: vede 6",
    ]


def test_seats_and_the_waiting_list_are_told() -> None:
    """Who sits out and why, who adds chips, who waits, and whom the table makes stand up."""
    events: list[Event] = [
        pb.SatOut(seat=1, reason=pb.SIT_OUT_REASON_ASKED),
        pb.SatOut(seat=2, reason=pb.SIT_OUT_REASON_AWAY),
        pb.SeatPresent(seat=1),
        pb.SatIn(seat=1),
        pb.TopUpAsked(seat=1, amount=30),
        pb.ToppedUp(seat=1, player="anna", amount=25),
        pb.ToppedUp(seat=1, player="anna"),
        pb.WaitingJoined(player="carla"),
        pb.PlayerStood(seat=2, player="bruno", cashed_out=8, reason=pb.STAND_REASON_REMOVED),
        pb.SeatOffered(seat=2, player="carla", open_ms=30_000),
        pb.WaitingLeft(player="carla", reason=pb.WAITING_REASON_LAPSED),
    ]
    tale = Tale(SALA, {1: "anna", 2: "bruno"}, events)
    assert [line.strip() for line in tell(tale)] == [
        "anna sits out from the next hand on",
        "bruno is away and sits out from the next hand on",
        "anna is dealt in again",
        "anna adds 30 when the hand is over",
        "anna adds 25",
        "carla waits for a seat",
        "bruno has not played for too long and is made to stand up, with 8",
        "seat 2 is held for carla for 30 seconds",
        "carla did not take the seat in time",
    ]
    assert [line.strip() for line in tell(tale, texts=TEXTS[Language.IT].story)][1::5] == [
        "bruno non risponde e salta le mani dalla prossima in poi",
        "bruno non gioca da troppo tempo e deve alzarsi, con 8",
    ]
