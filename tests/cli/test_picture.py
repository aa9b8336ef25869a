"""The drawn table: every seat where it belongs, nothing wider than the terminal, hidden cards as backs."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from servito_cli.table.picture import Picture
from servito_cli.table.places import ROWS, places
from servito_cli.table.seats import Style
from servito_cli.texts import TEXTS, Language
from servito_cli.words import letters, suit_signs
from servito_client.messages import (
    HandSeatView,
    HandView,
    Phase,
    SeatView,
    SitOutReason,
    TableConfig,
    TableView,
)

KING, TEN = 4 * 11 + 3, 4 * 8 + 1  # of hearts, of clubs
NAMES = ("anna", "bruno", "carla", "dario", "elena", "fabio", "gina", "hugo", "irene", "luca")


def table(seats: int, own: int | None = None) -> TableView:
    """A hand in the second round: seat 0 shows two cards, seat 1 folded, the last seat is to act."""
    view = TableView(
        table_id="t1",
        config=TableConfig(name="Sala 1", preset="italiana", seats=seats),
        seats=[SeatView(seat=n, player=NAMES[n], stack=100 + n) for n in range(seats)],
        own_seat=own,
    )
    view.hand.CopyFrom(
        HandView(
            hand_id="t1-7", number=7, button=0, lowest_rank=7, requirement="JJ", pot=44, carried=4, stock=9
        )
    )
    view.hand.phase = Phase.PHASE_SECOND_ROUND
    view.hand.to_act = seats - 1
    for number in range(seats):
        view.hand.seats.add(seat=number, stack=100 + number, card_count=5, discarded=number, bet=10 * number)
    view.hand.seats[0].cards[:] = [TEN, KING]
    if seats > 1:
        view.hand.seats[1].folded = True
    return view


def drawn(view: TableView, width: int, height: int = 30, language: Language = Language.EN) -> list[str]:
    """The picture as lines of text."""
    style = Style(TEXTS[language].table, suit_signs)
    picture = Picture(view, style, language, 42, [f"line {n}" for n in range(30)], [])
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=True, record=True)
    console.print(picture, height=height)
    return console.export_text().splitlines()


@pytest.mark.parametrize("seats", range(2, 11))
def test_seats_go_clockwise_round_the_table_with_the_own_one_below(seats: int) -> None:
    """Below from right to left, left, above from left to right, right: each seat once, in order."""
    for own in range(seats):
        where = places(seats, own)
        assert own in where.below
        round_ = (*reversed(where.below), *where.left, *where.above, *where.right)
        start = round_[0]
        assert round_ == tuple((start + step) % seats for step in range(seats))
    assert sum(ROWS[seats]) == seats


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("width", [40, 80, 100])
@pytest.mark.parametrize("language", [*Language])
def test_every_table_fits_its_terminal_and_names_every_seat(
    seats: int, width: int, language: Language
) -> None:
    """No line is wider than the terminal, no row is lost; the latest lines are the ones that are shown."""
    lines = drawn(table(seats, own=0), width, language=language)
    text = "\n".join(lines)
    assert max(map(len, lines)) <= width
    assert len(lines) <= 30
    assert all(name in text for name in NAMES[:seats])
    assert "line 29" in text
    assert "line 0\n" not in text


def test_what_a_seat_shows() -> None:
    """Own or shown cards, backs for the others, folded without cards; who is to act and for how long."""
    text = "\n".join(drawn(table(4), 80))
    for shown in (
        "K♥ T♣",
        "▒▒ ▒▒ ▒▒ ▒▒ ▒▒",
        "folded",
        "drew 2",
        "stands pat",
        "▶ 42 s",
        "anna [D]",
        "bet 20",
    ):
        assert shown in text
    assert text.count("▒▒ ▒▒ ▒▒ ▒▒ ▒▒") == 2
    assert "pot 44   4 of it carried" in text
    assert "hand 7   32 cards from the seven up" in text
    assert "(you)" not in text
    assert "anna (you) [D]" in "\n".join(drawn(table(4, own=0), 80))


def test_a_low_terminal_gets_a_line_for_each_seat() -> None:
    """Twelve rows are enough to follow a table."""
    lines = drawn(table(6), 80, height=12)
    assert len(lines) == 12
    assert [name for line in lines for name in NAMES if line.startswith(name)] == [*NAMES[:6]]


def test_a_table_before_its_first_hand_and_seats_that_are_free() -> None:
    """Nothing is dealt, nobody is to act: the seats are there."""
    view = TableView(table_id="t1", config=TableConfig(name="Sala 1", preset="sala", seats=3), carried=3)
    view.config.options["ante"] = "5"
    view.seats.add(seat=2, player="carla", stack=70, leaving=True)
    text = "\n".join(drawn(view, 80))
    assert text.count("free") == 2
    for shown in ("sala *   no hand so far", "waiting for players", "pot 3", "carla", "leaving"):
        assert shown in text


def test_who_sits_out_and_who_waits() -> None:
    """Beside what the seat did in the hand while that runs; the list stands in the heading."""
    view = table(4)
    view.seats[2].sitting_out = SitOutReason.SIT_OUT_REASON_AWAY
    view.seats[1].sitting_out = SitOutReason.SIT_OUT_REASON_ASKED
    view.waiting.add(player="elena", seat=0)
    view.waiting.add(player="fabio")
    text = "\n".join(drawn(view, 110))
    for shown in ("drew 2, is away", "folded, sits out", "waiting: elena (seat 0), fabio"):
        assert shown in text
    view.hand.phase = Phase.PHASE_OVER
    italian = "\n".join(drawn(view, 110, language=Language.IT))
    for shown in ("non risponde", "salta le mani", "in attesa: elena (posto 0), fabio"):
        assert shown in italian
    assert "2 cambiate, non" not in italian


def test_plain_terminals_get_letters() -> None:
    """No sign that they cannot show."""
    view = table(2)
    style = Style(TEXTS[Language.EN].table, letters)
    console = Console(file=io.StringIO(), width=80, height=24, record=True)
    console.print(Picture(view, style, Language.EN, 9, [], []), height=24)
    text = console.export_text()
    assert "Kh Tc" in text
    assert "> 9 s" in text
    assert not set("♠♣♦♥▒▶") & set(text)


def test_names_are_never_read_as_markup() -> None:
    """What players and operators named is shown as it is."""
    view = table(2)
    view.config.name = "[red]Sala[/red]"
    assert "[red]Sala[/red]" in "\n".join(drawn(view, 80))


def test_hand_seats_of_players_who_left_do_not_confuse() -> None:
    """A seat that is free again in the middle of a hand is drawn as free."""
    view = table(3)
    del view.seats[1]
    view.hand.seats.append(HandSeatView(seat=9))
    assert "free" in "\n".join(drawn(view, 80))
