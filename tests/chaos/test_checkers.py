"""The checkers of chaos find what they are for: one planted fault each, and none where there is none."""

from __future__ import annotations

import pytest

from servito.table.v1 import store_pb2 as store
from servito.table.v1 import table_pb2 as pb
from servito_client.messages import CardsDealt, HandShown, HandStarted, PlayerSat, TableView
from servito_client.updates import Snapshot, Update
from tests.chaos import checks
from tests.chaos.books import TABLE, Books, checking, dealing, expired, sitting
from tests.chaos.cards import Cards, Place
from tests.chaos.deadlines import Waiting, stuck
from tests.chaos.figures import Struck, lateness, standstills, unfair
from tests.chaos.history import Course
from tests.chaos.ledger import Ledger
from tests.chaos.watcher import Watcher


@pytest.fixture
def books() -> Books:
    """Two people sat down, and one of them acted on turn 1."""
    books = Books()
    books.sat("anna")
    books.sat("bruno", turn=1)
    books.acted("anna", "a1", turn=1)
    return books


def problems(books: Books) -> list[str]:
    """What all checkers of commits say."""
    courses = [books.course]
    return [
        *checks.doubled(courses, books.ledger),
        *checks.vanished(courses, books.ledger),
        *checks.turns_out_of_order(courses),
        *checks.early(courses),
        *checks.chips_told(courses, books.ledger, {TABLE: 120}),
    ]


def test_sound_books_are_sound(books: Books) -> None:
    """Acts that were asked for, turns that the clock ended in time, chips that arrived: nothing to say."""
    books.now = books.course.entries[-1].deadline + 20
    books.commit(expired(1), checking(1), turn=3)
    assert problems(books) == []


def test_an_act_that_is_applied_twice_is_found(books: Books) -> None:
    """One request, two commits: nobody asked for the second."""
    books.commit(checking(0), turn=3)
    assert problems(books) == [f"table {TABLE}: nobody asked for the act of version 4, on turn 2: seat_acted"]


def test_a_copy_of_what_was_answered_is_counted_by_itself() -> None:
    """A try that failed is no answer; what comes after an answer says nothing about play."""
    ledger = Ledger()
    asked = ledger.send("anna", TABLE, "Act", pb.ActRequest(), "a1")
    ledger.refuse(asked, "UNAVAILABLE")
    ledger.refuse(asked, "STALE_TURN")
    ledger.refuse(asked, "NOT_SEATED")
    accepted = ledger.send("anna", TABLE, "Act", pb.ActRequest(), "a2")
    ledger.accept(accepted, pb.ActResponse(), 1)
    ledger.refuse(accepted, "NOT_SEATED")
    assert ledger.refusals == {"UNAVAILABLE": 1, "STALE_TURN": 1}
    assert ledger.refused_copies == {"NOT_SEATED": 2}


def test_who_has_left_folds_by_himself(books: Books) -> None:
    """At once, or when his cards come: nobody asks for that."""
    leaving = store.StoredEvent(player_leaving=pb.PlayerLeaving(seat=1))
    books.commit(leaving, turn=2)
    books.commit(checking(1), turn=3)
    assert problems(books) == []


def test_two_acts_of_one_turn_in_one_commit_are_found(books: Books) -> None:
    """A commit is one act."""
    books.acted("bruno", "b1", turn=2)
    books.course.entries[-1].commit.events.append(checking(1))
    assert problems(books) == [f"table {TABLE}: 2 acts in version 4: seat_acted, seat_acted"]


def test_copies_that_were_answered_differently_are_found(books: Books) -> None:
    """Both were accepted, so both may have had an effect, unless a failover lost the first one."""
    books.ledger.accept(books.ledger.asked["anna", "a1"], pb.ActResponse(version=9), books.now)
    assert problems(books) == [f"table {TABLE}: copies of one Act of anna were answered differently"]
    assert checks.doubled([books.course], books.ledger, [(books.now - 1, books.now)]) == []


def test_an_accepted_act_that_is_in_no_commit_is_found(books: Books) -> None:
    """The player was told that it counted."""
    books.commit(turn=2)
    asked = pb.ActRequest(request_id="b1", turn_id=2)
    sent = books.ledger.send("bruno", TABLE, "Act", asked, "b1")
    books.ledger.accept(sent, pb.ActResponse(version=4), books.now)
    assert problems(books) == [
        f"table {TABLE}: an act of bruno is not in version 4, as it was told at {books.now} ms"
    ]
    assert checks.vanished([books.course], books.ledger, [(books.now, books.now)]) == []


def test_a_seat_taken_twice_is_found(books: Books) -> None:
    """One request to sit, and two people's chips."""
    books.commit(sitting("anna", 60), turn=2)
    found = checks.doubled([books.course], books.ledger)
    assert found == [f"table {TABLE}: 3 times player_sat, and 2 times asked for"]


def test_a_chip_that_vanished_or_appeared_is_found(books: Books) -> None:
    """What was bought in is what lies there, as players were told."""
    found = checks.chips_told([books.course], books.ledger, {TABLE: 119})
    assert found == [f"table {TABLE}: 120 + 0 - 0 chips, and 119 are there"]
    books.commit(sitting("carla", 60), turn=2)
    found = checks.chips_told([books.course], books.ledger, {TABLE: 180})
    assert found == [f"table {TABLE}: 120 chips put in, 180 arrived"]


def test_an_answer_about_money_that_is_in_no_commit_is_found(books: Books) -> None:
    """The player was told that his chips are in play; a failover took them away."""
    assert checks.money_gone([books.course], books.ledger) == []
    books.course.entries[1].commit.events[0].player_sat.buy_in = 30
    assert checks.money_gone([books.course], books.ledger) == [
        f"table {TABLE}: Sit of bruno about 60 chips was answered by version 2, where it is not"
    ]


def test_a_turn_ended_early_and_one_that_comes_again_are_found(books: Books) -> None:
    """The clock ends no turn before its deadline, and no turn twice."""
    books.commit(expired(1), checking(1), turn=2)
    assert [problem for problem in problems(books) if "early" in problem]
    books.commit(turn=1)
    assert f"table {TABLE}: turn 1 after 2" in problems(books)


def test_a_chip_that_spectators_miss_is_found() -> None:
    """The sum of what is shown changes by what comes in, and by nothing else."""
    watcher = Watcher(None, TABLE, {})  # type: ignore[arg-type]  # it is told by hand, and asks nothing
    watcher.take(Snapshot(TableView(table_id=TABLE, version=1, carried=5)))
    watcher.take(Update(2, (PlayerSat(seat=1, player="anna", buy_in=60),), None, 0, 0, None))
    assert watcher.problems == []
    watcher._following.view.seats[0].stack -= 1  # as a fold would that loses a chip
    watcher.take(Update(3, (), None, 0, 0, None))
    assert watcher.problems == [f"table {TABLE}: version 3 shows 64 chips, not 65"]


def test_a_card_that_changes_is_found(books: Books) -> None:
    """By the same way or by another, in a later commit, or to another seat."""
    books.commit(dealing(2, cards=bytes([8, 9]), positions=bytes([0, 3])), turn=2)
    books.course.entries[-1].commit.hand = 1
    cards, place = Cards(), Place("t1-1")
    cards.event(place, CardsDealt(cards=[8, 9], positions=[0, 3]))
    cards.event(place, HandShown(seat=2, cards=[9, 8]))
    assert (cards.changed, cards.against([books.course])) == ([], [])
    cards.event(place, CardsDealt(cards=[8, 10], positions=[0, 3]))
    assert cards.against([books.course])[0] == "hand t1-1: position 3 was 9 and is 10"
    cards.event(place, HandShown(seat=2, cards=[8]))
    assert "hand t1-1: seat 2 showed [(8,), (8, 9)]" in cards.against([books.course])
    books.course.rewinds = 1
    assert not [problem for problem in cards.against([books.course]) if "showed" in problem]


def test_a_hand_whose_beginning_was_lost_is_another_hand(books: Books) -> None:
    """A failover took the start of the hand; the next hand has its number, and cards of its own."""
    cards = Cards()
    cards.event(Place("t1-1"), CardsDealt(cards=[8], positions=[0]))
    cards.event(Place("t1-1"), CardsDealt(cards=[9], positions=[0]))
    start = store.StoredEvent(hand_started=store.StoredHandStarted(number=1))
    books.commit(start, turn=2)
    books.course.entries[-1].commit.hand = 1
    assert cards.against([books.course]) == ["hand t1-1: position 0 was 8 and is 9"]
    books.course.rewinds = 1
    assert cards.against([books.course]) == ["hand t1-1: position 0 was 8 and is 9"]
    assert cards.against([books.course], [(books.now - 500, books.now)]) == []
    books.course.lost.append(books.course.entries[-1])
    assert cards.against([books.course]) == []


def test_a_card_that_nobody_dealt_is_found(books: Books) -> None:
    """Seen by its player, or shown: the commits say which cards there were."""
    books.commit(dealing(2, cards=bytes([8, 9]), positions=bytes([0, 3])), turn=2)
    books.course.entries[-1].commit.hand = 1
    cards, place = Cards(), Place()
    cards.event(place, HandStarted(hand_id="t1-1"))
    cards.event(place, CardsDealt(cards=[7], positions=[0]))
    cards.event(place, HandShown(seat=2, cards=[8, 11]))
    assert cards.against([books.course]) == [
        "hand t1-1: position 0 was seen as 7, and dealt as [8]",
        "hand t1-1: seat 2 shows [11], which it was not dealt",
    ]
    books.commit(dealing(1, cards=bytes([50]), positions=bytes([3])), turn=2)
    books.course.entries[-1].commit.hand = 1
    assert cards.against([books.course])[0] == "hand t1-1: position 3 is [9, 50] in different commits"


def test_a_stuck_table_is_found() -> None:
    """Overdue by more than three seconds since the last fault; a deadline nobody will see; no deadline."""
    listed = frozenset({"t1:4"})
    assert stuck([Waiting("t1", {"t1:4": 1_000}, True, listed)], now=8_000, quiet_since=5_000) == []
    assert stuck([Waiting("t1", {"t1:4": 1_000}, True, listed)], now=8_001, quiet_since=5_000) == [
        "table t1: t1:4 overdue by 3001 ms"
    ]
    assert stuck([Waiting("t1", {"t1:5": 9_000}, True, listed)], now=8_000, quiet_since=5_000) == [
        "table t1: t1:5 in no sorted set"
    ]
    assert stuck([Waiting("t1", {}, True, listed)], now=8_000, quiet_since=5_000) == [
        "table t1: a hand waits without a deadline"
    ]
    assert stuck([Waiting("t1", {}, False, frozenset())], now=8_000, quiet_since=5_000) == []


def test_a_turn_that_an_outage_took_is_found(books: Books) -> None:
    """It fell due while no server answered, and ended as soon as one did."""
    due = books.course.entries[-1].deadline
    books.now = due + 5_000
    books.commit(expired(1), checking(1), turn=3)
    outage = (due - 100, due + 4_500)
    assert len(unfair([books.course], [outage], 2_000)) == 1
    assert unfair([books.course], [outage], 400) == []


def test_standstill_and_lateness_are_laid_to_the_fault(books: Books) -> None:
    """The longest time without a commit, and how late turns ended, in the time of the fault and out of it."""
    begin = books.now
    books.now += 4_000
    books.commit(expired(1), checking(1), turn=3)
    faults = [Struck("kill one table", begin, begin)]
    still = standstills([books.course], faults, books.now)
    assert (still["kill one table"].times, still["kill one table"].table) == (1, 4.1)
    assert still["none"].anywhere == 0.1
    late = lateness([books.course], faults, 2_500)
    assert (late["while faults strike"].most, late["while nothing happens"].count) == (2_100, 0)


def test_lost_commits_are_told_from_those_that_hold(books: Books) -> None:
    """After a rewind the common past stays, what was lost is kept apart, and the new commits follow."""
    course = Course(TABLE, entries=list(books.course.entries))
    other = Books()
    other.course.entries = list(books.course.entries[:2])
    other.now = books.now
    other.commit(checking(1), turn=2)
    assert course.extend([books.course.entries[-1]])
    assert not course.extend([other.course.entries[-1]])
    course.rewind(other.course.entries)
    assert [entry.version for entry in course.entries] == [1, 2, 3]
    assert course.entries == other.course.entries
    assert (course.rewinds, len(course.lost), course.unread) == (1, 1, 0)


def test_commits_that_nobody_read_are_counted(books: Books) -> None:
    """A stream is trimmed; of what was not read in time nothing can be said, and that is said."""
    last = books.course.entries[-1]
    later = Books()
    later.course.entries = [last]
    for turn in range(2, 5):
        later.commit(store.StoredEvent(turn_expired=pb.TurnExpired()), turn=turn)
    course = Course(TABLE, entries=list(books.course.entries))
    assert course.extend([last, *later.course.entries[2:]])
    assert course.unread == 1
