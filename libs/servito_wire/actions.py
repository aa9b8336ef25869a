"""What a player asks for: `Action` -> the commands of servito_core/commands.py.

Nothing is refused here. What cannot be read is passed on as it came, because only the core can refuse in the
order of the contract (tests/cases/README.md): no `to` is None, an unknown kind or a field that is not for the
kind makes `Unreadable`, and numbers that are no cards stay as they are. What may be asked for is in `offers`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, cast

from servito.table.v1 import table_pb2 as pb
from servito_core import commands as core
from servito_core.cards import Card
from servito_wire.moves import BLINDS, WORDS

Reader = Callable[[pb.Action, int], core.PlayerCommand]


def command_of(action: pb.Action, seat: int) -> core.PlayerCommand:
    """What the player of `seat` asks for; `Unreadable` says what was wrong and what is allowed."""
    known = READERS.get(action.kind)
    if known is None:
        kinds = ", ".join(_name(kind) for kind in READERS)
        return core.Unreadable(seat, f"action.kind must be one of {kinds}, not {action.kind}")
    allowed, read = known
    for field, _ in action.ListFields():
        if field.name not in allowed:
            return core.Unreadable(
                seat, f"{_name(action.kind)} takes no {field.name}: leave action.{field.name} out"
            )
    return read(action, seat)


def _name(kind: pb.ActionKind.ValueType) -> str:
    return pb.ActionKind.Name(kind).removeprefix("ACTION_KIND_")


def _to(action: pb.Action) -> int | None:
    return action.to if action.HasField("to") else None


def _post_blind(action: pb.Action, seat: int) -> core.PlayerCommand:
    blind = BLINDS.get(action.blind)
    if blind is None:
        return core.Unreadable(
            seat, f"action.blind must be BLIND, COUNTER_BLIND or OVER_BLIND, not {action.blind}"
        )
    return core.PostBlind(seat, blind, _to(action))


def _draw(action: pb.Action, seat: int) -> core.PlayerCommand:
    return core.Draw(seat, cast("tuple[Card, ...]", tuple(action.discards)))


def _check(action: pb.Action, seat: int) -> core.PlayerCommand:
    return core.Check(seat, WORDS.get(action.word, str(action.word)))


_PLAIN: Final = frozenset({"kind"})
_AMOUNT: Final = frozenset({"kind", "to"})

READERS: Final[dict[pb.ActionKind.ValueType, tuple[frozenset[str], Reader]]] = {
    pb.ACTION_KIND_PASS: (_PLAIN, lambda _, seat: core.Pass(seat)),
    pb.ACTION_KIND_OPEN: (_AMOUNT, lambda action, seat: core.Open(seat, _to(action))),
    pb.ACTION_KIND_CHECK: (frozenset({"kind", "word"}), _check),
    pb.ACTION_KIND_BET: (_AMOUNT, lambda action, seat: core.Bet(seat, _to(action))),
    pb.ACTION_KIND_CALL: (_PLAIN, lambda _, seat: core.Call(seat)),
    pb.ACTION_KIND_RAISE: (_AMOUNT, lambda action, seat: core.RaiseTo(seat, _to(action))),
    pb.ACTION_KIND_FOLD: (_PLAIN, lambda _, seat: core.Fold(seat)),
    pb.ACTION_KIND_DRAW: (frozenset({"kind", "discards"}), _draw),
    pb.ACTION_KIND_POST_BLIND: (frozenset({"kind", "to", "blind"}), _post_blind),
    pb.ACTION_KIND_COVER_BLIND: (_PLAIN, lambda _, seat: core.CoverBlind(seat)),
    pb.ACTION_KIND_DECLINE_BLIND: (_PLAIN, lambda _, seat: core.DeclineBlind(seat)),
    pb.ACTION_KIND_TABLE_HAND: (_PLAIN, lambda _, seat: core.TableHand(seat)),
    pb.ACTION_KIND_CONCEDE: (_PLAIN, lambda _, seat: core.Concede(seat)),
}
"""By kind: the fields that it may have, and how it is read."""
