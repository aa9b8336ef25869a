"""Ranges as they are typed."""

from __future__ import annotations

import pytest

from servito_cli.operate.config import config_of
from servito_cli.operate.kind import Kind
from servito_cli.spans import span
from servito_cli.table.listing import Asked
from servito_client.messages import TableStatus


@pytest.mark.parametrize(
    ("word", "ends"),
    [
        ("50..200", (50, 200)),
        ("50..", (50, 0)),
        ("..200", (0, 200)),
        ("7", (7, 7)),
        ("0..", (0, 0)),
        ("5..5", (5, 5)),
    ],
)
def test_both_ends_one_end_or_one_number(word: str, ends: tuple[int, int]) -> None:
    """An open end is 0."""
    assert span(word) == ends


@pytest.mark.parametrize("word", ["", "..", "a..b", "-5", "200..50", "1..0", "1.5", "1..2..3", "٣", "9" * 16])
def test_what_is_no_range(word: str) -> None:
    """The message repeats it."""
    with pytest.raises(ValueError, match=r"must be|begins above"):
        span(word)


def test_a_kind_of_table_as_it_is_typed() -> None:
    """Seconds become milliseconds, a range becomes limits, other fields are set by their names."""
    others = ["time_banks=3", "proposal_ms=9000"]
    kind = Kind("Sala", "pagat", ["ante=5"], 4, "50..200", 12.5, 0.25, no_spectators=True, settings=others)
    config = config_of(kind)
    assert (config.name, config.preset, dict(config.options)) == ("Sala", "pagat", {"ante": "5"})
    assert config.seats == 4
    assert (config.min_buy_in, config.max_buy_in, config.turn_ms, config.pause_ms) == (50, 200, 12_500, 250)
    assert (config.no_spectators, config.time_banks, config.proposal_ms) == (True, 3, 9_000)


@pytest.mark.parametrize(
    ("buy_in", "settings", "why"),
    [
        ("50..", [], "both ends"),
        ("x", [], "LEAST..MOST"),
        ("5..9", ["name=1"], "a field of"),
        ("5..9", ["time_banks"], "FIELD=NUMBER"),
        ("5..9", ["time_banks=-1"], "FIELD=NUMBER"),
        ("5..9", [f"time_banks={2**32}"], "too great"),
    ],
)
def test_a_kind_that_cannot_be_read(buy_in: str, settings: list[str], why: str) -> None:
    """It says what is wrong and what would be right."""
    with pytest.raises(ValueError, match=why):
        config_of(Kind("Sala", buy_in=buy_in, settings=settings))


def test_a_filter_as_it_is_typed() -> None:
    """Nothing typed: every table that is not closed."""
    assert not any(Asked().filter().values())
    wanted = Asked("pagat", "sala", "closed", True, "t", "1..5", "..90").filter()
    assert wanted["status"] == TableStatus.TABLE_STATUS_CLOSED
    assert (wanted["least_ante"], wanted["most_ante"], wanted["most_buy_in"]) == (1, 5, 90)
