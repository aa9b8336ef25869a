"""The four zeros, as pure functions of what witnesses wrote down. Each returns sentences; none is good.

Lost or created: chips by what players were told (Ledger) against what the commits say (Course). Doubled:
every act in a commit was asked for once, and every request that was accepted is in one commit. Changed:
cards.py. Stuck: deadlines.py. Here nothing is read from any server.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from servito.table.v1 import table_pb2 as pb

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tests.chaos.history import Course, Entry
    from tests.chaos.ledger import Asked, Ledger

_MONEY = {"Sit": "player_sat", "TopUp": "topped_up", "Stand": "player_stood"}


def doubled(courses: Iterable[Course], ledger: Ledger, losses: Sequence[tuple[int, int]] = ()) -> list[str]:
    """Acts and movements of money that the table made of a request more than once, or of none. `losses`: in
    these ms answers may have come to what a failover then lost, so that they prove nothing.
    """
    by_table: defaultdict[str, list[Asked]] = defaultdict(list)
    for asked in ledger.asked.values():
        by_table[asked.table_id].append(asked)
    found = [
        f"table {asked.table_id}: copies of one {asked.method} of {asked.player} were answered differently"
        for asked in ledger.differing(losses)
    ]
    for course in courses:
        found += _doubled_acts(course, by_table[course.table_id], losses)
        found += _doubled_money(course, by_table[course.table_id])
    return found


def vanished(courses: Iterable[Course], ledger: Ledger, losses: Sequence[tuple[int, int]] = ()) -> list[str]:
    """Acts that were accepted and are in no commit, unless a failover may have lost it."""
    found = []
    there = {course.table_id: course for course in courses}
    for asked in ledger.asked.values():
        course = there.get(asked.table_id)
        if course is None or course.unread or asked.within(losses):
            continue
        if asked.method != "Act" or not asked.accepted:
            continue
        version = _version(asked)
        entry = _at(course, version)
        if entry is None or not any(kind == "seat_acted" for kind, _ in _events(entry)):
            found.append(
                f"table {course.table_id}: an act of {asked.player} is not in version {version}, as it was"
                f" told at {asked.times[0]} ms"
            )
    return found


def turns_out_of_order(courses: Iterable[Course]) -> list[str]:
    """Versions that are missing in the middle, and turns that came again."""
    found = []
    for course in courses:
        for before, after in _pairs(course):
            if after.version == before.version + 1 and after.commit.turn < before.commit.turn:
                found.append(f"table {course.table_id}: turn {after.commit.turn} after {before.commit.turn}")
    return found


def early(courses: Iterable[Course]) -> list[str]:
    """Turns that the clock ended before their deadline."""
    return [
        f"table {course.table_id}: a turn of version {before.version} ended {-late} ms early"
        for course in courses
        for before, _, late in lateness(course)
        if late < 0
    ]


def lateness(course: Course) -> Iterator[tuple[Entry, Entry, int]]:
    """Of each turn that the clock ended: the commits before and after, and how many ms it was late."""
    for before, after in _pairs(course):
        if before.deadline and any(kind == "turn_expired" for kind, _ in _events(after)):
            yield before, after, after.now - before.deadline


def chips_told(courses: Iterable[Course], ledger: Ledger, left: Mapping[str, int]) -> list[str]:
    """Tables where what players were told that they put in and got out is not what lies there: `left`, the
    chips that the table shows at the end.
    """
    found = []
    put: Counter[str] = Counter()
    unknown = set()
    for asked in ledger.asked.values():
        if asked.method == "Sit":
            if asked.accepted:
                put[asked.table_id] += asked.request.buy_in  # type: ignore[attr-defined]  # a SitRequest
            elif not asked.refused:
                unknown.add(asked.table_id)
    for course in courses:
        events = [event for entry in course.entries for event in _events(entry)]
        sat = sum(event.buy_in for kind, event in events if kind == "player_sat")
        added = sum(event.amount for kind, event in events if kind == "topped_up")
        out = sum(event.cashed_out for kind, event in events if kind == "player_stood")
        out += sum(
            share.amount
            for kind, event in events
            if kind == "carried_returned"
            for share in event.shares
            if not share.HasField("seat")
        )
        there = left.get(course.table_id, 0)
        if sat != put[course.table_id] and course.table_id not in unknown and not course.unread:
            found.append(f"table {course.table_id}: {put[course.table_id]} chips put in, {sat} arrived")
        if sat + added - out != there and not course.unread:
            found.append(f"table {course.table_id}: {sat} + {added} - {out} chips, and {there} are there")
    return found


def money_gone(courses: Iterable[Course], ledger: Ledger) -> list[str]:
    """Chips that a player was told went in or out, and that are in no commit: after a failover too, because
    an answer about money waits for a replica.
    """
    there = {course.table_id: course for course in courses}
    found = []
    for asked in ledger.asked.values():
        course = there.get(asked.table_id)
        if course is None or course.unread or not asked.accepted or asked.method not in _MONEY:
            continue
        amount, version = _money(asked)
        if amount is None:
            continue  # it follows when the hand is over
        entry = _at(course, version)
        if entry is None or not _moves(entry, _MONEY[asked.method], amount):
            found.append(
                f"table {course.table_id}: {asked.method} of {asked.player} about {amount} chips was answered"
                f" by version {version}, where it is not"
            )
    return found


def events_of(entry: Entry) -> str:
    """What a commit is about, for people."""
    return ", ".join(kind for kind, _ in _events(entry))


def _money(asked: Asked) -> tuple[int | None, int]:
    """The chips that an answer says were moved at once, and by which version."""
    match asked.method:
        case "Sit":
            return asked.request.buy_in, pb.SitResponse.FromString(asked.accepted[0]).version  # type: ignore[attr-defined]  # a SitRequest
        case "Stand":
            stood = pb.StandResponse.FromString(asked.accepted[0])
            return (stood.cashed_out if stood.HasField("cashed_out") else None), stood.version
        case _:
            added = pb.TopUpResponse.FromString(asked.accepted[0])
            return (added.added if added.HasField("added") else None), added.version


def _moves(entry: Entry, kind: str, amount: int) -> bool:
    """Whether the commit has such a movement."""
    amounts = {"player_sat": "buy_in", "topped_up": "amount", "player_stood": "cashed_out"}
    return any(which == kind and getattr(event, amounts[kind]) == amount for which, event in _events(entry))


def _doubled_acts(course: Course, asked: list[Asked], losses: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Of the acts of each turn at most one was accepted, and each that is in a commit was asked for."""
    by_turn: defaultdict[int, list[Asked]] = defaultdict(list)
    accepted: defaultdict[int, list[Asked]] = defaultdict(list)
    for each in (one for one in asked if one.method == "Act"):
        by_turn[each.request.turn_id].append(each)  # type: ignore[attr-defined]  # an ActRequest
        if each.accepted and not each.within(losses):
            accepted[_version(each)].append(each)
    left: set[int] = set()
    for before, after in _pairs(course):
        acts = _acts(after, left)
        if not acts or after.version != before.version + 1:
            continue
        told = accepted[after.version]
        possible = [each for each in by_turn[before.commit.turn] if _fits(each, acts[0])]
        if len(told) > 1:
            yield f"table {course.table_id}: version {after.version} answers {len(told)} different acts"
        elif not told and not possible:
            yield (
                f"table {course.table_id}: nobody asked for the act of version {after.version}, on turn"
                f" {before.commit.turn}: {events_of(after)}"
            )
        if len(acts) > 1:
            yield f"table {course.table_id}: {len(acts)} acts in version {after.version}: {events_of(after)}"


def _doubled_money(course: Course, asked: list[Asked]) -> Iterator[str]:
    """No more people sat down, topped up or stood than asked to."""
    if course.rewinds or course.unread:
        return  # what was lost is carried out again by the same request, as it should be: chips alone count
    happened: Counter[str] = Counter()
    for entry in course.entries:
        for kind, event in _events(entry):
            if kind == "player_stood" and event.reason != pb.STAND_REASON_UNSPECIFIED:
                continue
            happened[kind] += 1
    for method, kind in _MONEY.items():
        wanted = [each for each in asked if each.method == method]
        certain = sum(bool(each.accepted) for each in wanted)
        # Those that never got an answer may have been carried out, those refused were not.
        possible = certain + sum(not each.accepted and not each.refused for each in wanted)
        if happened[kind] > possible:
            yield f"table {course.table_id}: {happened[kind]} times {kind}, and {possible} times asked for"


def _acts(entry: Entry, left: set[int]) -> list[pb.SeatActed]:
    """The acts of a commit that a request made: not those of the clock, and not of seats that have left the
    hand, which fold by themselves. `left` is kept: who has, up to and with this commit.
    """
    by_itself = set()
    acts = []
    for kind, event in _events(entry):
        if kind == "hand_started":
            left.clear()
        elif kind == "player_leaving":
            left.add(event.seat)
        elif kind in ("turn_expired", "pre_action_ended"):
            by_itself.add(event.seat)
        elif kind == "seat_acted" and event.seat not in by_itself | left:
            acts.append(event)
    return acts


def _fits(asked: Asked, act: pb.SeatActed) -> bool:
    return bool(asked.request.action.kind == act.kind)  # type: ignore[attr-defined]  # an ActRequest


def _version(asked: Asked) -> int:
    return pb.ActResponse.FromString(asked.accepted[0]).version


def _at(course: Course, version: int) -> Entry | None:
    return next((entry for entry in course.entries if entry.version == version), None)


def _pairs(course: Course) -> Iterator[tuple[Entry, Entry]]:
    return zip(course.entries, course.entries[1:], strict=False)


def _events(entry: Entry) -> Iterator[tuple[str, Any]]:
    for envelope in entry.commit.events:
        kind = envelope.WhichOneof("event")
        if kind is not None:
            yield kind, getattr(envelope, kind)
