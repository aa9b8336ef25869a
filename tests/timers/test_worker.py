"""A real worker on real servers: every deadline takes effect once, in few calls, whatever dies."""

from __future__ import annotations

from collections import Counter
from signal import Signals
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from servito_platform.clients import server_of
from servito_timers.adapters.health import SWEEPING
from servito_timers.tasks.celery_app import QUEUE
from tests.timers.world import KEYS, Worker, World, until

LASTING = {"timers_lease_seconds": 30.0}
"""Nothing is claimed a second time because the machine stood still for the second that a lease has."""


def claims(worker: Worker) -> float:
    """How many it sent through the broker."""
    return worker.metric("servito_deadline_claims_total", route="broker")


def test_every_deadline_takes_effect_once(world: World) -> None:
    """Thousands that fall due together are carried out once each, through the broker, 256 in a call at
    most.
    """
    worker = world.good_worker(**LASTING)
    names = world.arm(range(3_000), ms=200)
    until(lambda: world.left() == 0)
    assert world.table.effects == Counter(names)
    assert max(world.table.sizes) <= 256
    assert len(world.table.sizes) < 300
    assert world.table.callers == {"Bearer dev:service:timers"}
    assert worker.metric("servito_deadline_claims_total", route="broker") > 0
    assert worker.metric("servito_deadlines_carried_out_total", route="broker", result="expired") == 3_000
    assert worker.metric("servito_deadlines_claimed_total") == 3_000
    assert worker.metric("servito_deadline_claim_lateness_seconds_bucket", le="10.0") == 3_000


def test_nothing_is_carried_out_before_its_time(world: World) -> None:
    """A deadline in the future is left alone; the due one beside it is carried out."""
    world.worker()
    world.arm([1], ms=600_000)
    (due,) = world.arm([2])
    until(lambda: world.table.effects == Counter([due]))
    assert world.left() == 1


def test_few_claims_are_under_way(world: World) -> None:
    """A backlog stays in the sorted set: at most four claims are in the broker and at the table together."""
    worker = world.good_worker(**LASTING)
    world.table.pause = 0.3
    names = world.arm(range(4_000))
    most_queued, most_claimed = 0, 0
    while world.left():
        most_queued = max(most_queued, int(world.broker.client.llen(QUEUE)))
        most_claimed = max(most_claimed, int(worker.metric("servito_deadline_claims_in_flight")))
    assert world.table.effects == Counter(names)
    assert world.table.most_at_once <= 4
    assert most_queued <= 4
    assert most_claimed == 4


def test_killed_worker_loses_nothing(world: World) -> None:
    """What a killed worker had claimed is claimed again by another one when the lease ends."""
    world.table.pause = 60  # the first worker's calls come to nothing
    killed = world.good_worker()
    names = world.arm(range(600))
    until(lambda: len(world.table.sizes) >= 2)
    killed.kill()
    world.table.pause = 0
    world.worker()
    until(lambda: world.left() == 0)
    assert world.table.effects == Counter(names)


def test_workers_share_the_work(world: World) -> None:
    """Two workers carry out each other's claims, none counts as lost, and every effect is one."""
    workers = [world.good_worker(**LASTING), world.good_worker(**LASTING)]
    world.table.pause = 0.05
    begun = [claims(worker) for worker in workers]
    names: list[str] = []

    def both_worked() -> bool:
        names.extend(world.arm(range(5_000), turn=1 + len(names)))
        until(lambda: world.left() == 0)
        return all(claims(worker) > before for worker, before in zip(workers, begun, strict=True))

    until(both_worked)
    assert world.table.effects == Counter(names)
    for worker in workers:
        assert worker.metric("servito_deadline_claims_lost_total") == 0
    until(lambda: all(worker.metric("servito_deadline_claims_in_flight") == 0 for worker in workers))


def test_without_a_broker_the_sweeper_does_the_work(world: World) -> None:
    """While the broker is dead deadlines are carried out directly; when it is back, through it again."""
    worker = world.good_worker()
    world.broker.kill()
    names = world.arm(range(700), ms=100)
    until(lambda: world.left() == 0)
    assert world.table.effects == Counter(names)
    assert worker.metric("servito_deadline_claims_total", route="direct") >= 3
    assert not worker.broker_good
    world.broker.start()
    until(lambda: worker.broker_good)
    before = worker.metric("servito_deadline_claims_total", route="broker")
    world.arm(range(10), turn=2)
    until(lambda: world.left() == 0)
    assert worker.metric("servito_deadline_claims_total", route="broker") > before


def test_frozen_broker_holds_nobody_up(world: World) -> None:
    """A broker that takes connections and does not answer counts as away as well."""
    worker = world.good_worker()
    world.broker.signal(Signals.SIGSTOP)
    names = world.arm(range(300))
    until(lambda: world.left() == 0)
    assert world.table.effects == Counter(names)
    world.broker.signal(Signals.SIGCONT)
    until(lambda: worker.broker_good)


def test_worker_starts_without_a_broker(world: World) -> None:
    """A worker that finds no broker is ready all the same and does the work itself."""
    world.broker.kill()
    world.worker()
    names = world.arm(range(50))
    until(lambda: world.left() == 0)
    assert world.table.effects == Counter(names)


@pytest.mark.one_server
def test_state_server_may_restart(world: World) -> None:
    """Deadlines outlive kill -9 of the state server, and the worker that swept it."""
    worker = world.good_worker()
    names = world.arm(range(400), ms=3_000)
    until(lambda: not world.state.client.info("persistence")["aof_buffer_length"])  # all is in its file
    world.state.kill()
    until(lambda: worker.metric("servito_sweeps_failed_total") > 0)
    world.state.start()
    until(lambda: world.left() == 0)
    assert world.table.effects == Counter(names)


def test_table_service_may_restart(world: World) -> None:
    """Calls that fail are counted, and their deadlines come back."""
    worker = world.good_worker(timers_call_seconds=0.5)
    world.table.stop()
    names = world.arm(range(300))
    until(lambda: worker.metric("servito_expire_calls_failed_total", route="broker") > 0)
    world.table.start()
    until(lambda: world.left() == 0)
    assert world.table.effects == Counter(names)


def test_stray_member_stops_nobody(world: World) -> None:
    """What names no deadline is counted and left alone; the others are carried out."""
    worker = world.worker()
    world.state.client.zadd(KEYS.deadlines(3), {"nonsense": 1})
    names = world.arm(range(100))
    until(lambda: world.table.effects == Counter(names))
    assert worker.metric("servito_deadlines_unreadable_total") >= 1
    assert world.left() == 1


def test_sweeps_are_written_down(world: World) -> None:
    """Every partition tells when it was swept."""
    world.worker()
    seconds, _ = server_of(world.state.client, KEYS.sweep(0)).time()
    until(lambda: all(world.state.client.get(KEYS.sweep(each)) for each in range(KEYS.partitions)))
    swept = [int(world.state.client.get(KEYS.sweep(each)) or 0) for each in range(KEYS.partitions)]
    assert min(swept) >= (int(seconds) - 5) * 1000


@pytest.mark.one_server
def test_readiness_is_the_age_of_the_last_sweep(world: World) -> None:
    """The worker says that it sweeps, and that it does not once nobody answers; it is alive all the while, so
    that nobody ends it for an outage.
    """
    worker = world.worker(timers_stale_seconds=2)
    with grpc.insecure_channel(worker.told["grpc"]) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)  # its type says nothing of its methods

        def status(service: str = SWEEPING) -> int:
            return int(health.Check(health_pb2.HealthCheckRequest(service=service), timeout=20).status)

        until(lambda: status() == health_pb2.HealthCheckResponse.SERVING)
        world.state.kill()
        until(lambda: status() == health_pb2.HealthCheckResponse.NOT_SERVING)
        assert status("") == health_pb2.HealthCheckResponse.SERVING
        world.state.start()
        until(lambda: status() == health_pb2.HealthCheckResponse.SERVING)
        with pytest.raises(grpc.RpcError):
            status("nobody")


def test_settings_that_cannot_be_end_the_start(world: World) -> None:
    """A setting out of its range is told by its name, with exit code 2."""
    with pytest.raises(AssertionError, match="did not start"):
        world.worker(timers_claim_members=300)
    assert world.workers[0].wait() == 2
