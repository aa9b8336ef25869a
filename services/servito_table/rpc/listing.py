"""ListTables: filters into what is wanted, tables into summaries, and the tokens between the pages.

A token names the table behind which the next page begins, and is good for the filter that it was given with
and for no other: behind the same table another filter would leave tables out.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import TYPE_CHECKING, Final
from zlib import crc32

from servito.table.v1 import table_pb2 as pb
from servito_core.rules import PRESETS
from servito_platform.keys import is_id
from servito_table.app.config import NAME_LENGTH
from servito_table.app.listing import Listed, Wanted
from servito_table.messages.config import config_to_proto
from servito_table.messages.course import status_from_proto, status_to_proto
from servito_table.rpc.reading import malformed, readable

if TYPE_CHECKING:
    from servito_platform.grpc_handlers import Context
    from servito_table.app.listing import Range
    from servito_table.app.ports import Index

PAGE: Final = 200
USUAL_PAGE: Final = 50


class ListingCalls:
    """A part of `TableServicer`, which sets `_index`."""

    _index: Index

    async def ListTables(
        self, request: pb.ListTablesRequest | None, context: Context
    ) -> pb.ListTablesResponse:
        """See the proto."""
        asked = readable(request)
        wanted, size, seal = wanted_of(asked), size_of(asked.page_size), _seal(asked)
        tables, last = await self._index.page(place_of(asked.page_token, seal), size, wanted)
        return pb.ListTablesResponse(
            tables=[_summary(table) for table in tables], next_page_token=token_of(last, seal)
        )


def wanted_of(asked: pb.ListTablesRequest) -> Wanted:
    """The filter of a request."""
    if asked.preset and asked.preset not in PRESETS:
        raise malformed(f"preset must be one of {', '.join(PRESETS)}, or empty")
    if len(asked.name_contains) > NAME_LENGTH:
        raise malformed(f"name_contains must be at most {NAME_LENGTH} characters")
    if asked.status not in pb.TableStatus.values():
        raise malformed(f"status must be one of {', '.join(pb.TableStatus.keys())}")
    if asked.template_id and not is_id(asked.template_id):
        raise malformed("template_id must be 1 to 64 letters, digits, '_', '.' or '-', or empty")
    return Wanted(
        asked.preset,
        asked.name_contains,
        status_from_proto(asked.status) if asked.status else None,
        asked.with_free_seat,
        asked.template_id,
        _range("ante", asked.least_ante, asked.most_ante),
        _range("buy_in", asked.least_buy_in, asked.most_buy_in),
    )


def size_of(asked: int) -> int:
    """The size of a page."""
    if asked > PAGE:
        raise malformed(f"page_size must be 0 to {PAGE}, not {asked}")
    return asked or USUAL_PAGE


def token_of(last: str, seal: bytes = b"") -> str:
    """The token of the page behind `last`; "" behind the last one."""
    if not last:
        return ""
    name = last.encode()
    return urlsafe_b64encode(crc32(name + seal).to_bytes(4, "big") + name).decode()


def place_of(token: str, seal: bytes = b"") -> str:
    """The id behind which a page begins."""
    try:
        last = urlsafe_b64decode(token.encode("ascii"))[4:].decode("ascii")
    except ValueError:
        raise _no_token() from None
    if token and (not is_id(last) or token_of(last, seal) != token):
        raise _no_token()
    return last


def _no_token() -> Exception:
    return malformed("page_token must be a next_page_token of an answer to the same filter, or empty")


def _seal(asked: pb.ListTablesRequest) -> bytes:
    """The filter, in a form that is equal for equal ones."""
    bare = pb.ListTablesRequest()
    bare.CopyFrom(asked)
    bare.ClearField("page_size")
    bare.ClearField("page_token")
    return bare.SerializeToString(deterministic=True)


def _range(name: str, least: int, most: int) -> Range:
    if least < 0 or most < 0:
        raise malformed(f"least_{name} and most_{name} must not be below 0")
    if most and least > most:
        raise malformed(f"least_{name} must not be above most_{name}")
    return least, most


def _summary(table: Listed) -> pb.TableSummary:
    return pb.TableSummary(
        table_id=table.id,
        config=config_to_proto(table.config),
        seated=table.seated,
        hands=table.hands,
        status=status_to_proto(table.status),
        template_id=table.template,
        waiting=table.waiting,
        maintenance=table.held,
        hand_running=table.running,
    )
