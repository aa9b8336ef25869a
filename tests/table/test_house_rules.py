"""House rules by consent: who is asked, what a proposal comes to, and when a change comes into force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from servito_core.commands import Open, Pass
from servito_core.events import HandStarted
from servito_table.app.commands import AnswerProposal, ProposeRules
from servito_table.app.events import (
    Lapse,
    PlayerSat,
    PlayerStood,
    RuleChange,
    RulesAccepted,
    RulesAgreed,
    RulesChanged,
    RulesLapsed,
    RulesProposed,
    RulesRefused,
)
from servito_table.app.evolve import fold
from servito_table.app.expiry import Expiry
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.waits import WaitKind
from tests.table.room import CONFIG, Room

NO_LIMIT = {"bet.limit": "none"}
CHANGE = RuleChange("bet.limit", "pot", "none")


async def propose(room: Room, player: str, changes: Mapping[str, str] = NO_LIMIT) -> int:
    """Propose; the number of the proposal."""
    answer = await room.run(ProposeRules(player, changes), room.request(player))
    assert answer.proposal is not None
    return answer.proposal


async def reply(room: Room, player: str, number: int, *, agree: bool = True) -> None:
    """Answer a proposal."""
    await room.run(AnswerProposal(player, number, agree), room.request(player))


def last_events(room: Room) -> tuple[object, ...]:
    """What the latest commit told."""
    return room.store.commits[-1].events


async def refusal(room: Room, player: str, command: ProposeRules | AnswerProposal) -> TableRefused:
    """Why a command is refused; nothing has changed by it."""
    before = room.known
    with pytest.raises(TableRefused) as refused:
        await room.run(command, room.request(player))
    assert room.known is before
    return refused.value


async def pass_out(room: Room) -> None:
    """Nobody opens the hand that runs."""
    number = room.hand.number
    while room.state.running is not None and room.hand.number == number:
        player, offer = room.offer()
        await room.act(player, Pass(offer.seat))


async def win_uncontested(room: Room) -> None:
    """Play until somebody opens and the others fold, so that no pot is carried."""
    for _ in range(200):
        if room.state.running is None:
            if not room.state.between.carried:
                return
            await room.due()
            continue
        player, offer = room.offer()
        if offer.open:
            await room.act(player, Open(offer.seat, offer.open[0]))
        elif offer.can_pass:
            await room.act(player, Pass(offer.seat))
        else:
            await room.due()
    raise AssertionError("no pot was won in two hundred turns")


async def test_an_agreed_change_comes_with_the_next_hand(room: Room) -> None:
    """Proposer and everybody else agree between hands; the next hand is the first under the new rules."""
    await room.sit("ann", "bob", "cat")
    number = await propose(room, "ann")
    assert last_events(room) == (RulesProposed(number, 0, "ann", (CHANGE,), 60_000),)
    await reply(room, "bob", number)
    assert last_events(room) == (RulesAgreed(number, 1),)
    await reply(room, "cat", number)
    assert last_events(room) == (RulesAgreed(number, 2), RulesAccepted(number))
    assert {room.state.rules.bet_limit} == {"pot"}
    await room.due()
    started = next(c for c in room.store.commits if any(isinstance(e, HandStarted) for e in c.events))
    assert started.events[0] == RulesChanged(number, (CHANGE,))
    assert [room.hand.rules.bet_limit, room.state.rules.bet_limit] == ["none", "none"]
    assert room.state.config.options == NO_LIMIT
    assert room.state.proposal is None


async def test_nothing_changes_under_a_running_hand_or_a_carried_pot(room: Room) -> None:
    """Agreed while a hand is passed out: the deals for its pot are played by the old rules."""
    await room.sit("ann", "bob")
    await room.due()
    number = await propose(room, "ann")
    await reply(room, "bob", number)
    await pass_out(room)
    assert room.state.between.carried > 0
    await room.due()
    assert room.hand.carried > 0
    assert room.hand.rules.bet_limit == "pot"
    await win_uncontested(room)
    assert room.state.rules.bet_limit == "pot"
    await room.due()
    assert (room.hand.carried, room.hand.rules.bet_limit) == (0, "none")


async def test_a_change_of_the_opening_begins_at_its_first_level(room: Room) -> None:
    """What the last deal hands on is the button and the count, not the level of rules that are gone."""
    await room.sit("ann", "bob")
    await room.due()
    await win_uncontested(room)
    deals = room.state.between.number
    number = await propose(room, "ann", {"open.requirement": "KK", "passout.escalation": "none"})
    await reply(room, "bob", number)
    await room.due()
    assert (room.hand.requirement, room.hand.raised, room.hand.number) == ("KK", False, deals + 1)


async def test_whoever_sits_down_meanwhile_has_to_agree(room: Room) -> None:
    """A proposal that the others agreed to waits for the newcomer as well; one that is accepted does not."""
    await room.sit("ann", "bob")
    number = await propose(room, "ann")
    await room.sit("cat")
    await reply(room, "bob", number)
    assert room.state.proposal is not None
    assert not room.state.proposal.accepted
    await reply(room, "cat", number)
    assert room.state.proposal.accepted
    await room.sit("dan")
    assert room.state.proposal.accepted


async def test_alone_at_the_table_a_proposal_is_accepted_at_once(room: Room) -> None:
    """Nobody else is asked; and no deadline is left behind."""
    await room.sit("ann")
    number = await propose(room, "ann")
    assert last_events(room)[1:] == (RulesAccepted(number),)
    assert room.store.deadlines == {}
    await room.sit("bob")
    await room.due()
    assert room.hand.rules.bet_limit == "none"


async def test_one_refusal_ends_it(room: Room) -> None:
    """Whoever is asked may refuse, also who agreed before; the next proposal has another number."""
    await room.sit("ann", "bob")
    for number, player in ((1, "bob"), (2, "ann")):
        assert await propose(room, "ann") == number
        await reply(room, player, number, agree=False)
        seat = 0 if player == "ann" else 1
        assert last_events(room) == (RulesRefused(number, seat), RulesLapsed(number, Lapse.REFUSED))
        assert room.state.proposal is None
        assert not [member for member in room.store.deadlines if ":p" in member]


@pytest.mark.parametrize("running", [False, True])
async def test_it_lapses_when_somebody_who_is_asked_leaves(room: Room, running: bool) -> None:
    """Between hands and in the middle of one; an accepted change does not care who leaves."""
    await room.sit("ann", "bob", "cat")
    if running:
        await room.due()
    number = await propose(room, "ann")
    await room.stand("cat")
    assert last_events(room)[0] == RulesLapsed(number, Lapse.LEFT)
    number = await propose(room, "ann")
    await reply(room, "bob", number)
    assert room.state.proposal is not None
    assert room.state.proposal.accepted, "who is leaving is not asked"
    await room.stand("ann")
    assert room.state.proposal.accepted


async def test_it_lapses_when_its_time_is_over(room: Room) -> None:
    """Once, never early, also at a table that waits for players; the turn of the table stays as it is."""
    await room.sit("ann", "bob")
    await room.stand("bob")
    await room.sit("bob", buy_in=10)
    number, turn, deadline = await propose(room, "ann"), room.state.turn, room.known.deadline
    ends = room.known.ends("p1")
    assert ends == room.store.now + CONFIG.proposal_ms
    room.store.now = ends - 1
    assert await room.expire("p1") is Expiry.NOT_DUE
    room.store.now = ends
    assert await room.expire("p1") is Expiry.EXPIRED
    assert last_events(room) == (RulesLapsed(number, Lapse.EXPIRED),)
    assert (room.state.turn, room.known.deadline) == (turn, deadline)
    assert await room.expire("p1") is Expiry.STALE
    assert ("expired", "0") in room.tally.counts


async def test_a_table_that_waits_for_players_lapses_too(room: Room) -> None:
    """Broke players sit there and no hand can begin: the proposal has its own deadline."""
    await room.open(replace(CONFIG, options={"ante": "50", "ante.short": "sit_out"}, proposal_ms=5_000), "r1")
    await room.sit("ann", "bob", buy_in=10)
    assert room.waits_for(WaitKind.PLAYERS)
    await propose(room, "ann")
    room.store.now += 5_000
    assert await room.expire("p1") is Expiry.EXPIRED
    assert room.waits_for(WaitKind.PLAYERS)


async def test_a_change_that_lets_a_hand_begin_begins_it(room: Room) -> None:
    """The same players agree to a lower ante: what the table waits for follows from the rules to come."""
    await room.open(replace(CONFIG, options={"ante": "50", "ante.short": "sit_out"}), "r1")
    await room.sit("ann", "bob", buy_in=10)
    assert room.known.deadline == 0
    number = await propose(room, "ann", {"ante": "2"})
    await reply(room, "bob", number)
    assert room.waits_for(WaitKind.PAUSE)
    await room.due()
    assert room.hand.rules.ante == 2


async def test_a_proposal_is_no_reason_to_wait(room: Room) -> None:
    """Proposing and answering in the middle of a turn leaves turn and deadline to the seat to act."""
    await room.sit("ann", "bob")
    await room.due()
    player, offer = room.offer()
    turn, deadline = room.state.turn, room.known.deadline
    number = await propose(room, "ann")
    await reply(room, "bob", number)
    assert (room.state.turn, room.known.deadline) == (turn, deadline)
    await room.act(player, Pass(offer.seat), turn)


async def test_what_is_refused(room: Room) -> None:
    """Each reason, with nothing changed by it."""
    await room.sit("ann", "bob")
    cases: list[tuple[TableReason, str, ProposeRules | AnswerProposal]] = [
        (TableReason.NO_PROPOSAL, "ann", AnswerProposal("ann", 1, True)),
        (TableReason.NOT_SEATED, "eve", ProposeRules("eve", NO_LIMIT)),
        (TableReason.INVALID_CONFIG, "ann", ProposeRules("ann", {"bet.limit": "pot"})),
        (TableReason.INVALID_CONFIG, "ann", ProposeRules("ann", {"preset": "pagat"})),
    ]
    for reason, player, command in cases:
        assert (await refusal(room, player, command)).reason is reason
    number = await propose(room, "ann")
    cases = [
        (TableReason.PROPOSAL_OPEN, "bob", ProposeRules("bob", NO_LIMIT)),
        (TableReason.ALREADY_ANSWERED, "ann", AnswerProposal("ann", number, True)),
        (TableReason.STALE_PROPOSAL, "bob", AnswerProposal("bob", number + 1, True)),
        (TableReason.NOT_SEATED, "eve", AnswerProposal("eve", number, False)),
    ]
    for reason, player, command in cases:
        assert (await refusal(room, player, command)).reason is reason
    await reply(room, "bob", number)
    late = AnswerProposal("bob", number, False)
    assert (await refusal(room, "bob", late)).reason is TableReason.STALE_PROPOSAL
    assert (
        await refusal(room, "bob", ProposeRules("bob", {"ante": "2"}))
    ).reason is TableReason.PROPOSAL_OPEN


async def test_every_defect_is_named(room: Room) -> None:
    """Present rules and change are judged together: what fits alone may contradict what is played."""
    await room.open(replace(CONFIG, options={"bet.limit": "fixed", "bet.fixed": "5"}), "r1")
    await room.sit("ann", "bob")
    wrong = {"bet.limit": "pot", "no.such": "1", "draw.max": "6", "players.max": "4"}
    message = (await refusal(room, "ann", ProposeRules("ann", wrong))).message
    for name in ("bet.fixed", "no.such", "draw.max"):
        assert name in message
    dear = (
        await refusal(
            room, "ann", ProposeRules("ann", {"ante": "201", "ante.short": "sit_out", "bet.fixed": "201"})
        )
    ).message
    assert "nobody could play" in dear
    seats = (await refusal(room, "ann", ProposeRules("ann", {"players.max": "4"}))).message
    assert "6 are more than players.max" in seats


async def test_an_answer_after_its_time_is_too_late(room: Room) -> None:
    """A short grace after the deadline an answer still counts, then the clock has won."""
    await room.sit("ann", "bob")
    number = await propose(room, "ann")
    room.store.now = room.known.ends("p1") + 301
    assert (await refusal(room, "bob", AnswerProposal("bob", number, True))).reason is TableReason.TOO_LATE
    room.store.now -= 1
    await reply(room, "bob", number)
    assert room.state.proposal is not None
    assert await room.expire("p1") is Expiry.STALE


async def test_a_kind_of_wait_that_this_release_does_not_know_is_left_alone(room: Room) -> None:
    """A newer release will be asked as well; the member stays."""
    room.store.deadlines[f"{room.table_id}:z1"] = 1
    assert await room.expire("z1") is Expiry.FAILED
    assert f"{room.table_id}:z1" in room.store.deadlines


async def test_a_repeated_proposal_is_one_proposal(room: Room) -> None:
    """The same request again gets the same number and changes nothing."""
    await room.sit("ann", "bob")
    request = room.request("ann")
    first = await room.run(ProposeRules("ann", NO_LIMIT), request)
    assert await room.run(ProposeRules("ann", NO_LIMIT), request) == first
    assert room.state.proposals == 1


async def test_events_alone_give_the_state(room: Room) -> None:
    """Folding what was told from the empty table on, through a change of rules, gives what was stored."""
    await room.sit("ann", "bob")
    begin = room.store.commits[0].state
    await reply(room, "bob", await propose(room, "ann"), agree=False)
    await reply(room, "bob", await propose(room, "ann"))
    await room.due()
    events = [event for commit in room.store.commits for event in commit.events]
    state = fold(begin, events)
    state.turn = room.state.turn
    assert state == room.state
    assert {RulesRefused, RulesChanged, PlayerSat} <= set(map(type, events))
    assert PlayerStood not in map(type, events)
