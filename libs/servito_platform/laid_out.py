"""The number of partitions that a state was laid out with: written by the first who comes, compared by all.

Another number looks for every table in another place: tables, chips and deadlines seem to be gone, and what
is written then is found by nobody else. Here: the mark, and what stands in a state without one. Not here: who
has to stop because of it (safety/start.py at the start of a service, the doctor).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import redis

from servito_platform.clients import server_of
from servito_platform.keys import Keys
from servito_platform.partitions import MAX_PARTITIONS, partition_of
from servito_platform.redis import StateUnavailable, send_each

if TYPE_CHECKING:
    from servito_platform.clients import BlockingClient

_EVERYWHERE: Final = Keys(MAX_PARTITIONS)


class OtherPartitions(Exception):  # noqa: N818 - what is the case
    """The state is laid out with another number of partitions, `found`; None where only that is known."""

    def __init__(self, given: int, found: int | None) -> None:
        self.found = found
        held, allowed = ("another", "the number of before") if found is None else (found, found)
        super().__init__(
            f"SERVITO_PARTITIONS: it is {given}, and the state was laid out with {held}: no table would be "
            f"found with it; allowed is {allowed} for this state, any number for an empty one"
        )


def read_mark(client: BlockingClient) -> int | None:
    """The number that is written there; None for none. redis errors where the server does not answer."""
    key = _EVERYWHERE.laid_out()
    held: Any = server_of(client, key).get(key)
    return None if held is None else int(held)


def lay_out(client: BlockingClient, partitions: int) -> None:
    """Write the mark where there is none, and compare it. OtherPartitions; redis errors and StateUnavailable
    where the state is not to be reached or written to.

    A state without a mark is a new one, or was written by a release that knew none: then its tables say
    whether this number finds them.
    """
    found = read_mark(client)
    if found is None:
        if not _all_found(client, partitions):
            raise OtherPartitions(partitions, None)
        key = _EVERYWHERE.laid_out()
        server_of(client, key).set(key, partitions, nx=True)
        found = read_mark(client)
    if found is not None and found != partitions:
        raise OtherPartitions(partitions, found)


def _all_found(client: BlockingClient, partitions: int) -> bool:
    """Whether a table of each partition that has any lies where this number looks for it."""
    indexes = [
        index
        for partition in range(MAX_PARTITIONS)
        for index in (_EVERYWHERE.tables(partition), _EVERYWHERE.closed(partition))
    ]
    answers = send_each(client, [(index, ("ZRANGE", index, 0, 0)) for index in indexes])
    for place, names in enumerate(answers):
        if isinstance(names, StateUnavailable | redis.RedisError):
            raise names
        if any(partition_of(name.decode(), partitions) != place // 2 for name in names):
            return False
    return True
