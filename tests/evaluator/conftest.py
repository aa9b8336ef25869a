"""Every hand of 52 cards, once a session: 13 MB and a second; and who counts what is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.evaluator.counting import Counting
from tests.evaluator.hands import all_hands

if TYPE_CHECKING:
    from tests.evaluator.hands import Hands


@pytest.fixture(scope="session")
def every_hand() -> Hands:
    """All 2,598,960 hands, each ascending, those of stripped decks last."""
    return all_hands()


@pytest.fixture
def tally() -> Counting:
    """An empty tally."""
    return Counting()
