"""What players contribute to the order of the cards: from the next hand on, told to nobody, waited for
never.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from servito_table.adapters.codec import Codec
from servito_table.adapters.contributions import contributions, entropy_digest, holders_digest
from servito_table.app.commands import SetEntropy
from servito_table.app.deal_events import DeckCommitted, EntropySet, Holder
from servito_table.app.refusals import TableReason, TableRefused
from servito_table.app.waits import WaitKind
from servito_table.messages.views import event_view, table_view
from tests.table.room import CONFIG, Room

PLAYERS = ("ann", "bob", "cat")
DICE = b"dice: 3 1 6 6 2"


@pytest.fixture
async def room() -> Room:
    """Three players, before their first hand."""
    room = Room()
    await room.open(replace(CONFIG, options={"open.requirement": "none"}, away_after=100))
    await room.sit(*PLAYERS)
    return room


async def contribute(room: Room, player: str, entropy: bytes = DICE) -> None:
    """Set it."""
    await room.run(SetEntropy(player, entropy), room.request(player))


def given(room: Room, number: int) -> tuple[bytes, ...]:
    """What the dealer was told of that hand."""
    return room.dealer.records[f"{room.table_id}-{number}"].source.contributions


async def next_hand(room: Room) -> None:
    """Let the running hand end by the clocks, and the next one begin."""
    number = room.state.hand.number if room.state.hand else 0
    while room.state.hand is None or room.hand.number == number or room.state.running is None:
        await room.due()


def expected(room: Room, number: int, *entropy: bytes) -> tuple[bytes, ...]:
    """What those who were dealt in, in speaking order, contribute."""
    hand = f"{room.table_id}-{number}"
    held = [Holder(player, own) for player, own in zip("xyz", entropy, strict=True)]
    return contributions(hand, room.dealer.records[hand].source.seed_hash, held)


def of_seat(room: Room, seat: int, entropy: bytes) -> list[bytes]:
    """In speaking order: that seat contributes this, and nobody else anything."""
    return [entropy if player.seat == seat else b"" for player in room.hand.players]


async def test_it_counts_from_the_next_hand_on(room: Room) -> None:
    """Set before a hand begins it goes into that one; set in the middle into the next; and it stands."""
    await contribute(room, "bob")
    await next_hand(room)
    order = [
        own.player for player in room.hand.players for own in room.state.seats if own.seat == player.seat
    ]
    bob = tuple(DICE if player == "bob" else b"" for player in order)
    assert given(room, 1) == expected(room, 1, *bob)
    await contribute(room, "bob", b"other")
    await next_hand(room)
    order = [
        own.player for player in room.hand.players for own in room.state.seats if own.seat == player.seat
    ]
    bob = tuple(b"other" if player == "bob" else b"" for player in order)
    assert given(room, 2) == expected(room, 2, *bob)
    await next_hand(room)
    assert sum(map(bool, given(room, 3))) == 1
    assert set(given(room, 3)).isdisjoint(set(given(room, 2)) - {b""}), "the dealer could foresee it"


async def test_nobody_contributes(room: Room) -> None:
    """Then nothing is sent, and the digest is that of nothing."""
    await next_hand(room)
    assert given(room, 1) == ()
    bound = next(
        event for commit in room.store.commits for event in commit.events if isinstance(event, DeckCommitted)
    )
    assert bound.entropy_digest == entropy_digest(f"{room.table_id}-1", bound.seed_hash, ())


async def test_what_is_set_while_cards_are_on_their_way_does_not_change_the_question(room: Room) -> None:
    """The dealer is asked again with what the hand began with, though a player set something else since."""
    await contribute(room, "ann", b"first")
    room.dealer.down = True
    await room.due()
    assert room.waits_for(WaitKind.CARDS)
    await contribute(room, "ann", b"second")
    room.dealer.down = False
    await room.due()
    assert room.wait.seat is not None
    assert given(room, 1) == expected(room, 1, *of_seat(room, 0, b"first"))
    await next_hand(room)
    assert given(room, 2) == expected(room, 2, *of_seat(room, 0, b"second"))


async def test_it_is_told_to_its_own_player_alone(room: Room) -> None:
    """Neither event nor view tells others what, or that, a seat contributes."""
    await contribute(room, "bob")
    events = [e for commit in room.store.commits for e in commit.events if isinstance(e, EntropySet)]
    assert events == [EntropySet(1, DICE)]
    own = event_view(events[0], 1, room.table_id)
    assert own is not None
    assert own.entropy_set.entropy == DICE
    assert [event_view(events[0], seat, room.table_id) for seat in (None, 0, 2)] == [None] * 3
    for player in (None, "ann", "cat"):
        assert DICE not in table_view(room.known, player, 0).SerializeToString()
    assert table_view(room.known, "bob", 0).own_entropy == DICE
    await contribute(room, "bob", b"")
    assert table_view(room.known, "bob", 0).own_entropy == b""


async def test_refusals(room: Room) -> None:
    """Who has no seat has no say; the same again changes nothing; what was taken back before it counted is
    no change either.
    """
    for player, entropy, reason in (
        ("zoe", DICE, TableReason.NOT_SEATED),
        ("ann", b"", TableReason.NOTHING_TO_CHANGE),
    ):
        with pytest.raises(TableRefused) as refusal:
            await contribute(room, player, entropy)
        assert refusal.value.reason is reason
    await contribute(room, "ann")
    with pytest.raises(TableRefused):
        await contribute(room, "ann")
    await contribute(room, "ann", b"")
    assert next(own for own in room.state.seats if own.player == "ann").next_entropy is None


async def test_it_goes_with_its_seat(room: Room) -> None:
    """Who leaves takes it along: the next one there contributes nothing of another's."""
    await contribute(room, "bob")
    await room.stand("bob")
    await room.sit("dan")
    assert [own.entropy + (own.next_entropy or b"") for own in room.state.seats] == [b""] * 3


async def test_it_is_stored(room: Room) -> None:
    """What counts now and what counts next are both there for every process, an empty wish as well."""
    await contribute(room, "bob")
    await next_hand(room)
    for wish in (b"other", b""):
        await contribute(room, "bob", wish)
        read = Codec().decode(Codec().encode(room.state))
        assert read.seats == room.state.seats
        own = read.seats[1]
        assert (own.entropy, own.next_entropy) == (DICE, wish)


def test_contributions_differ_by_hand_seat_and_seed() -> None:
    """The same bytes come to something else in each hand, on each slot and for each seed, and say nothing of
    themselves.
    """
    held = [Holder("ann", DICE), Holder("bob", DICE), Holder("cat", b"")]
    one = contributions("t-1", bytes(32), held)
    assert one[2] == b""
    every = {*one, *contributions("t-2", bytes(32), held), *contributions("t-1", b"s" * 32, held)}
    assert len(every) == 7
    assert all(DICE not in each for each in every)


def test_other_holders_have_another_digest() -> None:
    """Order and names count, and so do the borders between names."""
    digests = {
        holders_digest("t-1", [Holder(name, b"") for name in names])
        for names in (("ann", "bob"), ("bob", "ann"), ("annb", "ob"), ("ann", "bo"), ("ann",))
    }
    assert len(digests) == 5
