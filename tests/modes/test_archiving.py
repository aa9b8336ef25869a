"""A failover loses commits that the archive has: both stories stay, and what comes back is stored once."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import redis

from servito_history.address import file_url, read_history_url
from servito_history.reading import open_history
from servito_history.streams import Streams
from servito_history.writing import Archive
from servito_platform.clients import blocking_client
from servito_platform.place import read_place
from servito_platform.redis import StateUnavailable
from tests.history.checked import findings
from tests.history.feeding import KEYS, Feeder
from tests.modes.servers import Cluster
from tests.modes.test_rewinding import replica_of
from tests.modes.until import until

if TYPE_CHECKING:
    from tests.modes.conftest import Servers

TABLE = "t1"
pytestmark = pytest.mark.all_failovers


def test_archived_commits_that_a_failover_loses(url: str, servers: Servers, tmp_path: Path) -> None:
    """Ten commits are archived of which the replica has five, with their acknowledgement lost as well: it
    takes over, and the table goes on from the fifth. The archive has fifteen rows, five of them marked as
    lost, none twice; the chips that are carried are those that the journal of the new primary says.
    """
    history = file_url(tmp_path / "history.sqlite")
    archive = Archive(read_history_url(history), seconds=10)
    archive.prepare()
    with blocking_client(read_place(url), 2.0) as client:
        streams = Streams(client, KEYS, worker="w", lease_seconds=1)
        feeder = Feeder(client)

        def drain() -> None:
            taken = streams.take([KEYS.partition(TABLE)], 100)
            archive.append(
                [each.commit for found in taken for each in found.commits],
                [each.payment for found in taken for each in found.payments],
            )
            streams.trim(taken)

        def answers() -> bool:
            try:
                return streams.behind().now > 0
            except (StateUnavailable, redis.RedisError):
                return False

        for number in range(5):
            feeder.commit(TABLE, pays=0 if number else 100)
        kept = dict(feeder.at)
        until(servers.ready_to_fail_over)
        primary = servers.holder(KEYS.table(TABLE)) if isinstance(servers, Cluster) else servers.primary
        replica = replica_of(servers, primary)
        replica.freeze()
        primary.client.execute_command("CLIENT", "KILL", "TYPE", "replica")
        for _ in range(5):
            feeder.commit(TABLE, pays=-10)
        drain()
        assert feeder.carried() == {TABLE: 50}
        primary.kill()
        replica.thaw()
        until(answers, 40)
        assert feeder.waiting() == 6
        feeder.at = kept
        for _ in range(5):
            feeder.commit(TABLE)
        until(lambda: not client.exists(KEYS.drain(KEYS.partition(TABLE))))
        drain()
        assert (feeder.waiting(), feeder.carried()) == (0, {TABLE: 100})
    archive.close()
    assert findings(history) == ["rewound 6..10"]
    with open_history(history) as found:
        rows = list(found.rows(TABLE))
        assert [(row.version, row.lost) for row in rows] == [
            *((version, False) for version in range(1, 6)),
            *((version, True) for version in range(6, 11)),
            *((version, False) for version in range(6, 11)),
        ]
        assert sum(paid.amount for paid in found.money(TABLE)) == 50
        assert sum(paid.amount for paid in found.money(TABLE) if not paid.lost) == 100
    primary.start()
    until(servers.ready_to_fail_over, 40)
