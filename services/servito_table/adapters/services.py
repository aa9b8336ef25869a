"""What the table service says when another service does not answer, or refuses for good.

Here: from a failed call to the table's own exceptions. The clients are `dealer` and `evaluator`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from servito_platform.errors import RpcError
from servito_table.app.refusals import Unavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable
    from typing import TypeVar

    from prometheus_client import Histogram

    T = TypeVar("T")


async def answered(
    who: str, seconds: Histogram, call: Awaitable[T], final: frozenset[str] = frozenset()
) -> T:
    """The answer to `call`. Raises RpcError if the reason is among `final`, otherwise Unavailable."""
    with seconds.time():
        try:
            return await call
        except RpcError as error:
            if error.reason in final:
                raise
            raise Unavailable(who) from error
