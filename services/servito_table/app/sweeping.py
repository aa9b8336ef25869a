"""What has to be swept by somebody, because nothing in the state server expires by itself inside of a key.

That is the places of closed tables whose state has come to its end. Every process does some of it now and
then; it does not matter who, how often, or whether another one does the same. What expires when is told in
DECISIONS.md, "What expires when".
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import structlog

from servito_table.app.refusals import TableRefused

if TYPE_CHECKING:
    from servito_table.app.ports import Index

EVERY_SECONDS: Final = 60.0

_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


async def sweep(index: Index, every: float = EVERY_SECONDS) -> None:
    """Sweep a part of the index every so many seconds, until cancelled."""
    while True:
        await asyncio.sleep(every)
        try:
            forgotten = await index.forget_gone()
        except TableRefused as refused:
            _log.warning("not_swept", why=refused.message)
        except Exception:  # noqa: BLE001 - the next one must take place
            _log.exception("not_swept")
        else:
            if forgotten:
                _log.info("swept", closed_tables=forgotten)
