"""The processes of a load run: spawned together, waited for within a bound, their tallies added up."""

from __future__ import annotations

import asyncio
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Final

from servito_client.load.plan import LoadPlan
from servito_client.load.tally import Tally
from servito_client.load.worker import LEAVE_SECONDS, work

START_SECONDS: Final = 60.0
"""How long imports and the opening of tables may take on a busy machine, beside the run itself."""


async def run_crowd(plan: LoadPlan, processes: int) -> Tally:
    """Plays `plan` from so many processes; everything that went wrong is in the tally."""
    total = Tally()
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    loop = asyncio.get_running_loop()
    shares = [loop.run_in_executor(pool, work, plan, number, processes) for number in range(processes)]
    try:
        async with asyncio.timeout(plan.ramp_up + plan.seconds + LEAVE_SECONDS + START_SECONDS):
            for share in shares:
                total.add(await share)
    except TimeoutError:
        total.errors.append("a process of players did not end in time")
    except BrokenProcessPool as broken:
        total.errors.append(f"a process of players died: {broken}")
    finally:
        for process in list(pool._processes.values()):  # noqa: SLF001 - no public way to end a worker that hangs
            if not all(share.done() and not share.cancelled() for share in shares):
                process.terminate()
        await asyncio.to_thread(pool.shutdown, cancel_futures=True)
    return total
