"""What it means when the state server does not answer, or answers with an error.

Here: from failures of `servito_platform.lane` to the table's own. Whether something may have been done
decides: what was not sent, and what the server refused before it began, was not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import hiredis

from servito_platform.lane import NotSent
from servito_platform.redis import REFUSES, StateUnavailable
from servito_table.app.refusals import Unavailable

if TYPE_CHECKING:
    from collections.abc import Awaitable

T = TypeVar("T")

WHO: Final = "the state server"


class NoAnswer(Unavailable):
    """The state server did not answer: what was asked may have been done, unless it only reads."""

    def __init__(self) -> None:
        super().__init__(WHO)


async def answered(asked: Awaitable[T]) -> T:
    """The answer. Raises NoAnswer, Unavailable if nothing was done, ReplyError for a fault of ours."""
    try:
        return await asked
    except NotSent:
        raise Unavailable(WHO) from None
    except StateUnavailable:
        raise NoAnswer from None
    except hiredis.ReplyError as error:
        if str(error).startswith(REFUSES):
            raise Unavailable(WHO) from error
        raise
