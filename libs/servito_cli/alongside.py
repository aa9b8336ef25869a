"""Work beside a local system: it ends with the work, or as soon as the system has to give up a part."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from servito_local.system import LocalSystem

Result = TypeVar("Result")


async def unless_failed(system: LocalSystem, work: Coroutine[Any, Any, Result]) -> Result:
    """The result of `work`; PartFailed, with the work cancelled, when a part dies again and again."""
    failed = asyncio.create_task(system.failed())
    working = asyncio.create_task(work)
    try:
        await asyncio.wait([failed, working], return_when=asyncio.FIRST_COMPLETED)
        if failed.done():
            failed.result()
        return await working
    finally:
        for task in (failed, working):
            task.cancel()
        await asyncio.gather(failed, working, return_exceptions=True)
