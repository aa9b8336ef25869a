"""The tables in the state server: implements `app.ports.Store` with one script per call.

A commit is one round trip, whatever it does. Its effect and its answer are the script's (`commit.lua`); here
are the keys, the encoding and what each reply means. Commits that move money are the place for an
acknowledgement by a replica (`_send`).
"""

from __future__ import annotations

from secrets import randbits
from time import monotonic
from typing import TYPE_CHECKING, Any, Final
from uuid import uuid4

from servito_core.events import HandStarted
from servito_platform.redis import Script
from servito_table.adapters.answers import NoAnswer, answered
from servito_table.adapters.telling import journal_to_bytes
from servito_table.app.commits import (
    NO_WAITS,
    Answer,
    Committed,
    Known,
    Moved,
    Place,
    Repeated,
    Spared,
    Unmade,
)
from servito_table.app.refusals import ArchiveBehind, OutcomeUnknown, TableReason, TableRefused
from servito_table.app.status import Status

if TYPE_CHECKING:
    from collections.abc import Mapping

    from servito_platform.clock import ServerClock
    from servito_platform.keys import Keys
    from servito_platform.lane import Lane
    from servito_table.adapters.codec import Codec
    from servito_table.adapters.meters import Meters
    from servito_table.app.commits import Commit, Request

GRACE_MS: Final = 300
"""How long after its deadline an action that was on its way still counts."""
_REMEMBERED: Final = 8192
_ANSWER_PARTS: Final = 6
LINEAGE_BITS: Final = 32

_COMMIT: Final = Script.of_package("servito_table.adapters", "commit.lua")
_LOOK: Final = Script.of_package("servito_table.adapters", "look.lua")
_FORGET: Final = Script.of_package("servito_table.adapters", "forget.lua")


class RedisStore:
    """See the module."""

    def __init__(
        self,
        lane: Lane,
        keys: Keys,
        codec: Codec,
        clock: ServerClock,
        meters: Meters,
        outage_ms: int,
        backlog: int = 0,
    ) -> None:
        """`backlog`: with so many entries in the audit stream of its partition no hand begins; 0: whatever it
        has.
        """
        self._lane = lane
        self._keys = keys
        self._codec = codec
        self._clock = clock
        self._meters = meters
        self._backlog = backlog
        self._patience = f"{GRACE_MS} {outage_ms}"
        self._names: dict[str, list[str]] = {}
        self._requests: dict[tuple[str, str], str] = {}
        self.origin = uuid4().hex[:8]
        """What our wake-ups are signed with: to us they tell nothing new."""

    async def look(
        self, table_id: str, known: Known | None, request: Request | None
    ) -> Known | Repeated | Unmade | None:
        """See `app.ports.Store`."""
        at = "0 0" if known is None else f"{known.version} {known.lineage}"
        fingerprint = self._codec.fingerprint(request) if request else ""
        reply = await self._look(table_id, at, request, fingerprint)
        match reply[0]:
            case b"none":
                return None
            case b"same":
                return known
            case b"moved":
                return self._known(table_id, reply)
            case _:
                return await self._request_reply(table_id, request, reply)

    async def commit(self, commit: Commit) -> Committed | Moved | Repeated | Spared | Unmade:
        """See `app.ports.Store`."""
        lineage, began = randbits(LINEAGE_BITS) or 1, monotonic()
        try:
            args = self._commit_args(commit, lineage)
            reply = await self._send(_COMMIT, self._commit_keys(commit), args)
        except NoAnswer:
            self._meters.unknown_outcome()
            raise OutcomeUnknown from None
        finally:
            self._meters.commit_seconds.observe(monotonic() - began)
        match reply[0]:
            case b"ok":
                return Committed(_made(commit, lineage, reply), reply[1])
            case b"moved":
                if reply[5] is None:
                    raise TableRefused(TableReason.UNKNOWN_TABLE, "there is no table of this id any more")
                return Moved(self._known(commit.state.id, reply))
            case b"late":
                return Unmade.LATE
            case b"early":
                return Unmade.EARLY
            case b"spared":
                return Spared(reply[2], reply[3])
            case b"behind":
                raise ArchiveBehind(reply[2])
            case _:
                return await self._request_reply(commit.state.id, commit.request, reply)

    async def _look(self, table_id: str, at: str, request: Request | None, fingerprint: str) -> Any:
        keys = [self._keys.table(table_id)]
        if request is None:
            return await self._send(_LOOK, keys, (at, "", "", ""))
        keys.append(self._list(table_id, request.player))
        return await self._send(_LOOK, keys, (at, request.id, fingerprint, _acts(request)))

    async def forget_wait(self, table_id: str, wait: str) -> bool:
        """See `app.ports.Store`."""
        keys = [self._keys.table(table_id), self._keys.deadlines(self._keys.partition(table_id))]
        return bool(await self._send(_FORGET, keys, (f"{table_id}:{wait}", wait)))

    async def _send(self, script: Script, keys: list[str], args: tuple[str | bytes | int, ...]) -> Any:
        sent = monotonic()
        reply = await answered(self._lane.run(script, keys, args))
        if isinstance(reply, list) and len(reply) > 1 and isinstance(reply[1], int):
            self._clock.observe(reply[1], sent, monotonic())
        return reply

    def _commit_keys(self, commit: Commit) -> list[str]:
        table_id = commit.state.id
        names = self._names.get(table_id) or self._named(table_id)
        asked = [self._list(table_id, commit.request.player)] if commit.request else []
        if commit.state.status is Status.CLOSED:
            asked.append(self._keys.closed(self._keys.partition(table_id)))
        return [*names, *asked] if asked else names

    def _list(self, table_id: str, player: str) -> str:
        """The key of the player's requests."""
        key = self._requests.get((table_id, player))
        if key is None:
            if len(self._requests) >= _REMEMBERED:
                self._requests.clear()
            key = self._requests[table_id, player] = self._keys.requests(table_id, player)
        return key

    def _named(self, table_id: str) -> list[str]:
        """The keys of a table, as commit.lua wants them."""
        keys = self._keys
        partition = keys.partition(table_id)
        if len(self._names) >= _REMEMBERED:
            self._names.clear()
        names = self._names[table_id] = [
            keys.table(table_id),
            keys.deadlines(partition),
            keys.events(table_id),
            keys.journal(partition),
            keys.tables(partition),
            keys.wakeups(partition),
            keys.sweep(partition),
            keys.audit(partition),
        ]
        return names

    def _commit_args(self, commit: Commit, lineage: int) -> tuple[str | bytes | int, ...]:
        state, before, request = commit.state, commit.before, commit.request
        version, written = commit.version, self._codec.written(commit, lineage)
        begins = any(type(event) is HandStarted for event in commit.events)
        return (
            "0 0" if before is None else f"{before.version} {before.lineage}",
            written.state,
            written.told,
            commit.fence.value,
            self._patience,
            commit.fenced or (0 if before is None else before.state.turn),
            state.turn,
            "keep" if commit.wait_ms is None else commit.wait_ms,
            state.id,
            request.id if request else "",
            self._codec.fingerprint(request) if request else "",
            _answer_to_bytes(commit.answer) if request else b"",
            _acts(request) if request else "",
            "1" if request and request.of_turn else "",
            self.origin,
            lineage,
            written.audit,
            written.seal,
            self._backlog if begins else 0,
            "".join(f" {seated.player} " for seated in state.seats) if begins else "",
            len(commit.waits),
            *(part for wait in commit.waits for part in wait),
            *(journal_to_bytes(state.id, version, player, amount) for player, amount in commit.money),
        )

    def _known(self, table_id: str, reply: list[Any]) -> Known:
        _, _, version, started, deadline, blob, waits, lineage, begun = reply
        state = self._codec.decode(blob, table_id, Place(version, int(lineage)))
        return Known(state, version, started, deadline, _waits(waits), int(lineage), int(begun))

    async def _request_reply(
        self, table_id: str, request: Request | None, reply: list[Any]
    ) -> Repeated | Unmade:
        """What is remembered of a request. It may be under another fingerprint of the same content
        (sealing.py).
        """
        if reply[0] == b"reused" and request is not None:
            for fingerprint in self._codec.other_fingerprints(request):
                again = await self._look(table_id, "0 0", request, fingerprint)
                if again[0] == b"saved":
                    return Repeated(_answer_from_bytes(again[1]))
        return Repeated(_answer_from_bytes(reply[1])) if reply[0] == b"saved" else Unmade.REUSED


def _acts(request: Request) -> str:
    """Where a table's hash has the acts of who asks."""
    return f"a:{request.player}"


def _made(commit: Commit, lineage: int, reply: list[Any]) -> Known:
    """The table after a commit."""
    state, before = commit.state, commit.before
    if before is None:
        begun = parent = lineage
    else:
        parent = before.lineage
        begun = before.begun if before.state.turn == state.turn else lineage
    return Known(state, commit.version, reply[2], reply[3], _waits(reply[4]), lineage, begun, parent)


def _waits(written: bytes) -> Mapping[str, int]:
    """The deadlines beside the turn's, as commit.lua writes them."""
    if not written:
        return NO_WAITS
    named = (wait.split("=") for wait in written.decode().split())
    return {name: int(ends) for name, ends in named}


def _answer_to_bytes(answer: Answer) -> bytes:
    parts = (
        answer.version,
        answer.seat,
        answer.cashed_out,
        answer.proposal,
        answer.added,
        answer.place,
    )
    return b",".join(b"" if part is None else b"%d" % part for part in parts)


def _answer_from_bytes(saved: bytes) -> Answer:
    # What a newer release has added behind them means nothing here.
    parts = [int(part) if part else None for part in saved.split(b",")[:_ANSWER_PARTS]]
    return Answer(parts[0] or 0, *parts[1:])
