"""The port `Vault` on the state server: one list per hand, every element sealed, one round trip per call.

Here: the stored form (`store.proto`), its sealing, and the compare-and-append (`append.lua`). The state
server sees sealed bytes only. What a record means is the business of `app.record`; key names are
`servito_platform.keys`.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

import hiredis
import structlog

from servito.dealer.v1 import store_pb2
from servito_dealer.adapters.alarms import Alarm, Sound, unheard
from servito_dealer.adapters.sealer import FORM, NEW_FORM, Sealer
from servito_dealer.app.ports import Mark, Stored
from servito_dealer.app.refusals import Reason, Refused
from servito_dealer.app.requests import DealEntry, DrawEntry, Opening
from servito_dealer.app.source import COMMITTED, PLAIN
from servito_platform.redis import Script, StateUnavailable
from servito_platform.seal_keys import SealError
from servito_wire.dealer import deal_request, draw_request, open_request, read_deal, read_draw, read_open

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from google.protobuf.message import Message

    from servito_dealer.app.requests import Entry
    from servito_platform.firm import FirmLane
    from servito_platform.keys import Keys
    from servito_platform.lane import Lane
    from servito_platform.redis import Argument

_APPEND: Final = Script.of_package("servito_dealer.adapters", "append.lua")
_SAFE: Final = Script.of_package("servito_dealer.adapters", "safe.lua")
_log: structlog.stdlib.BoundLogger = structlog.get_logger(__name__)


class StateVault:
    """See the module. `firm`: the connection for what replicas are to acknowledge; None: they are not asked.

    `keep_seconds`: life of a record after its last entry; `observe` is told the seconds that each write took,
    from sealing it to the server's answer; `sound` counts alarms; `scheme` (of `app.source`) is that of hands
    to be opened.
    """

    def __init__(
        self,
        lane: Lane,
        firm: FirmLane | None,
        keys: Keys,
        sealer: Sealer,
        *,
        keep_seconds: int,
        observe: Callable[[float], None],
        sound: Sound = unheard,
        scheme: int = COMMITTED,
    ) -> None:
        self._lane = lane
        self._firm = firm
        self._keys = keys
        self._sealer = sealer
        self._keep_ms = keep_seconds * 1000
        self._observe = observe
        self._sound = sound
        self._scheme = scheme

    async def open(self, opening: Opening, seed: bytes, *first: DealEntry) -> Stored:
        """See `Vault`."""
        request = open_request(
            opening.hand,
            opening.lowest_rank,
            opening.slots,
            opening.draw_max,
            opening.draws,
            opening.holders,
        )
        begun = store_pb2.StoredHand(seed=seed, opening=request, scheme=self._scheme)
        contents = (begun, *(_stored_entry(opening.hand, entry) for entry in first))
        written, safe = await self._write(opening.hand, Mark(0, b""), contents, firmly=True)
        if isinstance(written, Mark):
            return Stored(seed, opening, first, written, self._scheme, safe)
        return replace(self._unsealed(opening.hand, written), safe=safe)

    async def safe(self, hand: str) -> bool:
        """See `Vault`."""
        if self._firm is None:
            return True
        try:
            found, safe = await self._firm.run(_SAFE, [self._keys.hand(hand)], (self._keep_ms,))
        except (StateUnavailable, hiredis.ReplyError) as error:
            raise _unavailable("asked for", error) from error
        return bool(found) and safe

    async def load(self, hand: str) -> Stored | None:
        """See `Vault`."""
        try:
            elements: list[bytes] = await self._lane.execute("LRANGE", self._keys.hand(hand), 0, -1)
        except (StateUnavailable, hiredis.ReplyError) as error:
            raise _unavailable("read", error) from error
        return self._unsealed(hand, elements) if elements else None

    async def append(self, hand: str, mark: Mark, entry: Entry) -> Mark | Stored | None:
        """See `Vault`."""
        written, _ = await self._write(hand, mark, (_stored_entry(hand, entry),))
        if isinstance(written, Mark):
            return written
        return self._unsealed(hand, written) if written else None

    async def _write(
        self, hand: str, mark: Mark, contents: Sequence[Message], *, firmly: bool = False
    ) -> tuple[Mark | list[bytes], bool]:
        """The new mark, or the elements that are stored instead; and, if `firmly`, whether that is safe."""
        begin = perf_counter()
        try:
            sealed = [self._sealed(hand, place, each) for place, each in enumerate(contents, mark.length)]
        except (OSError, NotImplementedError) as error:
            _log.critical("entropy_alarm", what="failed", error=type(error).__name__)
            self._sound(Alarm.ENTROPY)
            raise _unavailable("sealed", error) from error
        keys = [self._keys.hand(hand)]
        arguments: tuple[Argument, ...] = (mark.length, mark.last, self._keep_ms, *sealed)
        reply: list[Any]
        safe = True
        try:
            if firmly and self._firm is not None:
                reply, safe = await self._firm.run(_APPEND, keys, arguments)
            else:
                reply = await self._lane.run(_APPEND, keys, arguments)
        except (StateUnavailable, hiredis.ReplyError) as error:
            raise _unavailable("stored", error) from error
        self._observe(perf_counter() - begin)
        return (Mark(mark.length + len(sealed), sealed[-1]) if reply[0] else reply[1:]), safe

    def _sealed(self, hand: str, place: int, content: Message) -> bytes:
        form = NEW_FORM if place == 0 and self._scheme != PLAIN else FORM
        return self._sealer.seal(hand, place, content.SerializeToString(), form)

    def _unsealed(self, hand: str, elements: Sequence[bytes]) -> Stored:
        try:
            return unsealed(self._sealer, hand, elements)
        except SealError as error:
            _log.critical("seal_alarm", what=str(error))
            self._sound(Alarm.SEAL)
            raise Refused(Reason.UNAVAILABLE, "the record of this hand cannot be opened here") from error


def unsealed(sealer: Sealer, hand: str, elements: Sequence[bytes]) -> Stored:
    """What the elements of a record say, the first one first; SealError where one does not open."""
    first, *rest = [sealer.open(hand, place, sealed) for place, sealed in enumerate(elements)]
    stored = store_pb2.StoredHand.FromString(first)
    opening = Opening(*read_open(stored.opening))
    entries = tuple(_entry(store_pb2.StoredEntry.FromString(each)) for each in rest)
    mark = Mark(len(elements), elements[-1])
    return Stored(stored.seed, opening, entries, mark, stored.scheme or PLAIN)


def _stored_entry(hand: str, entry: Entry) -> store_pb2.StoredEntry:
    if isinstance(entry, DealEntry):
        return store_pb2.StoredEntry(deal=deal_request(hand, entry.contributions))
    order = (entry.number, entry.slot, entry.draw, entry.count, entry.excluded, entry.refills)
    return store_pb2.StoredEntry(draw=draw_request(hand, order))


def _entry(stored: store_pb2.StoredEntry) -> Entry:
    match stored.WhichOneof("entry"):
        case "deal":
            return DealEntry(read_deal(stored.deal)[1])
        case "draw":
            return DrawEntry(*read_draw(stored.draw)[1])
        case kind:
            raise ValueError(f"a stored entry of a kind that this release does not know: {kind}")


def _unavailable(what: str, error: Exception) -> Refused:
    _log.error("vault_unavailable", what=what, error=type(error).__name__)
    return Refused(Reason.UNAVAILABLE, f"the record of this hand could not be {what}; send the request again")
