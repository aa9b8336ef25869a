"""A worker that is told to stop: it finishes what it claimed, claims no more, and is gone in its time."""

from __future__ import annotations

from signal import Signals
from time import monotonic
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.timers.world import Worker, World, until


def serves(worker: Worker) -> bool:
    """What its health says, as long as it says something."""
    with grpc.insecure_channel(worker.told["grpc"]) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)  # its type says nothing of its methods
        try:
            status = health.Check(health_pb2.HealthCheckRequest(), timeout=20).status
        except grpc.RpcError:
            return False
    return bool(status == health_pb2.HealthCheckResponse.SERVING)


@pytest.mark.parametrize("broker", ["running", "dead", "frozen"])
def test_worker_drains_in_bounded_time(world: World, broker: str) -> None:
    """SIGTERM ends a worker with exit code 0, whatever the broker does."""
    worker = world.good_worker(drain_seconds=3)
    if broker == "dead":
        world.broker.kill()
    elif broker == "frozen":
        world.broker.signal(Signals.SIGSTOP)
    worker.terminate()
    assert worker.wait() == 0


@pytest.mark.parametrize("number", [Signals.SIGTERM, Signals.SIGINT])
def test_what_it_claimed_is_carried_out_before_it_ends(world: World, number: Signals) -> None:
    """A worker that is told to stop finishes its calls, claims nothing more, says that it does not serve, and
    ends with exit code 0; the rest is left to others, and nothing is done twice.
    """
    worker = world.good_worker(drain_seconds=30, timers_lease_seconds=30, timers_call_seconds=30)
    world.table.pause = 30.0
    world.arm(range(3_000))
    until(lambda: len(world.table.sizes) >= 4)
    assert serves(worker)
    worker.signal(number)
    until(lambda: not serves(worker))
    world.table.go_on()
    assert worker.wait() == 0
    assert world.table.effects.total() == 3_000 - world.left() == sum(world.table.sizes)
    assert len(world.table.sizes) <= 8  # those, and what was on its way to them
    world.good_worker()
    until(lambda: not world.left(), 40)
    assert set(world.table.effects.values()) == {1}


@pytest.mark.one_server
def test_a_state_server_that_hangs_holds_nobody_up(world: World) -> None:
    """Its sweeper waits for an answer no longer than it ever does."""
    worker = world.good_worker(drain_seconds=10)
    world.state.signal(Signals.SIGSTOP)
    began = monotonic()
    worker.terminate()
    assert worker.wait(15) == 0
    assert monotonic() - began < 8


def test_the_second_signal_ends_the_waiting(world: World) -> None:
    """A table that hangs holds a stopping worker up for the drain's time, but not after a second signal."""
    worker = world.good_worker(drain_seconds=60)
    world.table.pause = 30.0
    world.arm(range(100))
    until(lambda: bool(world.table.sizes))
    began = monotonic()
    worker.terminate()
    until(lambda: not serves(worker))
    worker.terminate()
    assert worker.wait(15) == 0
    assert monotonic() - began < 20
