"""How the general refusals are met by any rpc: by its request that would succeed, altered, or sent while
something is wrong with the world.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from grpc import aio

from servito.table.v1 import table_pb2 as pb
from tests.contract.damage import frozen, unreadable, unsteady, without_memory
from tests.contract.promises import Rpc, fields_named, promises
from tests.contract.registry import Asked

if TYPE_CHECKING:
    from tests.contract.stage import Stage

Provoke = Callable[["Stage", Rpc, Asked], AsyncIterator[Asked]]
"""From a request that would succeed to those that do not."""

_OTHER: Final[dict[int, Callable[[Any], Any]]] = {
    FieldDescriptor.CPPTYPE_INT32: lambda value: value + 1,
    FieldDescriptor.CPPTYPE_INT64: lambda value: value + 1,
    FieldDescriptor.CPPTYPE_UINT32: lambda value: value + 1,
    FieldDescriptor.CPPTYPE_UINT64: lambda value: value + 1,
    FieldDescriptor.CPPTYPE_BOOL: lambda value: not value,
    FieldDescriptor.CPPTYPE_STRING: lambda value: value + "x",
}


async def malformed(stage: Stage, rpc: Rpc, asked: Asked) -> AsyncIterator[Asked]:
    """Bytes that are no message; ids that are none."""
    yield replace(asked, raw=b"\xff\xff\xff")
    for name, wrong in (
        ("request_id", ""),
        ("request_id", "a b"),
        ("table_id", "no such/id"),
        ("table_id", ""),
    ):
        for altered in _with(asked.request, name, wrong):
            yield replace(asked, request=altered)


async def unauthenticated(stage: Stage, rpc: Rpc, asked: Asked) -> AsyncIterator[Asked]:
    """A token that is not believed, and none."""
    yield replace(asked, token="Basic x")
    yield replace(asked, player=None)


async def not_permitted(stage: Stage, rpc: Rpc, asked: Asked) -> AsyncIterator[Asked]:
    """A service, where players are asked for; the dealer is for the table service alone."""
    yield replace(asked, player="service:nobody")
    if asked.player is not None and asked.player.startswith("service:"):
        yield replace(asked, player="ann")


async def unknown_table(stage: Stage, rpc: Rpc, asked: Asked) -> AsyncIterator[Asked]:
    """A table that was never made."""
    for altered in _with(asked.request, "table_id", "nowhere"):
        yield replace(asked, request=altered)


async def request_id_reused(stage: Stage, rpc: Rpc, asked: Asked) -> AsyncIterator[Asked]:
    """The id of the request with which the player sat down; where he has no seat, that of this very request
    with another content.
    """
    used = stage.sat.get((table_of(asked), asked.player or ""))
    if used is not None:
        for altered in _with(asked.request, "request_id", used):
            yield replace(asked, request=altered)
        return
    await stage.ask(rpc, asked)
    yield replace(asked, request=_other_content(asked.request))


async def contended(stage: Stage, rpc: Rpc, asked: Asked) -> AsyncIterator[Asked]:
    """Others are always quicker."""
    yield replace(asked, damage=unsteady(stage, table_of(asked)))


async def outcome_unknown(stage: Stage, rpc: Rpc, asked: Asked) -> AsyncIterator[Asked]:
    """The state server stops when the process knows the table already, so that all it sends is the commit."""
    if table_of(asked):
        await _remembered(stage, table_of(asked))
    yield replace(asked, damage=frozen(stage), hasty=True)


async def unavailable(stage: Stage, rpc: Rpc, asked: Asked) -> AsyncIterator[Asked]:
    """The state server cannot write; a call that only reads gets no answer."""
    if _paths(asked.request, "request_id") and not rpc.method.client_streaming:
        yield replace(asked, damage=without_memory(stage))
    else:
        yield replace(asked, damage=frozen(stage), hasty=rpc.service == "TableService")


async def internal(stage: Stage, rpc: Rpc, asked: Asked) -> AsyncIterator[Asked]:
    """What is stored cannot be read."""
    yield replace(asked, damage=unreadable(stage, table_of(asked)))


GENERAL: Final[dict[str, Provoke]] = {
    "MALFORMED": malformed,
    "UNAUTHENTICATED": unauthenticated,
    "NOT_PERMITTED": not_permitted,
    "UNKNOWN_TABLE": unknown_table,
    "REQUEST_ID_REUSED": request_id_reused,
    "CONTENDED": contended,
    "OUTCOME_UNKNOWN": outcome_unknown,
    "UNAVAILABLE": unavailable,
    "INTERNAL": internal,
}


def table_of(asked: Asked) -> str:
    """The table that a request names; "" for none."""
    for path in _paths(asked.request, "table_id"):
        holder = _holder(asked.request, path)
        if holder is not None and (named := str(getattr(holder, path[-1]))):
            return named
    return ""


async def _remembered(stage: Stage, table_id: str) -> None:
    """Let the hasty process look at a table, once it answers again."""
    look = Asked(pb.GetTableRequest(table_id=table_id), "owner", hasty=True)
    for _ in range(100):
        try:
            await stage.ask(promises()["GetTable"], look)
        except aio.AioRpcError:
            await asyncio.sleep(0.05)
        else:
            return
    raise TimeoutError("the hasty table process did not come back")


def _with(request: Message, name: str, value: str) -> list[Message]:
    """The request with that value in every field of that name, where it has one; one for each."""
    found = []
    for path in _paths(request, name):
        altered = type(request).FromString(request.SerializeToString())
        holder = _holder(altered, path)
        if holder is not None:
            setattr(holder, path[-1], value)
            found.append(altered)
    return found


def _paths(request: Message, name: str) -> list[tuple[str, ...]]:
    return fields_named(request.DESCRIPTOR, name)


def _holder(request: Message, path: tuple[str, ...]) -> Message | None:
    """The message that holds the field, if the request has it."""
    for name in path[:-1]:
        if not request.HasField(name):
            return None
        request = getattr(request, name)
    return request


def _other_content(request: Message) -> Message:
    """The same request but for one field that is no id."""
    altered = type(request).FromString(request.SerializeToString())
    for field, value in altered.ListFields():
        holder, inner = altered, field
        if field.message_type is not None and not field.is_repeated:
            holder, inner = value, value.ListFields()[0][0]
        if (
            not inner.is_repeated
            and inner.cpp_type in _OTHER
            and inner.name not in ("table_id", "request_id")
        ):
            setattr(holder, inner.name, _OTHER[inner.cpp_type](getattr(holder, inner.name)))
            return altered
    raise AssertionError(f"{request.DESCRIPTOR.name} has no field that could be different")
