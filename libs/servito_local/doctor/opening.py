"""Whether the table service opens what is stored of each table: it alone has the keys, so it is asked.

As a spectator, who needs no token, also where a table shows him nothing; one table after the other, beside
those who play, in any order, as many as there is time for, each replica in turn. A table that a process has
in its memory counts as opened: it is served from there, and stored anew with its next commit.
"""

from __future__ import annotations

from contextlib import ExitStack
from itertools import cycle
from random import sample
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, cast

import grpc

from servito.table.v1 import table_pb2, table_pb2_grpc
from servito_local.doctor.findings import Check, Finding, Kind, Result, error, note
from servito_local.doctor.services import addresses_of, channel_to
from servito_platform.settings import SettingsError
from servito_platform.trust import channel_credentials

if TYPE_CHECKING:
    from collections.abc import Sequence

    from servito_local.doctor.where import Whereabouts
    from servito_platform.settings import ServiceSettings

ENOUGH: Final = 10.0
"""Seconds for all of them."""
_PATIENCE: Final = 3.0
_HARM: Final = frozenset({grpc.StatusCode.INTERNAL, grpc.StatusCode.UNAVAILABLE})
"""What a table is refused with that cannot be read; anything else was decided about one that was."""
_REFUSED: Final = "grpc-status-details-bin"
"""Every refusal of ours carries it, and no failure of a connection does."""


def opened(
    where: Whereabouts, settings: ServiceSettings, tables: Sequence[str], enough: float = ENOUGH
) -> Result:
    """Of these; not made where no table service is known, or none answers."""
    addresses = addresses_of(where, settings)["table"]
    try:
        credentials = channel_credentials(settings)
    except SettingsError:  # which is told of the services
        return Result(Check.OPENING, (), None)
    found: list[Finding] = []
    asked, until = 0, monotonic() + enough
    with ExitStack() as stack:
        channels = [channel_to(address, settings.table_target, credentials) for address in addresses]
        stubs: list[Any] = [table_pb2_grpc.TableServiceStub(stack.enter_context(each)) for each in channels]
        turn = cycle(stubs)
        for table in sample(tables, len(tables)) if stubs else ():
            if monotonic() > until:
                found.append(note(Kind.TABLES_LEFT, asked=asked, all=len(tables)))
                break
            try:
                next(turn).GetTable(table_pb2.GetTableRequest(table_id=table), timeout=_PATIENCE)
            except grpc.RpcError as wrong:
                failed = cast("grpc.Call", wrong)  # what a blocking call raises is the call itself
                if _REFUSED not in dict(failed.trailing_metadata() or ()):
                    break  # which is told of the services
                if failed.code() in _HARM:
                    found.append(error(Kind.TABLE_NOT_OPENED, table=table, told=failed.details() or "-"))
            asked += 1
    return Result(Check.OPENING, tuple(found), asked if asked or (stubs and not tables) else None)
