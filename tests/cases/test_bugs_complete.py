"""No entry of `poker_bugs.json` is without a test."""

from __future__ import annotations

import pytest

from tests.cases.bugs import claims, ids_of

LAYERS = ("engine", "server", "api", "infra")
LATER = {
    "TN-02": "levels that raise the ante belong to tournaments: a table's stakes change by consent alone",
    "TN-04": "a ranking over several tables belongs to tournaments",
    "TN-06": "who withdraws from a cash table takes his chips along; there is no rank to win",
}
"""Faults that mean nothing before the part exists that they are about, and why."""


@pytest.mark.parametrize("layer", LAYERS)
def test_every_fault_of_a_layer_is_named_by_a_test(layer: str) -> None:
    """A test names what it replays in its docstring, by the id of the entry."""
    named = {claim.fault for claim in claims()}
    assert [fault for fault in ids_of(layer) if fault not in named and fault not in LATER] == []
    assert ids_of(layer)
    assert not named & LATER.keys(), "what has a test is not for later"
