"""Claims of deadlines: each due one to one claimer at a time, none before its time, none lost."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import sleep

import pytest
import redis
from hypothesis import given
from hypothesis import strategies as st

from servito_platform.clients import blocking_state_client
from servito_platform.deadlines import Claim, Deadlines, Due, Sweep, member
from servito_platform.keys import Keys
from servito_platform.redis import StateUnavailable
from servito_platform.settings import ServiceSettings

KEYS = Keys(4)
SET = KEYS.deadlines(2)


@pytest.fixture
def deadlines(blocking: redis.Redis) -> Deadlines:
    """Claims on the empty server."""
    return Deadlines(blocking, KEYS)


def server_ms(client: redis.Redis) -> int:
    """The server's clock."""
    seconds, micros = client.time()
    return int(seconds) * 1000 + int(micros) // 1000


def test_an_empty_partition_has_nothing_to_wait_for(deadlines: Deadlines, blocking: redis.Redis) -> None:
    """Without deadlines nothing is due, and the server's time is told all the same."""
    before = server_ms(blocking)
    claim = deadlines.claim(2, limit=10, lease_ms=1000)
    assert claim.due == ()
    assert claim.wait_ms is None
    assert before <= claim.server_ms <= server_ms(blocking)


def test_only_what_is_due_is_claimed(deadlines: Deadlines, blocking: redis.Redis) -> None:
    """A deadline in the future is left alone, and the claim says how long it will take."""
    now = server_ms(blocking)
    blocking.zadd(SET, {member("a", 7): now - 40, member("b", 1): now + 5000})
    claim = deadlines.claim(2, limit=10, lease_ms=60_000)
    assert [(due.table_id, due.wait) for due in claim.due] == [("a", "7")]
    assert claim.due[0].late_ms == claim.server_ms - (now - 40)
    assert claim.wait_ms == now + 5000 - claim.server_ms
    assert blocking.zscore(SET, member("b", 1)) == now + 5000


def _full(client: redis.Redis, refuses: bool) -> None:
    client.config_set("maxmemory", 1 if refuses else 0)


def _without_replicas(client: redis.Redis, refuses: bool) -> None:
    client.config_set("min-replicas-to-write", int(refuses))


def _locked_out(client: redis.Redis, refuses: bool) -> None:
    client.execute_command("ACL", "SETUSER", "default", "-evalsha" if refuses else "+evalsha")


@pytest.mark.one_server
@pytest.mark.parametrize("refuse", [_full, _without_replicas, _locked_out])
def test_a_server_that_refuses_for_now_is_away(
    deadlines: Deadlines, blocking: redis.Redis, refuse: Callable[[redis.Redis, bool], None]
) -> None:
    """Full, without replicas that it wants, with other rights: nothing is claimed and nothing else is wrong.
    Once it takes writes again the same claim gets what is due; a worker that gave up would be started late.
    """
    blocking.zadd(SET, {member("a", 7): server_ms(blocking) - 1})
    refuse(blocking, True)
    try:
        with pytest.raises(StateUnavailable):
            deadlines.claim(2, limit=10, lease_ms=150, sweep=Sweep(2_000))
    finally:
        refuse(blocking, False)
    assert len(deadlines.claim(2, limit=10, lease_ms=150, sweep=Sweep(2_000)).due) == 1


def test_a_claimed_deadline_comes_back_after_its_lease(deadlines: Deadlines, blocking: redis.Redis) -> None:
    """Nobody else gets it during the lease; if nobody consumed it, it is due again (PITFALLS 7)."""
    blocking.zadd(SET, {member("a", 7): server_ms(blocking) - 1})
    first = deadlines.claim(2, limit=10, lease_ms=60_000)
    assert [due.wait for due in first.due] == ["7"]
    second = deadlines.claim(2, limit=10, lease_ms=60_000)
    assert second.due == ()
    assert second.wait_ms == first.server_ms + 60_000 - second.server_ms
    blocking.zadd(SET, {member("b", 8): 1})
    assert [due.wait for due in deadlines.claim(2, limit=10, lease_ms=20).due] == ["8"]
    sleep(0.03)
    assert [due.wait for due in deadlines.claim(2, limit=10, lease_ms=20).due] == ["8"]


def test_a_consumed_deadline_does_not_come_back(deadlines: Deadlines, blocking: redis.Redis) -> None:
    """What the commit removed is gone: a claim never writes a member that is not there."""
    blocking.zadd(SET, {member("a", 7): server_ms(blocking) - 1})
    assert len(deadlines.claim(2, limit=10, lease_ms=20).due) == 1
    blocking.zrem(SET, member("a", 7))
    sleep(0.03)
    assert deadlines.claim(2, limit=10, lease_ms=20).due == ()
    assert not blocking.exists(SET)


def test_the_longest_overdue_go_first_and_the_limit_holds(
    deadlines: Deadlines, blocking: redis.Redis
) -> None:
    """A backlog is taken in order, `limit` at a time, and says that there is more to do at once."""
    now = server_ms(blocking)
    blocking.zadd(SET, {member("t", turn): now - 1000 + turn for turn in range(600)})
    claims = [deadlines.claim(2, limit=256, lease_ms=60_000) for _ in range(4)]
    assert [len(claim.due) for claim in claims] == [256, 256, 88, 0]
    assert [int(due.wait) for claim in claims for due in claim.due] == list(range(600))
    assert claims[0].wait_ms == 0
    assert claims[2].wait_ms is not None
    assert claims[2].wait_ms > 50_000


def test_partitions_do_not_see_each_other(deadlines: Deadlines, blocking: redis.Redis) -> None:
    """A claim touches the deadlines of its own partition only."""
    blocking.zadd(SET, {member("a", 1): 1})
    assert deadlines.claim(1, limit=10, lease_ms=1000).due == ()
    assert len(deadlines.claim(2, limit=10, lease_ms=1000).due) == 1


def test_many_claimers_share_without_overlap(settings: ServiceSettings, blocking: redis.Redis) -> None:
    """Four threads that claim at once take each of a thousand due deadlines exactly once."""
    now = server_ms(blocking)
    blocking.zadd(SET, {member("t", turn): now - 1 for turn in range(1000)})
    claims: list[Claim] = []

    def sweep() -> None:
        with blocking_state_client(settings) as client:
            mine = Deadlines(client, KEYS)
            while (claim := mine.claim(2, limit=37, lease_ms=60_000)).due:
                claims.append(claim)

    threads = [threading.Thread(target=sweep) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(int(due.wait) for claim in claims for due in claim.due) == list(range(1000))


@given(
    table=st.from_regex(r"[A-Za-z0-9_.-]{1,64}", fullmatch=True),
    wait=st.from_regex(r"[a-z]?[0-9]{1,16}", fullmatch=True),
)
def test_a_member_names_one_table_and_wait(table: str, wait: str) -> None:
    """What the commit writes is what the sweeper reads back: a turn's number, or the name of another wait."""
    assert Due.of_member(member(table, wait).encode(), late_ms=0) == Due(table, wait, 0)


@pytest.mark.parametrize(("table", "wait"), [("a:b", 1), ("", 1), ("a", -1), ("a", "pp1"), ("a", "p")])
def test_a_member_that_could_be_misread_is_refused(table: str, wait: str | int) -> None:
    """A separator in the id, no id, a negative turn or no name of a wait is a fault of the caller."""
    with pytest.raises(ValueError, match="a deadline needs"):
        member(table, wait)


def test_partitions_are_claimed_in_one_round_trip(deadlines: Deadlines, blocking: redis.Redis) -> None:
    """Each partition has its own limit and answer, also when the server has forgotten the script."""
    now = server_ms(blocking)
    for partition in (0, 3):
        blocking.zadd(
            KEYS.deadlines(partition), {member(f"t{turn}", turn): now - 50 + turn for turn in range(5)}
        )
    blocking.script_flush()
    claims = deadlines.claim_each({0: 2, 1: 2, 3: 4}, lease_ms=60_000)
    assert {partition: [int(due.wait) for due in claim.due] for partition, claim in claims.items()} == {
        0: [0, 1],
        1: [],
        3: [0, 1, 2, 3],
    }
    assert claims[0].wait_ms == 0


def test_a_member_that_names_no_deadline_stops_nobody(deadlines: Deadlines, blocking: redis.Redis) -> None:
    """What a stray hand put into the set is told apart, and the others are claimed."""
    now = server_ms(blocking)
    blocking.zadd(SET, {"nonsense": now - 2, member("a", 7): now - 1})
    claim = deadlines.claim(2, limit=10, lease_ms=60_000)
    assert [due.table_id for due in claim.due] == ["a"]
    assert claim.unreadable == (b"nonsense",)


def test_the_next_deadlines_are_told_without_a_claim(deadlines: Deadlines, blocking: redis.Redis) -> None:
    """Of each partition the earliest one, in ms of the server's clock; nothing is claimed or noted."""
    blocking.zadd(SET, {member("a", 7): 41, member("b", 1): 40})
    assert deadlines.next_each([0, 2]) == {0: None, 2: 40}
    assert deadlines.next_each([]) == {}
    assert noted(blocking) == []


def noted(client: redis.Redis) -> list[int]:
    """What is noted of the sweeps of partition 2: the latest one, and the latest outage."""
    said = client.get(KEYS.sweep(2)) or b""
    return [int(part) for part in said.split()]


def sweep(deadlines: Deadlines, *, silent_ms: int = 0) -> Claim:
    """A sweep of partition 2, where two seconds without one are an outage."""
    return deadlines.claim(2, limit=10, lease_ms=1000, sweep=Sweep(2_000, silent_ms))


def test_sweeps_are_noted_once_a_second(deadlines: Deadlines, blocking: redis.Redis) -> None:
    """Every partition has the time of its latest sweep; a claim that is no sweep notes nothing."""
    deadlines.claim(2, limit=10, lease_ms=1000)
    assert noted(blocking) == []
    first = sweep(deadlines)
    assert noted(blocking) == [first.server_ms]
    sweep(deadlines)
    assert noted(blocking) == [first.server_ms]
    blocking.set(KEYS.sweep(2), first.server_ms - 1_000)
    later = sweep(deadlines)
    assert (noted(blocking), later.outage) == ([later.server_ms], None)


def test_an_outage_is_noted_once(deadlines: Deadlines, blocking: redis.Redis) -> None:
    """Who sweeps first after it notes from when to when nobody did; the next one finds that done, and it
    stays noted.
    """
    at = server_ms(blocking) - 10_000
    blocking.set(KEYS.sweep(2), at)
    first, second = sweep(deadlines), sweep(deadlines)
    assert first.outage == second.outage == (at, first.server_ms)
    assert noted(blocking) == [first.server_ms, at, first.server_ms]
    blocking.set(KEYS.sweep(2), f"{first.server_ms - 1_500} 17 40")
    third = sweep(deadlines)
    assert (third.outage, noted(blocking)) == ((17, 40), [third.server_ms, 17, 40])


def test_two_outages_in_a_row_are_one(deadlines: Deadlines, blocking: redis.Redis) -> None:
    """What the first one did to clocks may not be made good when the second begins; long after, it is."""
    now = server_ms(blocking)
    for ended in (5_000, 50_000):
        blocking.set(KEYS.sweep(2), f"{now - 3_000} {now - 80_000} {now - ended}")
        assert noted_after(deadlines, blocking)[0] == now - 80_000
    blocking.set(KEYS.sweep(2), f"{now - 3_000} {now - 180_000} {now - 90_000}")
    assert noted_after(deadlines, blocking)[0] == now - 3_000


def noted_after(deadlines: Deadlines, blocking: redis.Redis) -> list[int]:
    """The outage that is noted after another sweep."""
    sweep(deadlines)
    return noted(blocking)[1:]


def test_a_sweep_whose_deadlines_nobody_carries_out_is_none_of_now(
    deadlines: Deadlines, blocking: redis.Redis
) -> None:
    """It counts as one of the moment when somebody last did: an outage of the table service is one too."""
    at = server_ms(blocking) - 10_000
    blocking.set(KEYS.sweep(2), at)
    assert sweep(deadlines, silent_ms=9_900).outage is None
    assert noted(blocking) == [at]
    silent = sweep(deadlines, silent_ms=8_500)
    assert (silent.outage, noted(blocking)) == (None, [silent.server_ms - 8_500])
    back = sweep(deadlines)
    assert noted(blocking) == [back.server_ms, silent.server_ms - 8_500, back.server_ms]


def test_a_clock_that_went_back_leaves_no_outage(deadlines: Deadlines, blocking: redis.Redis) -> None:
    """After a failover to a server whose clock is behind, times that have not come yet are forgotten."""
    now = server_ms(blocking)
    blocking.set(KEYS.sweep(2), f"{now + 60_000} {now + 1_000} {now + 50_000}")
    claim = sweep(deadlines)
    assert (claim.outage, noted(blocking)) == (None, [claim.server_ms])
