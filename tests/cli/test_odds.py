"""`servito odds` as a person types it; the counting is the evaluator's, a real one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.test_commands import servito
from tests.table.processes import service

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def evaluator() -> Iterator[str]:
    """Where one runs; a command that is told of none starts its own."""
    with service("evaluator", {"SERVITO_LOG_LEVEL": "warning"}) as running:
        yield running.grpc


def test_a_draw_and_the_opponents_are_counted() -> None:
    """A pair of aces draws three of 27 cards; one to three opponents may hold jacks."""
    done = servito("odds", "As Ad 9c 8h 7s", "--keep", "AsAd", "--players", "4")
    assert done.returncode == 0, done.stderr
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    assert lines[0].startswith("Deck of 32 cards, from the seven up; preset italiana.")
    assert any(line.endswith("2925 possible draws.") for line in lines)
    assert "poker four of a kind 25 0.8547" in lines
    assert "carta alta high card 0 0.0000" in lines
    assert [line for line in lines if line.endswith((" 80730", " 2125943820", " 13155340358160"))] == [
        "1 50.3394 40639 80730",
        "2 76.3406 1622957286 2125943820",
        "3 89.3579 11755341222552 13155340358160",
    ]


def test_the_order_of_categories_is_that_of_the_rules(evaluator: str) -> None:
    """A full house stands above a flush in a full deck; what is not asked for is not counted."""
    there = ("--evaluator", evaluator)
    done = servito(
        "odds", "As Ad 9c 8h 7s", "--keep", "", "--preset", "americana", "--opponents", "0", *there
    )
    words = done.stdout.split()
    assert words.index("full") < words.index("colore")
    assert "1533939 possible draws" in done.stdout
    assert "opponent" not in done.stdout
    nothing = servito("odds", "As Ad 9c 8h 7s", "--preset", "libera", *there)
    assert "Nothing to count" in nothing.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["As Ad 9c 8h"], "five cards"),
        (["As Ad 9c 8h 7s", "--keep", "Kh"], "cards of the hand"),
        (["As Ad 9c 8h 7s", "--keep", ""], "at most 4 cards are changed"),
        (["As Ad 9c 8h 7s", "--dead", "As"], "occurs twice"),
        (["As Ad 9c 8h Xx"], "'Xx' is not a card"),
        (["As Ad 9c 8h 7s", "--players", "2"], "not of this deck"),
        (["As Ad 9c 8h 7s", "--opens", "TT"], "one of JJ, QQ, KK, AA, none"),
        (["As Ad 9c 8h 7s", "--preset", "texas"], "texas is no preset"),
        (["As Ad 9c 8h 7s", "--opponents", "6", "--players", "4"], "6 opponents"),
    ],
)
def test_what_cannot_be_counted_is_named_and_exits_with_two(
    evaluator: str, words: list[str], says: str
) -> None:
    """Whether the command or the evaluator says so."""
    done = servito("odds", *words, "--evaluator", evaluator)
    assert says in done.stderr
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_an_evaluator_that_does_not_answer_is_a_failure() -> None:
    """Nobody listens at that address."""
    done = servito("odds", "As Ad 9c 8h 7s", "--evaluator", "127.0.0.1:1")
    assert done.returncode == 1
    assert "nobody serves at 127.0.0.1:1" in done.stderr
