"""How a service asks the kernel to be scheduled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from servito_platform.grpc_channel import open_channel
from tests.platform.echo import EchoClient
from tests.platform.test_process import Start, start

__all__ = ["start"]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="policies are Linux's")


def threads_of(pid: int) -> list[int]:
    """The threads that a process has now."""
    return [int(thread.name) for thread in Path(f"/proc/{pid}/task").iterdir()]


async def test_no_thread_of_a_service_interrupts_another(start: Start) -> None:
    """Every thread that a serving process has, gRPC's own included, is scheduled as batch work."""
    process = await start()
    async with open_channel(process.ready["grpc"], timeout=5) as channel:
        assert await EchoClient(channel).unary(b"x") == b"x"
    threads = threads_of(process.child.pid)
    assert len(threads) > 1
    assert {os.sched_getscheduler(thread) for thread in threads} == {os.SCHED_BATCH}


def test_a_chosen_policy_is_left_alone() -> None:
    """Whoever starts a service under a policy of his own keeps it."""
    program = (
        "import os; from servito_platform.scheduling import work_in_batches;"
        "os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0)); work_in_batches();"
        "print(os.sched_getscheduler(0) == os.SCHED_IDLE)"
    )
    assert subprocess.check_output([sys.executable, "-c", program], text=True).strip() == "True"
