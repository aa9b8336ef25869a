"""What is left in the state server after many hands: nothing that does not expire, and little for each table;
and in the memory of the processes: nothing.

The figures are logged. LONG_HANDS=2000 plays that many at the table that is measured (a minute or two), as
many at the tables whose processes are, and as many in all at those that are closed; else 100.
"""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator

import pytest

from servito_client.client import Servito
from servito_local.chips import read_chips
from servito_local.system import LocalSystem
from tests.system.background import Background
from tests.system.sixes import MOST_BYTES, SIX, Keys, grown_by, measured, play_and_close

pytestmark = [pytest.mark.system, pytest.mark.timeout(900)]

HANDS = int(os.environ.get("LONG_HANDS", "100"))
LASTING = re.compile(
    r"\{p\d+\}:(tables|closed|deadlines|journal|carried|audit|sweep)|templates|partitions|\{maintenance\}:changes"
)
"""Keys of a partition or of the whole system, which are few and stay."""
_log = logging.getLogger(__name__)


@pytest.fixture(scope="module")
def played_in(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalSystem]:
    """A system of its own: its state server is gone through key by key. Its dealer remembers few hands, as
    many as it has after a moment, where another grows until it has its two thousand.
    """
    dealer = {"SERVITO_DEALER_RECENT_HANDS": "64"}
    directory = tmp_path_factory.mktemp("sweepings")
    with Background(LocalSystem(directory, overrides={"dealer": dealer})) as background:
        yield background.system


async def test_nothing_stays_that_belongs_to_no_open_table(played_in: LocalSystem) -> None:
    """Many hands at tables that are closed then: what does not expire belongs to partitions, or to a
    table that is open; a second round adds nothing but entries of the journal.
    """
    keys = Keys(played_in.state_url)
    lasting: list[int] = []
    async with Servito(played_in.target("table"), player="casa") as servito:
        open_table = await servito.create_table(SIX)
        for _ in range(2):
            await play_and_close(servito, tables=3, hands=HANDS // 6)
            left = [key for key in keys.lasting() if not LASTING.fullmatch(key)]
            assert [key for key in left if open_table not in key] == []
            lasting.append(len(keys.lasting()))
            assert keys.members(r".*:tables") == 1
            assert keys.members(r".*:deadlines") == 0
        assert keys.members(r".*:closed") == 6
    # Partitions that have their first closed table, journal, audit stream and sum of what was archived.
    assert lasting[1] - lasting[0] <= 4 * 3
    assert read_chips(played_in.state_url).wrong == ()


async def test_an_idle_table_is_small(played_in: LocalSystem) -> None:
    """With six players, new and after its hands, it holds less than 25 kB; no process grows by it."""
    found = await measured(played_in, HANDS)
    _log.info("%d hands: %s", HANDS, found)
    assert 0 < found.new < 7_000
    assert max(found.after_hands) < MOST_BYTES
    assert found.requests < 15_000
    assert found.record_of_a_hand < 1_500
    assert max(found.grown.values()) < 2_000_000 + 150 * HANDS


@pytest.mark.skipif("LONG_HANDS" not in os.environ, reason="few hands tell no more than the test above")
async def test_no_process_grows_with_hands(played_in: LocalSystem) -> None:
    """The second half of the hands leaves each as large as the first did, but for noise and what a process
    meets for the first time: a leak of half a kilobyte a hand shows with LONG_HANDS=10000.
    """
    grown = await grown_by(played_in, HANDS, tables=8)
    _log.info("%d hands: %s", HANDS, grown)
    assert max(grown.values()) < 2_000_000 + 150 * HANDS
