"""No entry of `poker_bugs.json` is without a test."""

from __future__ import annotations

import pytest

from tests.cases.bugs import claims, ids_of

LAYERS = ("engine",)
"""The layers whose faults are all played here; the others follow with the parts that they are about."""


@pytest.mark.parametrize("layer", LAYERS)
def test_every_fault_of_a_layer_is_named_by_a_test(layer: str) -> None:
    """A test names what it replays in its docstring, by the id of the entry."""
    named = {claim.fault for claim in claims()}
    assert [fault for fault in ids_of(layer) if fault not in named] == []
    assert ids_of(layer)
