"""The record of a hand: what may be asked, and that asking twice is asking once."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from servito_core.cards import Card, deck_from
from servito_dealer.app.deck import Deck
from servito_dealer.app.record import Record, replay
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import DealEntry, Dealt, DrawEntry, Drawn, Opening
from tests.dealer.player import TableSide

SEED = bytes(range(32))
OPENING = Opening("t-1", lowest_rank=6, slots=5, draw_max=4)


def deck_of(record: Record) -> Deck:
    """The deck of a hand that was dealt."""
    assert record.deck is not None
    return record.deck


def play(data: st.DataObject, record: Record) -> tuple[Record, TableSide]:
    """Deals, folds some slots, and draws for the others as random players would, three at once and the rest
    later.

    After every entry each card of the deck is in exactly one place, and nobody got his own discard back
    while the stock or a refill held anything else.
    """
    record = record.enter(DealEntry())
    table = TableSide()
    dealt = record.answers[0]
    assert isinstance(dealt, Dealt)
    table.take_deal(dealt)
    check_places(record, table)
    slots = range(record.opening.slots)
    folded = data.draw(st.sets(st.sampled_from(slots), max_size=record.opening.slots - 2), "folded")
    for slot in folded:
        table.fold(slot)
    owed = {}
    for slot in (slot for slot in slots if slot not in folded):
        wanted = data.draw(st.integers(0, record.opening.draw_max), "discards")
        table.discard(slot, wanted)
        owed[slot] = max(0, wanted - 3)
        record = draw(record, table, slot, min(wanted, 3))
    for slot, count in owed.items():
        record = draw(record, table, slot, count)
    return record, table


def draw(record: Record, table: TableSide, slot: int, count: int) -> Record:
    """The record with the next draw of `slot` carried out and checked, see `play`; nothing is drawn for 0."""
    if not count:
        return record
    order = table.order(slot, count)
    deck = deck_of(record)
    stock = [deck.order[position] for position in deck.stock]
    own = {card.card for card in table.discarded[slot]}
    after = record.enter(order)
    drawn = after.answers[-1]
    assert isinstance(drawn, Drawn)
    pool = [deck.order[position] for refill in order.refills for position in refill]
    got_own = sum(card in own for card, _ in drawn.cards)
    assert got_own == own_cards_due(count, stock, pool, own)
    assert bool(drawn.shuffled) == (count > len(stock))
    table.take_draw(order, drawn)
    check_places(after, table)
    return after


def own_cards_due(count: int, stock: list[Card], pool: list[Card], own: set[Card]) -> int:
    """How many of its own discards a slot must get.

    Those in the stock when it holds nothing else; when it is empty, what the others' dead cards cannot serve.
    """
    still = max(0, count - sum(card not in own for card in stock))
    from_stock = min(still, sum(card in own for card in stock))
    return from_stock + max(0, still - from_stock - sum(card not in own for card in pool))


def check_places(record: Record, table: TableSide) -> None:
    """Each card of the deck is in the stock, held, or dead and not shuffled again."""
    deck = deck_of(record)
    stock = [deck.order[position] for position in deck.stock]
    away = [card.card for card in table.away()]
    assert sorted(stock + away) == list(deck_from(record.opening.lowest_rank))


openings = st.integers(2, 10).flatmap(
    lambda slots: st.builds(
        Opening,
        hand=st.just("t-1"),
        lowest_rank=st.integers(2, min(9, 15 - -(-5 * slots // 4))),
        slots=st.just(slots),
        draw_max=st.integers(0, 5),
    )
)
seeds = st.binary(min_size=32, max_size=32)


@settings(deadline=None)  # a busy machine
@given(st.data(), seeds, openings)
def test_each_card_is_in_exactly_one_place(data: st.DataObject, seed: bytes, opening: Opening) -> None:
    """Through any hand of any size; the claim is checked after every entry (see `play`)."""
    play(data, replay(seed, opening))


@settings(deadline=None)  # a busy machine
@given(st.data(), seeds, openings)
def test_a_record_is_its_seed_its_opening_and_its_entries(
    data: st.DataObject, seed: bytes, opening: Opening
) -> None:
    """Replaying the three gives the same deck and answers, as another process would after a crash."""
    record, _ = play(data, replay(seed, opening))
    assert replay(seed, opening, record.entries) == record


@settings(deadline=None)  # a busy machine
@given(st.data())
def test_repeating_any_entry_changes_nothing(data: st.DataObject) -> None:
    """Every entry asked again, whenever, is answered from the record, and other content is refused."""
    record, _ = play(data, replay(SEED, OPENING))
    for entry in record.entries:
        assert record.enter(entry) is record
        if isinstance(entry, DrawEntry):
            with pytest.raises(Refused) as refusal:
                record.enter(replace(entry, count=entry.count % 4 + 1))
            assert refusal.value.reason is Reason.ENTRY_DIFFERS


def test_nine_players_who_draw_three_empty_the_stock_five_times() -> None:
    """Hand script D18: a stock of seven is filled again four times, each time with six dead cards that are
    not one's own.
    """
    record = replay(SEED, Opening("t-1", 2, 9, 4)).enter(DealEntry())
    table = TableSide()
    dealt = record.answers[0]
    assert isinstance(dealt, Dealt)
    table.take_deal(dealt)
    for slot in range(9):
        table.discard(slot, 3)
        record = draw(record, table, slot, 3)
        mine = {card.card for card in table.discarded[slot]}
        assert mine.isdisjoint(card.card for card in table.held[slot])
    sizes = [
        fresh.size for answer in record.answers[1:] if isinstance(answer, Drawn) for fresh in answer.shuffled
    ]
    assert sizes == [6, 6, 6, 6]


def test_ten_players_use_their_own_discards_when_nothing_else_is_left() -> None:
    """Ten hands leave two cards (RULES.md B1 `players.ten=all_play`): the first to draw three gets one of
    his own back.
    """
    record = replay(SEED, Opening("t-1", 2, 10, 4)).enter(DealEntry())
    table = TableSide()
    dealt = record.answers[0]
    assert isinstance(dealt, Dealt)
    table.take_deal(dealt)
    table.discard(0, 3)
    record = draw(record, table, 0, 3)
    own = {card.card for card in table.discarded[0]}
    assert [card.card in own for card in table.held[0][2:]] == [False, False, True]


DRAW = DrawEntry(number=1, slot=0, draw=1, count=3)
TWO_DRAWS = replace(OPENING, draws=2)


def dealt_record(opening: Opening = OPENING) -> Record:
    """A hand after its deal."""
    return replay(SEED, opening, [DealEntry()])


@pytest.mark.parametrize(
    ("record", "entry", "reason", "message"),
    [
        (replay(SEED, OPENING), DRAW, Reason.ENTRY_OUT_OF_ORDER, "entry 1 asked, the next one is 0"),
        (
            dealt_record(),
            replace(DRAW, number=3),
            Reason.ENTRY_OUT_OF_ORDER,
            "entry 3 asked, the next one is 1",
        ),
        (dealt_record().enter(DRAW), replace(DRAW, slot=1), Reason.ENTRY_DIFFERS, "repeat it unchanged"),
        (
            dealt_record().enter(DRAW),
            replace(DRAW, excluded=(0,)),
            Reason.ENTRY_DIFFERS,
            "or ask for entry 2",
        ),
        (
            dealt_record().enter(DRAW),
            replace(DRAW, refills=((0,),)),
            Reason.ENTRY_DIFFERS,
            "entry 1 was recorded",
        ),
        (dealt_record(), replace(DRAW, slot=5), Reason.MALFORMED, r"slot 5: this hand has slots 0\.\.4"),
        (
            dealt_record(),
            replace(DRAW, count=5),
            Reason.NOT_DUE,
            "has had 0 cards in draw 1 and may get 4 in all",
        ),
        (
            dealt_record().enter(DRAW),
            replace(DRAW, number=2, count=2),
            Reason.NOT_DUE,
            "has had 3 cards in draw 1",
        ),
        (dealt_record(), replace(DRAW, draw=2), Reason.NOT_DUE, "draw 2: this hand has 1"),
        (
            dealt_record(TWO_DRAWS).enter(replace(DRAW, draw=2)),
            replace(DRAW, number=2, slot=1),
            Reason.NOT_DUE,
            "draw 1 is over, draw 2 has begun",
        ),
        (dealt_record(), replace(DRAW, refills=((30,),)), Reason.POSITION_NOT_DEAD, "position 30"),
        (dealt_record(), replace(DRAW, excluded=(30,)), Reason.POSITION_NOT_DEAD, "position 30"),
    ],
)
def test_refused(record: Record, entry: DrawEntry, reason: Reason, message: str) -> None:
    """Everything that is not the next due entry, or an old one unchanged, has its own reason and says what
    is allowed.
    """
    with pytest.raises(Refused, match=message) as refusal:
        record.enter(entry)
    assert refusal.value.reason is reason


def test_the_stock_runs_out_without_refills() -> None:
    """11 cards are left of 36 after five hands: the third slot that asks four, with nothing to refill from,
    is refused.
    """
    record = dealt_record().enter(replace(DRAW, count=4)).enter(replace(DRAW, number=2, slot=1, count=4))
    with pytest.raises(Refused, match="4 cards wanted, stock and refills hold 3 together") as refusal:
        record.enter(replace(DRAW, number=3, slot=2, count=4))
    assert refusal.value.reason is Reason.STOCK_EXHAUSTED


def test_each_draw_has_its_own_measure() -> None:
    """A slot may get `draw_max` in each declared draw, deferred cards counting for the draw in which they
    were owed.
    """
    record = dealt_record(TWO_DRAWS)
    record = record.enter(DRAW).enter(replace(DRAW, number=2, count=1))
    record = record.enter(replace(DRAW, number=3, draw=2, count=4))
    with pytest.raises(Refused, match="has had 4 cards in draw 2"):
        record.enter(replace(DRAW, number=4, draw=2, count=1))


def test_a_damaged_record_is_a_fault_not_a_refusal() -> None:
    """Stored entries that no dealer can have accepted are reported as damage, never carried out."""
    with pytest.raises(ValueError, match="cannot be carried out: NOT_DUE"):
        replay(SEED, OPENING, [DealEntry(), replace(DRAW, count=5)])


def test_entry_zero_is_the_deal() -> None:
    """A draw cannot take the place of the deal."""
    with pytest.raises(ValueError, match="entry 0 is the deal"):
        replace(DRAW, number=0)
