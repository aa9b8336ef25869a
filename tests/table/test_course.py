"""A table's own course: what a pause stops and what not, and that closing gives every chip back."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import replace

import pytest

from servito_core.commands import Pass
from servito_core.events import HandEnded, Outcome
from servito_table.app.commands import (
    CloseTable,
    JoinWaitingList,
    PauseTable,
    ProposeRules,
    ResumeTable,
    Sit,
    SitIn,
    SitOut,
    Stand,
    TableCommand,
    TopUp,
)
from servito_table.app.events import (
    CarriedReturned,
    CarriedShare,
    Lapse,
    PlayerStood,
    RulesLapsed,
    Stood,
    TableClosed,
    TableClosing,
    TablePaused,
    TableResumed,
)
from servito_table.app.evolve import fold
from servito_table.app.expiry import Expiry
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.seat_events import Unlisted, WaitingLeft
from servito_table.app.status import Status
from servito_table.app.waits import WaitKind
from tests.table.room import CONFIG, Room

AT_ONCE = replace(CONFIG, pause_ms=0)


async def owner(room: Room, command: TableCommand) -> None:
    """The owner's wish."""
    await room.run(command, room.request("owner"))


async def pause(room: Room) -> None:
    """Pause."""
    await owner(room, PauseTable("owner"))


async def resume(room: Room) -> None:
    """Resume."""
    await owner(room, ResumeTable("owner"))


async def close(room: Room) -> None:
    """Close."""
    await owner(room, CloseTable("owner"))


async def refusal(room: Room, command: TableCommand, player: str = "owner") -> TableReason:
    """Why a command is refused; nothing has changed by it."""
    before = room.known
    with pytest.raises(TableRefused) as refused:
        await room.run(command, room.request(player, f"no{len(room.store.commits)}"))
    assert room.known is before
    return refused.value.reason


def last_events(room: Room) -> tuple[object, ...]:
    """What the latest commit told."""
    return room.store.commits[-1].events


def journal(room: Room) -> dict[str, int]:
    """Buy-ins less cash-outs of every player, from all commits."""
    moved: dict[str, int] = {}
    for commit in room.store.commits:
        for player, amount in commit.money:
            moved[player] = moved.get(player, 0) + amount
    return moved


async def pass_out(room: Room) -> None:
    """Nobody opens the hand that runs."""
    number = room.hand.number
    while room.state.running is not None and room.hand.number == number:
        player, offer = room.offer()
        await room.act(player, Pass(offer.seat))


async def play_out(room: Room, style: random.Random) -> None:
    """Play the hand that runs to its end."""
    number = room.hand.number
    while room.state.running is not None and room.hand.number == number:
        await room.play_on(style)


@pytest.mark.parametrize("config", [CONFIG, AT_ONCE])
async def test_a_pause_lets_the_hand_end_and_none_begin(room: Room, config: object) -> None:
    """The seat to act keeps turn and deadline; after the hand nothing is waited for but the owner."""
    await room.open(config, "r1")  # type: ignore[arg-type]  # one of the two above
    await room.sit("ann", "bob")
    if room.state.running is None:
        await room.due()
    turn, deadline = room.state.turn, room.known.deadline
    await pause(room)
    assert last_events(room) == (TablePaused(),)
    assert (room.state.turn, room.known.deadline) == (turn, deadline)
    await pass_out(room)
    assert room.waits_for(WaitKind.OWNER)
    assert (room.known.deadline, room.store.deadlines) == (0, {})
    assert await room.expire() is Expiry.NOT_DUE
    assert room.hand.number == 1
    await resume(room)
    assert room.state.status is Status.OPEN
    if room.state.running is None:
        await room.due()
    assert room.hand.number == 2


async def test_a_pause_between_hands_takes_the_deadline_away(room: Room) -> None:
    """The hand that was about to begin does not; the wait of before is over for whoever names it."""
    await room.sit("ann", "bob")
    turn = room.state.turn
    await pause(room)
    assert room.store.deadlines == {}
    assert await room.expire(turn) is Expiry.STALE
    assert room.state.running is None
    await resume(room)
    assert last_events(room) == (TableResumed(),)
    assert room.waits_for(WaitKind.PAUSE)


async def test_people_come_and_go_while_it_is_paused(room: Room) -> None:
    """Sitting, leaving and agreeing on rules go on; only hands do not begin."""
    await room.sit("ann")
    await pause(room)
    await room.sit("bob", "cat")
    await room.stand("ann")
    await room.run(ProposeRules("bob", {"ante": "2"}), room.request("bob"))
    assert [own.player for own in room.state.seats] == ["bob", "cat"]
    assert room.waits_for(WaitKind.OWNER)


async def test_closing_an_idle_table_cashes_everybody_out_at_once(room: Room) -> None:
    """One commit: closing, everybody stands because of it, closed; nothing is left in play or waited for."""
    await room.sit("ann", "bob")
    await close(room)
    assert last_events(room) == (
        TableClosing(),
        PlayerStood(0, "ann", 100, Stood.CLOSED),
        PlayerStood(1, "bob", 100, Stood.CLOSED),
        TableClosed(),
    )
    assert (room.state.status, room.state.chips, room.store.deadlines) == (Status.CLOSED, 0, {})
    assert journal(room) == {"ann": 0, "bob": 0}
    assert room.waits_for(WaitKind.NOTHING)


async def test_closing_waits_for_the_hand_that_runs(room: Room) -> None:
    """The turn goes on; with the last event of the hand all is paid out, who left meanwhile among them."""
    await room.sit("ann", "bob", "cat")
    await room.due()
    turn, deadline = room.state.turn, room.known.deadline
    await close(room)
    assert last_events(room) == (TableClosing(),)
    assert (room.state.turn, room.known.deadline, room.state.status) == (turn, deadline, Status.CLOSING)
    assert await refusal(room, Sit("dan", None, 100), "dan") is TableReason.TABLE_CLOSED
    await room.stand("cat")
    await play_out(room, random.Random(3))
    ended = last_events(room)
    place = next(place for place, event in enumerate(ended) if isinstance(event, HandEnded))
    reasons = {e.player: e.reason for e in ended[place:] if isinstance(e, PlayerStood)}
    assert reasons == {"ann": Stood.CLOSED, "bob": Stood.CLOSED, "cat": Stood.LEFT}
    assert ended[-1] == TableClosed()
    assert room.state.chips == 0
    assert sum(journal(room).values()) == 0


async def test_a_carried_pot_goes_back_to_who_put_it_in(room: Room) -> None:
    """Two passed-out deals, the second one with a third player: each gets his antes back."""
    await room.open(replace(CONFIG, options={"ante": "5"}), "r1")
    await room.sit("ann", "bob")
    await room.due()
    await pass_out(room)
    await room.sit("cat")
    await room.due()
    await pass_out(room)
    assert (room.state.between.carried, room.state.stakes) == (25, (("bob", 10), ("ann", 10), ("cat", 5)))
    await close(room)
    assert last_events(room)[1] == CarriedReturned(
        (CarriedShare("bob", 1, 10), CarriedShare("ann", 0, 10), CarriedShare("cat", 2, 5))
    )
    assert journal(room) == {"ann": 0, "bob": 0, "cat": 0}
    assert room.state.between.carried == 0


async def test_a_void_hand_leaves_a_carried_pot_as_it_was(room: Room) -> None:
    """What was put in during it is back already; what was carried before is whose it was."""
    await room.open(replace(CONFIG, options={"ante": "5"}), "r1")
    await room.sit("ann", "bob")
    await room.due()
    await pass_out(room)
    before = room.state.stakes
    room.dealer.lost = True
    await room.due()
    assert (room.hand.number, room.hand.outcome) == (2, Outcome.VOID)
    assert (room.state.stakes, sum(chips for _, chips in before)) == (before, room.state.between.carried)


async def test_who_left_a_carried_pot_behind_gets_his_part_of_it(room: Room) -> None:
    """Nobody plays for it any more, so it is his again, cashed out without a seat; newcomers get nothing."""
    await room.open(replace(CONFIG, options={"ante": "5"}), "r1")
    await room.sit("ann", "bob")
    await room.due()
    await pass_out(room)
    await room.stand("ann")
    await room.stand("bob")
    await room.sit("eve")
    assert journal(room) == {"ann": 5, "bob": 5, "eve": 100}
    await close(room)
    shares = (CarriedShare("bob", None, 5), CarriedShare("ann", None, 5))
    assert last_events(room)[1] == CarriedReturned(shares)
    assert journal(room) == {"ann": 0, "bob": 0, "eve": 0}
    assert room.state.chips == 0


async def test_a_pot_of_before_these_were_noted_is_divided(room: Room) -> None:
    """A stored table of an earlier release says only how much is carried: equal parts, odd chips in order."""
    await room.open(replace(CONFIG, options={"ante": "3"}), "r1")
    await room.sit("ann", "bob", "cat")
    await room.due()
    await pass_out(room)
    await room.stand("cat")
    old = room.state.copied()
    old.stakes = ()
    room.store.tables[room.table_id] = replace(room.known, state=old, version=room.known.version + 1)
    await close(room)
    assert last_events(room)[1] == CarriedReturned((CarriedShare("ann", 0, 5), CarriedShare("bob", 1, 4)))
    assert room.state.chips == 0


async def test_a_pot_of_before_that_nobody_sits_at(room: Room) -> None:
    """Nobody can be named: the owner is cashed out, and no chip goes with the table."""
    await room.open(replace(CONFIG, options={"ante": "3"}), "r1")
    await room.sit("ann", "bob")
    await room.due()
    await pass_out(room)
    await room.stand("ann")
    await room.stand("bob")
    old = room.state.copied()
    old.stakes = ()
    room.store.tables[room.table_id] = replace(room.known, state=old, version=room.known.version + 1)
    await close(room)
    assert last_events(room)[1] == CarriedReturned((CarriedShare("owner", None, 6),))
    assert (room.state.chips, sum(journal(room).values())) == (0, 0)


async def test_a_proposal_lapses_with_the_table(room: Room) -> None:
    """Open or accepted: there is no hand for it, and its deadline goes with it."""
    await room.sit("ann", "bob")
    await room.due()
    await room.run(ProposeRules("ann", {"ante": "2"}), room.request("ann"))
    await close(room)
    assert last_events(room) == (RulesLapsed(1, Lapse.CLOSED), TableClosing())
    assert not [member for member in room.store.deadlines if ":p" in member]


async def test_what_is_refused(room: Room) -> None:
    """By whom and when; each with nothing changed by it."""
    await room.sit("ann", "bob")
    for command in (PauseTable("ann"), ResumeTable("ann"), CloseTable("ann")):
        assert await refusal(room, command, "ann") is TableReason.NOT_PERMITTED
    assert await refusal(room, ResumeTable("owner")) is TableReason.NOTHING_TO_CHANGE
    await pause(room)
    assert await refusal(room, PauseTable("owner")) is TableReason.NOTHING_TO_CHANGE
    await resume(room)
    await room.due()
    await close(room)
    assert await refusal(room, CloseTable("owner")) is TableReason.NOTHING_TO_CHANGE
    assert await refusal(room, PauseTable("owner")) is TableReason.TABLE_CLOSED
    assert await refusal(room, ProposeRules("ann", {"ante": "2"}), "ann") is TableReason.TABLE_CLOSED
    await play_out(room, random.Random(1))
    assert await refusal(room, ResumeTable("owner")) is TableReason.TABLE_CLOSED
    assert await refusal(room, CloseTable("owner")) is TableReason.NOTHING_TO_CHANGE
    assert await refusal(room, Sit("eve", 0, 100), "eve") is TableReason.TABLE_CLOSED


async def test_a_repeated_request_changes_nothing(room: Room) -> None:
    """The second answer is the first one, also when the table was resumed in between."""
    request = room.request("owner")
    first = await room.run(PauseTable("owner"), request)
    await resume(room)
    assert await room.run(PauseTable("owner"), request) == first
    assert room.state.status is Status.OPEN


async def test_two_processes_close_one_table(room: Room) -> None:
    """The owner asks both at once, by two requests: one closes it, the other finds it closed."""
    other = room.other()
    await other.play.see(room.table_id)
    await close(room)
    assert await refusal(other, CloseTable("owner")) is TableReason.NOTHING_TO_CHANGE
    assert room.state.status is Status.CLOSED


async def test_a_table_that_everybody_left_alone_closes(room: Room) -> None:
    """Nobody acts any more: the clock plays the hand to its end, and with it the table closes."""
    await room.sit("ann", "bob", "cat")
    await room.due()
    await close(room)
    for _ in range(50):
        if room.state.status is Status.CLOSED:
            break
        await room.due()
    assert (room.state.status, room.state.chips, room.store.deadlines) == (Status.CLOSED, 0, {})


async def test_who_waits_for_a_seat_waits_no_longer(room: Room) -> None:
    """Also whose seat is held for him already; nothing is offered while the last hand runs."""
    await room.open(replace(AT_ONCE, seats=2), "r1")
    await room.sit("ann", "bob")
    await room.run(JoinWaitingList("cat"), room.request("cat"))
    await close(room)
    assert last_events(room) == (WaitingLeft("cat", Unlisted.CLOSED), TableClosing())
    await room.stand("ann")
    assert (room.state.status, room.state.waiting, room.store.deadlines) == (Status.CLOSED, (), {})


async def _beside_the_hand(room: Room, style: random.Random, step: int) -> None:
    """Somebody leaves, sits out, adds chips or waits; what is refused is refused."""
    player = style.choice([own.player for own in room.state.seats])
    wishes: list[TableCommand] = [
        Stand(player),
        SitOut(player),
        SitIn(player),
        TopUp(player, 20),
        JoinWaitingList(f"w{step}"),
    ]
    wish = style.choice(wishes)
    with suppress(TableRefused):
        await room.run(wish, room.request(player))


@pytest.mark.parametrize("seed", range(12))
async def test_whenever_it_closes_every_chip_is_given_back(room: Room, seed: int) -> None:
    """Random play under rules that carry pots, with people coming and going, closed at a random moment;
    what is noted of a carried pot adds up to it all the time, and events alone give the state.
    """
    style = random.Random(seed)
    rules = {
        "ante": "7",
        "parola.mode": "carry_over",
        "parola.reentry": style.choice(["free", "pay_difference"]),
    }
    await room.open(replace(AT_ONCE, options=rules), "r1")
    await room.sit("ann", "bob", "cat")
    begin = room.store.commits[1].state
    for step in range(style.randrange(5, 150)):
        if room.state.running is None:
            if room.wait.kind is not WaitKind.PLAYERS:
                raise AssertionError("the next hand begins at once")
            await room.sit(f"new{step}")
        elif style.random() < 0.1:
            await _beside_the_hand(room, style, step)
        else:
            await room.play_on(style)
        if room.state.running is None:
            assert sum(amount for _, amount in room.state.stakes) == room.state.between.carried
    await close(room)
    if room.state.running is not None:
        await play_out(room, style)
    assert room.state.status is Status.CLOSED
    assert (room.state.chips, room.state.seats, sum(journal(room).values())) == (0, (), 0)
    assert (room.store.deadlines, room.known.waits, room.state.waiting) == ({}, {}, ())
    state = fold(begin, (event for commit in room.store.commits[2:] for event in commit.events))
    state.turn = room.state.turn
    assert state == room.state
