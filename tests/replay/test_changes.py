"""Whatever is changed in a stored hand is named, at its place, for the auditor and for everybody."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from servito.table.v1 import table_pb2 as pb
from servito.table.v1.store_pb2 import CommitSecrets, StoredCommit, StoredEvent
from servito_core.rules import RuleSet
from servito_platform.audit_seal import bound
from servito_replay.differences import Difference, Kind
from servito_replay.entries import Entry, read, read_all
from servito_replay.folding import folded
from servito_wire.events import TABLE_EVENTS
from tests.replay.stored import OPENER, SEALER, Dealt, dealt

Change = Callable[[StoredCommit], object]


def a_hand() -> Dealt:
    """One with bets, draws, a showdown and a side pot."""
    for seed in range(400):
        for hand in dealt(RuleSet.from_options({"open.requirement": "none"}), 4, seed, 3):
            fields = {event.WhichOneof("event") for own in hand.entries for event in told(own).events}
            pots = [
                event for own in hand.entries for event in told(own).events if event.HasField("pot_awarded")
            ]
            if {"hand_shown", "cards_drawn", "uncalled_bet_returned"} <= fields and len(pots) > 1:
                return hand
    raise AssertionError("no such hand")


def told(entry: Entry) -> StoredCommit:
    """What everybody may know of it."""
    return StoredCommit.FromString(entry.public)


HAND = a_hand()


def place_of(field: str, which: Callable[[Any], bool] = lambda _: True) -> tuple[int, int]:
    """Index of an entry and place of the first such event in it."""
    return next(
        (index, place)
        for index, entry in enumerate(HAND.entries)
        for place, event in enumerate(told(entry).events)
        if event.WhichOneof("event") == field and which(getattr(event, field))
    )


def changed(index: int, change: Change, *, sealed_again: bool = False) -> list[Entry]:
    """The hand with that entry changed; `sealed_again`: by somebody who has the auditor's public key."""
    entry = HAND.entries[index]
    public = told(entry)
    change(public)
    content, seal = public.SerializeToString(), entry.sealed
    if sealed_again and seal:
        here = (entry.table_id, entry.version, entry.lineage, entry.parent)
        secrets = OPENER.open(bound(*here, entry.public), seal)
        seal = SEALER.seal(bound(*here, content), secrets)
    entries = list(HAND.entries)
    entries[index] = replace(entry, public=content, sealed=seal)
    return entries


def difference(entries: list[Entry], *, auditor: bool) -> Difference:
    """The first one."""
    with pytest.raises(Difference) as found:
        list(folded(read_all(entries, OPENER if auditor else None), HAND.number))
    return found.value


def on_event(field: str, change: Callable[[Any], None], which: Callable[[Any], bool] = lambda _: True) -> Any:
    """A change of the first such event; where it is."""
    index, place = place_of(field, which)
    return index, lambda public: change(getattr(public.events[place], field))


def put(name: str, value: Any) -> Callable[[Any], None]:
    """A change of a field."""
    return lambda message: setattr(message, name, value)


def add(name: str, more: int) -> Callable[[Any], None]:
    """A change of a number."""
    return lambda message: setattr(message, name, getattr(message, name) + more)


def bets(acted: pb.SeatActed) -> bool:
    """Whether chips were put in."""
    return acted.added > 0


def discards(acted: pb.SeatActed) -> bool:
    """Whether cards were thrown away."""
    return acted.discarded > 0


def on_last(change: Change) -> tuple[int, Change]:
    """A change of the commit that ends the hand."""
    return len(HAND.entries) - 1, change


def turned(public: StoredCommit, one: int, other: int) -> None:
    """Two events in each other's place."""
    held = StoredEvent()
    held.CopyFrom(public.events[one])
    public.events[one].CopyFrom(public.events[other])
    public.events[other].CopyFrom(held)


def add_to_stack(public: StoredCommit, more: int) -> None:
    """Chips that were not there."""
    public.events[0].hand_started.stacks[0] += more


def flip(public: StoredCommit, at: int) -> None:
    """A bit of the digest."""
    digest = bytearray(public.public_digest)
    digest[at] ^= 4
    public.public_digest = bytes(digest)


def cleared(name: str) -> Change:
    """A field left out."""
    return lambda public: public.ClearField(name)  # type: ignore[arg-type]  # a name of the row below


class Case(NamedTuple):
    """What is changed, and what is noticed: by everybody, and by the auditor although it was sealed again."""

    where: tuple[int, Change]
    everybody: Kind
    auditor: Kind


def both(where: tuple[int, Change], kind: Kind) -> Case:
    """Noticed as the same."""
    return Case(where, kind, kind)


def first(name: str, value: Any) -> tuple[int, Change]:
    """A change of the commit that begins the hand."""
    return 0, lambda public: setattr(public.events[0].hand_started, name, value)


CASES: dict[str, Case] = {
    "a bet": both(on_event("seat_acted", add("to", 1), bets), Kind.DECISION),
    "what was paid for it": both(on_event("seat_acted", add("added", 1), bets), Kind.DECISION),
    "who acted": both(on_event("seat_acted", lambda m: put("seat", (m.seat + 1) % 4)(m)), Kind.DECISION),
    "what was done": both(on_event("seat_acted", put("kind", pb.ACTION_KIND_FOLD), bets), Kind.DECISION),
    "a number of discards": Case(
        on_event("seat_acted", add("discarded", -1), discards), Kind.SHOWN, Kind.PARTS
    ),
    "a number of cards drawn": Case(on_event("cards_drawn", add("count", 1)), Kind.DECISION, Kind.PARTS),
    "who was dealt in": Case(on_event("cards_dealt", lambda m: m.hands.pop()), Kind.DECISION, Kind.PARTS),
    "a stack": both((0, lambda p: add_to_stack(p, 1)), Kind.SHOWN),
    "a carried pot": both(first("carried", 7), Kind.SHOWN),
    "the button": both(first("button", 9), Kind.SHOWN),
    "the opening": both(first("requirement", "KK"), Kind.SHOWN),
    "the deck": both(first("lowest_rank", 3), Kind.SHOWN),
    "blinds": both(first("blinds", 1), Kind.DECISION),
    "the number of the hand": both(first("number", 99), Kind.MISPLACED),
    "an ante": both((0, lambda p: add("amount", 1)(p.events[1].ante_posted)), Kind.SHOWN),
    "a share of a pot": both(on_event("pot_awarded", lambda m: add("amount", 1)(m.shares[0])), Kind.DECISION),
    "who won": both(on_event("pot_awarded", lambda m: m.winners.append(9)), Kind.DECISION),
    "a card that was shown": both(
        on_event("hand_shown", lambda m: put("cards", m.cards[:4] + bytes((0,)))(m)), Kind.DECISION
    ),
    "what it was worth": both(on_event("hand_shown", lambda m: add("category", 1)(m.value)), Kind.DECISION),
    "an uncalled bet": both(on_event("uncalled_bet_returned", add("amount", 1)), Kind.DECISION),
    "how it ended": both(on_event("hand_ended", put("outcome", pb.OUTCOME_PASSED_OUT)), Kind.DECISION),
    "what is carried on": both(on_event("hand_ended", put("carried", 1)), Kind.DECISION),
    "an event of no kind": both(on_last(lambda p: p.events.add()), Kind.EVENT),
    "an event that is left out": both(on_last(lambda p: p.events.pop()), Kind.DECISION),
    "an event twice": both(on_last(lambda p: p.events.append(p.events[-1])), Kind.DECISION),
    "two events the other way round": both(on_last(lambda p: turned(p, -1, -2)), Kind.DECISION),
    "whose turn it is": both((2, add("to_act", 1)), Kind.TO_ACT),
    "nobody's turn": both((2, cleared("to_act")), Kind.TO_ACT),
    "the state": both((2, lambda p: flip(p, 5)), Kind.SHOWN),
    "no state": both((2, cleared("public_digest")), Kind.NO_DIGEST),
    "a state of another form": both((2, lambda p: flip(p, 0)), Kind.FORM),
    "its version": both((3, add("version", 1)), Kind.MISPLACED),
    "its hand": both((3, add("hand", 1)), Kind.MISPLACED),
    "no players": both((0, lambda p: p.players.pop()), Kind.BEGINNING),
    "no rules": both((0, cleared("config")), Kind.BEGINNING),
    "other rules": both((0, lambda p: p.config.options.update(ante="6")), Kind.DECISION),
    "rules that are none": both((0, lambda p: p.config.options.update(ante="none")), Kind.RULES),
    "no beginning": both((0, lambda p: p.events.pop(0)), Kind.BEGINNING),
    "a bet after the end": both(
        on_last(lambda p: p.events.add().seat_acted.CopyFrom(pb.SeatActed(kind=pb.ACTION_KIND_PASS))),
        Kind.DECISION,
    ),
}


@pytest.mark.parametrize("what", CASES)
def test_a_change_is_named(what: str) -> None:
    """For everybody, and for the auditor even if it was sealed again by who has his public key; if it was
    not, he is told that the seal does not fit.
    """
    (index, change), everybody, auditor = CASES[what]
    version = HAND.entries[index].version
    for entries, kind, opens in (
        (changed(index, change), everybody, False),
        (changed(index, change, sealed_again=True), auditor, True),
        (changed(index, change), Kind.SEAL if HAND.entries[index].sealed else auditor, True),
    ):
        if kind is Kind.SEAL and what in ("its version", "its hand"):
            continue
        found = difference(entries, auditor=opens)
        assert found.kind is kind, found
        assert found.version >= version


def reordered(entries: list[Entry]) -> list[Entry]:
    """Two of them in each other's place."""
    return [*entries[:4], entries[5], entries[4], *entries[6:]]


def relined(entries: list[Entry]) -> list[Entry]:
    """One that was made on another branch."""
    return [*entries[:2], replace(entries[2], parent=entries[2].parent + 1), *entries[3:]]


ROWS: dict[str, tuple[Callable[[list[Entry]], list[Entry]], Kind, int]] = {
    "one is missing": (lambda entries: entries[:4] + entries[5:], Kind.GAP, 5),
    "the first one is missing": (lambda entries: entries[1:], Kind.BEGINNING, 1),
    "one is there twice": (lambda entries: [*entries[:4], entries[3], *entries[4:]], Kind.GAP, 3),
    "two are the other way round": (reordered, Kind.GAP, 5),
    "one is of another branch": (relined, Kind.GAP, 2),
    "one cannot be read": (
        lambda entries: [*entries[:4], replace(entries[4], public=b"\xff"), *entries[5:]],
        Kind.UNREADABLE,
        4,
    ),
}


@pytest.mark.parametrize("what", ROWS)
@pytest.mark.parametrize("auditor", [False, True])
def test_a_change_among_the_rows_is_named(what: str, auditor: bool) -> None:
    """With the version at which it is noticed."""
    change, kind, index = ROWS[what]
    found = difference(change(HAND.entries), auditor=auditor)
    assert (found.kind, found.version) == (kind, HAND.entries[index].version)


def test_a_seal_opens_where_it_was_made_and_nowhere_else() -> None:
    """Changed in any byte, taken away, or taken from another commit: the auditor is told so; everybody else
    has nothing to do with it.
    """
    sealed = [index for index, entry in enumerate(HAND.entries) if entry.sealed]
    here, other = HAND.entries[sealed[0]], HAND.entries[sealed[1]]
    broken = [
        here.sealed[:at] + bytes((here.sealed[at] ^ 1,)) + here.sealed[at + 1 :]
        for at in range(len(here.sealed))
    ]
    for seal in (*broken, other.sealed, b"", here.sealed[:-1]):
        entries = list(HAND.entries)
        entries[sealed[0]] = replace(here, sealed=seal)
        found = difference(entries, auditor=True)
        assert (found.kind, found.version) == (Kind.SEAL if seal else Kind.NOT_SEALED, here.version)
        assert len(list(folded(read_all(entries, None), HAND.number))) == len(HAND.entries)


def test_another_hidden_card_is_another_state() -> None:
    """Whoever has the auditor's public key may seal another card; the state that is noted under the seal
    tells, and where he changes that too, the cards that come on the table do, or the dealer's record.
    """
    index, place = place_of("cards_dealt")
    entry = HAND.entries[index]
    here = bound(entry.table_id, entry.version, entry.lineage, entry.parent, entry.public)
    secrets = CommitSecrets.FromString(OPENER.open(here, entry.sealed))
    hands = secrets.events[list(secrets.places).index(place)].cards_dealt.hands
    one, two = bytearray(hands[0].cards), bytearray(hands[1].cards)
    one[0], two[0] = two[0], one[0]
    hands[0].cards, hands[1].cards = bytes(one), bytes(two)
    entries = list(HAND.entries)
    entries[index] = replace(entry, sealed=SEALER.seal(here, secrets.SerializeToString()))
    assert difference(entries, auditor=True).kind is Kind.WHOLE
    secrets.ClearField("whole_digest")
    entries[index] = replace(entry, sealed=SEALER.seal(here, secrets.SerializeToString()))
    assert difference(entries, auditor=True).kind is Kind.NO_DIGEST


OF_TABLE = TABLE_EVENTS | {"turn_expired"}
"""Of the table; and who folds when his time is up may have done so himself."""


def meaning(entry: Entry) -> object:
    """What of a commit anything follows from in the hand: the rest is the chain's to keep."""
    commit = told(entry)
    of_hand = [event for event in commit.events if event.WhichOneof("event") not in OF_TABLE]
    to_act = commit.to_act if commit.HasField("to_act") else None
    begins = any(event.HasField("hand_started") for event in commit.events)
    return commit.version, commit.hand, to_act, of_hand, len(commit.players) if begins else None


@pytest.mark.parametrize("auditor", [False, True])
def test_no_bit_that_means_something_can_be_changed(auditor: bool) -> None:
    """A thousand bits of the public parts, wherever: each is noticed, or of something that the hand does not
    depend on (a name, a turn's number, a rule that did not matter in it, an event of the table).
    """
    style, noticed = random.Random(7), 0
    for _ in range(1_000):
        index = style.randrange(len(HAND.entries))
        entry = HAND.entries[index]
        at, bit = style.randrange(len(entry.public)), 1 << style.randrange(8)
        content = bytearray(entry.public)
        content[at] ^= bit
        entries = list(HAND.entries)
        entries[index] = replace(entry, public=bytes(content))
        try:
            list(folded(read_all(entries, OPENER if auditor else None), HAND.number))
        except Difference:
            noticed += 1
        else:
            assert meaning(entries[index]) == meaning(entry)
    assert noticed > 600


def test_what_a_failover_lost_is_left_out() -> None:
    """A branch that ended, archived before it was lost, is between the others and changes nothing."""
    lost = [replace(entry, lost=True, lineage=entry.lineage + 1) for entry in HAND.entries[5:9]]
    entries = [*HAND.entries[:9], *lost, *HAND.entries[9:]]
    for opener in (None, OPENER):
        steps = list(folded(read_all(entries, opener), HAND.number))
        assert [step.hand.outcome for step in steps][-1] is not None
        assert len(steps) == len(HAND.entries)


def test_a_commit_is_read_as_far_as_it_opens() -> None:
    """Without a key there is no whole."""
    index, _ = place_of("cards_dealt")
    assert read(HAND.entries[index], None).whole is None
    whole = read(HAND.entries[index], OPENER).whole
    assert whole is not None
    assert len(whole.events) == len(told(HAND.entries[index]).events)
