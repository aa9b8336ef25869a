"""The dealer's shuffle passes the battery, and shuffles that are wrong do not: the short form.

Seeds are fixed, so that the result is the same every time. The long form, over millions of deals from the
operating system's entropy, is `make rng-report`.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from servito_core.cards import deck_from
from tests.rng.battery import Battery, holm
from tests.rng.orders import LOWEST_RANKS, WRONG, dealt, size_of

LEVEL = 0.001
"""How likely all tests together may find something in a shuffle that is right."""
DEALS = 12_000
FOUND_BY = {
    "modulo": {"position by card"},
    "naive swaps": {"position by card", "first card", "serial", "runs"},
    "a 31-bit seed": {"repeats"},
    "a signed shift": {"position by card", "first card"},
}


def test_the_dealers_shuffle_passes() -> None:
    """Deals of every size of deck by the code that deals: all are permutations, and no test of the battery
    finds anything at the level of all of them together.
    """
    seeds = random.Random(20_26).randbytes
    findings = []
    for lowest_rank in LOWEST_RANKS:
        battery = Battery(size_of(lowest_rank))
        battery.add(dealt(lowest_rank, DEALS, seeds))
        assert battery.no_permutations == 0
        findings += battery.findings()
    assert len(findings) == 8 * 7
    assert holm(findings, LEVEL) == []


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_shuffle_is_found(fault: str) -> None:
    """Each planted fault is found at the level of the whole battery, by the tests that look for its kind."""
    lowest_rank, deals = (9, 300_000) if fault == "a 31-bit seed" else (7, 40_000)
    battery = Battery(size_of(lowest_rank))
    battery.add(WRONG[fault](size_of(lowest_rank), deals, np.random.default_rng(1)))
    assert battery.no_permutations == 0
    found = {finding.test for finding in holm(battery.findings(), LEVEL / 8)}
    assert FOUND_BY[fault] <= found
    assert fault != "a 31-bit seed" or found == {"repeats"}


def test_what_is_no_permutation_is_found() -> None:
    """A card that is there twice."""
    battery = Battery(24)
    orders = dealt(9, 10, random.Random(1).randbytes)
    orders[3, 0] = orders[3, 1]
    battery.no_permutations += int((np.sort(orders, axis=1) != np.arange(24)).any(axis=1).sum())
    assert battery.no_permutations == 1


def test_the_orders_are_the_dealers() -> None:
    """What is tested are cards as they are dealt: the numbers of an order are those of the deck's cards."""
    orders = dealt(7, 4, random.Random(5).randbytes)
    deck = deck_from(7)
    assert sorted(deck[number] for number in orders[0]) == list(deck)
    assert not np.array_equal(orders[0], orders[1])
