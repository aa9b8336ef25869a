"""A table kept current from events alone is the table that the server would show."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from servito.table.v1 import table_pb2 as pb
from servito_client.following import Following
from servito_client.messages import (
    CarriedReturned,
    CarriedShare,
    Event,
    HandEnded,
    LapseReason,
    Offer,
    PauseReason,
    PlayerLeaving,
    PlayerSat,
    PlayerStood,
    PreActionEnd,
    PreActionEnded,
    PreActionSet,
    RuleChange,
    RulesAccepted,
    RulesAgreed,
    RulesChanged,
    RulesLapsed,
    RulesProposed,
    RulesRefused,
    SatIn,
    SatOut,
    SeatOffered,
    SeatPresent,
    SeatView,
    SitOutReason,
    TableClosed,
    TableClosing,
    TableConfig,
    TablePaused,
    TableResumed,
    TableStatus,
    TableView,
    TimeBankReturned,
    TimeBankUsed,
    ToppedUp,
    TopUpAsked,
    WaitingJoined,
    WaitingLeft,
    WaitingReason,
    event_of,
)
from servito_client.pre_actions import call_exactly, check_or_fold
from servito_client.table_rules import rule_of
from servito_client.updates import Snapshot, Update, Warned
from servito_core.rules import RuleSet
from servito_core.rules.option import written
from servito_core.view import event_for, view_for
from servito_wire.views import event_view_to_bytes, hand_view_to_proto
from tests.core.hand.rule_sets import random_rules
from tests.wire.play import moments


def empty_table(rules: RuleSet, own_seat: int | None) -> TableView:
    """A table under these rules where everybody has just sat down."""
    options = {key: written(value) for key, value in rules.differences().items()}
    config = TableConfig(name="Sala", preset="italiana", options=options)
    return TableView(table_id="t1", config=config, own_seat=own_seat)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 10), st.integers(0, 10_000), st.booleans())
def test_events_alone_give_what_the_server_would_show(players: int, seed: int, italiana: bool) -> None:
    """Under any rules, for a seat and for a spectator, after every event; to act is the update's to say."""
    rules = RuleSet() if italiana else random_rules(Random(seed), players)
    if rules.draw_opener_split == "forbidden":  # it only refuses, and the random player does not expect that
        rules = replace(rules, draw_opener_split="announce")
    for viewer in (None, seed % players):
        following = Following(view=empty_table(rules, viewer))
        for moment in moments(rules, min(players, rules.players_max), seed, deals=3):
            told = event_of(
                pb.TableEvent.FromString(event_view_to_bytes(event_for(moment.event, viewer), "t1"))
            )
            assert told is not None
            following.event(told)
            shown = hand_view_to_proto(view_for(moment.hand, viewer), "t1")
            shown.ClearField("to_act")
            assert following.view.hand == shown
            if isinstance(told, HandEnded):
                assert following.view.carried == shown.pot


def test_who_sits_stands_and_leaves_is_kept_and_the_own_seat_known() -> None:
    """Seats stay in their order; a listener who sits down knows from then on which seat is his."""
    following = Following("anna", TableView(table_id="t1", seats=[SeatView(seat=3, player="bruno", stack=9)]))
    following.event(PlayerSat(seat=1, player="anna", buy_in=40))
    assert [(seat.seat, seat.stack) for seat in following.view.seats] == [(1, 40), (3, 9)]
    assert (following.view.own_seat, following.name(3)) == (1, "bruno")
    following.view.config.time_banks = 3
    for seat, told in ((0, None), (2, 1), (4, 0)):  # who comes back may have fewer than all
        following.event(PlayerSat(seat=seat, player=f"p{seat}", buy_in=5, time_banks=told))
    assert [seat.time_banks for seat in following.view.seats] == [3, 0, 1, 0, 0]
    for seat in (0, 2, 4):
        following.event(PlayerStood(seat=seat, player=f"p{seat}"))
    following.view.hand.seats.add(seat=1)
    following.event(PlayerLeaving(seat=1))
    assert following.view.hand.seats[0].left
    assert [seat.leaving for seat in following.view.seats] == [True, False]
    following.event(PlayerStood(seat=1, player="anna"))
    assert not following.view.HasField("own_seat")
    assert following.name(1) is None


def test_a_change_of_rules_is_followed_to_its_end() -> None:
    """Proposed, agreed to, accepted, in force: the options of the table are the agreed ones then."""
    table = TableView(table_id="t1", config=TableConfig(preset="italiana", options={"ante": "5"}))
    following = Following("anna", table)
    change = RuleChange(option="bet.limit", before="pot", after="none")
    following.event(RulesProposed(proposal_id=4, seat=7, player="anna", changes=[change], open_ms=9_000))
    following.event(RulesAgreed(proposal_id=4, seat=2))
    assert list(following.view.proposal.agreed) == [2, 7]
    assert (following.view.proposal.remaining_ms, following.view.proposal.accepted) == (9_000, False)
    following.event(RulesAccepted(proposal_id=4))
    assert (following.view.proposal.remaining_ms, following.view.proposal.accepted) == (0, True)
    following.event(RulesChanged(proposal_id=4, changes=[change]))
    assert not following.view.HasField("proposal")
    assert rule_of(following.view.config, "bet.limit") == "none"
    assert rule_of(following.view.config, "ante") == "5"


def test_a_proposal_that_lapses_leaves_the_rules_alone() -> None:
    """It is no longer shown and nothing has changed."""
    following = Following("anna", TableView(config=TableConfig(preset="italiana")))
    change = RuleChange(option="ante", before="1", after="2")
    following.event(RulesProposed(proposal_id=1, seat=0, player="bruno", changes=[change], open_ms=9_000))
    following.event(RulesRefused(proposal_id=1, seat=3))
    following.event(RulesLapsed(proposal_id=1, reason=LapseReason.LAPSE_REASON_REFUSED))
    assert following.view == TableView(config=TableConfig(preset="italiana"))


def test_the_course_of_a_table_is_followed_to_its_end() -> None:
    """Paused, going on, closing, closed; what a carried pot gives back is on the stacks before they go."""
    seats = [SeatView(seat=1, player="anna", stack=9), SeatView(seat=3, player="bruno", stack=8)]
    following = Following("anna", TableView(table_id="t1", own_seat=1, seats=seats, carried=7))
    steps: list[tuple[Event, str]] = [
        (TablePaused(), "PAUSED"),
        (TableResumed(), "OPEN"),
        (TableClosing(), "CLOSING"),
    ]
    for event, name in steps:
        following.event(event)
        assert TableStatus.Name(following.view.status) == f"TABLE_STATUS_{name}"
    shares = [CarriedShare(player="bruno", seat=3, amount=4), CarriedShare(player="carla", amount=3)]
    following.event(CarriedReturned(shares=shares))
    assert (following.view.carried, [seat.stack for seat in following.view.seats]) == (0, [9, 12])
    following.event(TableClosed())
    assert TableStatus.Name(following.view.status) == "TABLE_STATUS_CLOSED"


def test_maintenance_is_followed_beside_the_status() -> None:
    """It comes and goes whether the owner paused the table or not, and leaves that as it is."""
    following = Following("anna", TableView(table_id="t1"))
    held = PauseReason.PAUSE_REASON_MAINTENANCE
    following.event(TablePaused())
    following.event(TablePaused(reason=held))
    assert following.view.maintenance
    following.event(TableResumed())
    assert (following.view.maintenance, following.view.status) == (True, TableStatus.TABLE_STATUS_OPEN)
    following.event(TablePaused())
    following.event(TableResumed(reason=held))
    assert (following.view.maintenance, following.view.status) == (False, TableStatus.TABLE_STATUS_PAUSED)


def test_time_banks_and_pre_actions_are_followed() -> None:
    """What a seat has left, from sitting down on; what the own seat wants to do, until that ends."""
    following = Following("anna", TableView(config=TableConfig(time_banks=2)))
    following.event(PlayerSat(seat=1, player="anna", buy_in=40))
    assert following.view.seats[0].time_banks == 2
    following.event(TimeBankUsed(seat=1, left=1, ms=20_000))
    assert following.view.seats[0].time_banks == 1
    following.event(TimeBankReturned(seat=1, left=2))
    assert following.view.seats[0].time_banks == 2
    following.event(PreActionSet(seat=1, pre_action=call_exactly(6)))
    assert following.view.hand.own.pre_action == call_exactly(6)
    following.event(PreActionSet(seat=1, pre_action=check_or_fold()))
    assert following.view.hand.own.pre_action == check_or_fold()
    following.event(PreActionEnded(seat=1, reason=PreActionEnd.PRE_ACTION_END_DONE))
    assert not following.view.hand.own.HasField("pre_action")


def test_a_warning_moves_the_clock_of_its_turn_and_nothing_else() -> None:
    """The offer stays; a warning of a turn that is over is nothing."""
    following = Following("anna")
    following.take(Update(5, (), 1, 7, 9_000, Offer(turn_id=7)))
    following.take(Warned(5, 6, 100))
    assert following.view.hand.remaining_ms == 9_000
    following.take(Warned(5, 7, 4_990))
    assert (following.view.hand.remaining_ms, following.view.hand.offer.turn_id) == (4_990, 7)


def test_messages_of_a_stream_are_taken_whole() -> None:
    """A snapshot replaces all and is not changed itself; an update says who is to act, or that nobody is."""
    table = TableView(table_id="t1", version=4)
    following = Following()
    following.take(Snapshot(table))
    following.take(Update(5, (PlayerSat(seat=1, player="anna", buy_in=40),), 1, 7, 900, Offer(turn_id=7)))
    assert (following.view.version, following.view.hand.to_act, following.view.hand.turn_id) == (5, 1, 7)
    assert following.view.hand.offer.turn_id == 7
    following.take(Update(6, (), None, 8, 0, None))
    assert not following.view.hand.HasField("to_act")
    assert not following.view.hand.HasField("offer")
    assert (table.version, len(table.seats)) == (4, 0)


def test_a_rule_of_a_table_is_its_own_or_its_presets_or_the_default() -> None:
    """The text is that of a configuration file, and a preset that came later does no harm."""
    assert rule_of(TableConfig(preset="libera"), "ante.live") == "true"
    assert rule_of(TableConfig(preset="libera", options={"ante.live": "false"}), "ante.live") == "false"
    assert rule_of(TableConfig(preset="italiana"), "open.requirement") == "JJ"
    assert rule_of(TableConfig(preset="of tomorrow"), "raise.max_count") == "null"


def test_presence_and_chips_to_come_are_followed() -> None:
    """Away, by wish, back again; chips that are noted, and put in."""
    seats = [SeatView(seat=1, player="anna", stack=9), SeatView(seat=3, player="bruno", stack=7)]
    following = Following("anna", TableView(table_id="t1", seats=seats))
    anna, bruno = following.view.seats
    following.event(SatOut(seat=3, reason=SitOutReason.SIT_OUT_REASON_AWAY))
    following.event(TopUpAsked(seat=1, amount=20))
    assert (anna.sitting_out, anna.top_up, anna.stack) == (SitOutReason.SIT_OUT_REASON_UNSPECIFIED, 20, 9)
    assert bruno.sitting_out == SitOutReason.SIT_OUT_REASON_AWAY
    following.event(SeatPresent(seat=3))
    following.event(ToppedUp(seat=1, player="anna", amount=15))
    assert bruno.sitting_out == SitOutReason.SIT_OUT_REASON_AWAY
    assert (anna.top_up, anna.stack) == (0, 24)
    following.event(SatIn(seat=3))
    assert bruno.sitting_out == SitOutReason.SIT_OUT_REASON_UNSPECIFIED


def test_the_waiting_list_is_followed() -> None:
    """Who joins, is offered a seat, takes it, or waits no longer."""
    following = Following("anna", TableView(table_id="t1"))
    for player in ("bruno", "carla", "anna"):
        following.event(WaitingJoined(player=player))
    following.event(SeatOffered(seat=0, player="bruno", open_ms=5_000))
    following.event(SeatOffered(seat=2, player="anna", open_ms=5_000))
    first, second, third = following.view.waiting
    assert [(one.player, one.HasField("seat")) for one in (first, second, third)] == [
        ("bruno", True),
        ("carla", False),
        ("anna", True),
    ]
    assert (first.seat, first.remaining_ms, third.seat) == (0, 5_000, 2)
    following.event(PlayerSat(seat=2, player="anna", buy_in=9))
    following.event(WaitingLeft(player="bruno", reason=WaitingReason.WAITING_REASON_LAPSED))
    assert [one.player for one in following.view.waiting] == ["carla"]
    assert following.view.own_seat == 2
