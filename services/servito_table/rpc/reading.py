"""Requests into commands: what cannot be read is refused as MALFORMED, naming the field and what is allowed.

Nothing has been looked up or changed by then. What a readable request means is for the use cases; whether an
action is legal, and in which order the reasons against it are checked, for the core. A request that is no
message at all, or too large for one (`methods.py`), arrives here as None.
"""

from __future__ import annotations

import re
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, TypeVar

from servito.table.v1 import table_pb2 as pb
from servito_platform.keys import is_id
from servito_table.app.acting_events import PreActionKind
from servito_table.app.commands import (
    Act,
    AnswerProposal,
    CloseTable,
    JoinWaitingList,
    LeaveWaitingList,
    PauseTable,
    ProposeRules,
    ResumeTable,
    SetEntropy,
    SetPreAction,
    Sit,
    SitIn,
    SitOut,
    Stand,
    TopUp,
)
from servito_table.app.commits import Request
from servito_table.app.refusals import TableReason, TableRefused
from servito_wire.actions import command_of

if TYPE_CHECKING:
    from collections.abc import Sequence

LARGEST: Final = 65_536
"""Bytes of a request: some times the largest that there is, a full claim of deadlines. gRPC's own limit is 4
MiB; to read so much and say what is wrong with it would hold up all tables of a process for seconds.
"""
MEMBERS: Final = 256
CHANGES: Final = 100
MOST_ENTROPY: Final = 32

_REQUEST_ID: Final = re.compile(r"[!-~]{1,64}")
_MEMBER: Final = re.compile(r"([A-Za-z0-9_.-]{1,64}):([a-z]?[0-9]{1,18})")
_HAND_ID: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}-(0|[1-9][0-9]{0,17})")
M = TypeVar("M")


def malformed(message: str) -> TableRefused:
    """The refusal of a request that cannot be read."""
    return TableRefused(TableReason.MALFORMED, message)


def readable(request: M | None) -> M:
    """The request, if it is one."""
    if request is None:
        raise malformed(f"the bytes of the request are no message of this method, or more than {LARGEST}")
    return request


def table_id_of(table_id: str) -> str:
    """The id of a table."""
    if not is_id(table_id):
        raise malformed("table_id must be 1 to 64 letters, digits, '_', '.' or '-'")
    return table_id


def request_id_of(request_id: str) -> str:
    """The id of a request."""
    if not _REQUEST_ID.fullmatch(request_id):
        raise malformed("request_id must be 1 to 64 printable ASCII characters without blanks")
    return request_id


def hand_id_of(hand_id: str) -> str:
    """The id of a hand."""
    if not _HAND_ID.fullmatch(hand_id):
        raise malformed("hand_id must be the id of a table, '-', and a number without leading zeros")
    return hand_id


def act_of(asked: pb.ActRequest, player: str) -> tuple[Act, Request]:
    """What an act asks for; its table is read apart, because a stream names it once."""
    if not asked.HasField("action"):
        raise malformed("action is missing")
    action = asked.action
    kind = _KINDS.get(action.kind, "unreadable")
    hand = hand_id_of(asked.hand_id) if asked.hand_id else ""
    command = Act(player, asked.turn_id, kind, partial(command_of, action), hand, asked.lineage)
    content = b"act %d " % asked.turn_id + action.SerializeToString(deterministic=True) + hand.encode()
    hidden = action.kind == pb.ACTION_KIND_DRAW
    return command, _request(player, asked.request_id, content, of_turn=True, hidden=hidden)


def pre_action_of(asked: pb.SetPreActionRequest, player: str) -> tuple[SetPreAction, Request]:
    """What a player wants to do when his turn comes."""
    hand, wanted = hand_id_of(asked.hand_id), asked.pre_action
    content = f"pre-action {hand} {asked.turn_id} {wanted.kind} {wanted.amount}".encode()
    kind = None
    if asked.HasField("pre_action"):
        kind = _PRE_ACTIONS.get(wanted.kind)
        if kind is None:
            raise malformed("pre_action.kind must be CHECK_OR_FOLD or CALL")
        if (wanted.amount > 0) is not (kind is PreActionKind.CALL) or wanted.amount < 0:
            raise malformed("pre_action.amount must be at least 1 for CALL, and 0 for CHECK_OR_FOLD")
    command = SetPreAction(player, hand, asked.turn_id, kind, wanted.amount)
    return command, _request(player, asked.request_id, content, of_turn=kind is not None, hidden=True)


def sit_of(asked: pb.SitRequest, player: str) -> tuple[Sit, Request]:
    """What a player asks for who wants to sit."""
    seat = asked.seat if asked.HasField("seat") else None
    content = f"sit {seat} {asked.buy_in}".encode()
    return Sit(player, seat, asked.buy_in), _request(player, asked.request_id, content)


def stand_of(asked: pb.StandRequest, player: str) -> tuple[Stand, Request]:
    """What a player asks for who wants to leave."""
    return Stand(player), _request(player, asked.request_id, b"stand")


def propose_of(asked: pb.ProposeRulesRequest, player: str) -> tuple[ProposeRules, Request]:
    """What a player asks for who wants other rules."""
    if not 1 <= len(asked.changes) <= CHANGES:
        raise malformed(f"changes must name 1 to {CHANGES} options, not {len(asked.changes)}")
    content = b"propose " + repr(sorted(asked.changes.items())).encode()
    return ProposeRules(player, dict(asked.changes)), _request(player, asked.request_id, content)


def answer_of(asked: pb.AnswerProposalRequest, player: str) -> tuple[AnswerProposal, Request]:
    """What a player answers to a proposal."""
    content = f"answer {asked.proposal_id} {asked.agree}".encode()
    command = AnswerProposal(player, asked.proposal_id, asked.agree)
    return command, _request(player, asked.request_id, content)


def pause_of(asked: pb.PauseTableRequest, player: str) -> tuple[PauseTable, Request]:
    """What an owner asks for who wants no new hand."""
    return PauseTable(player), _request(player, asked.request_id, b"pause")


def resume_of(asked: pb.ResumeTableRequest, player: str) -> tuple[ResumeTable, Request]:
    """What an owner asks for who lets hands begin again."""
    return ResumeTable(player), _request(player, asked.request_id, b"resume")


def close_of(asked: pb.CloseTableRequest, player: str) -> tuple[CloseTable, Request]:
    """What an owner asks for who wants the table gone."""
    return CloseTable(player), _request(player, asked.request_id, b"close")


def entropy_of(asked: pb.SetEntropyRequest, player: str) -> tuple[SetEntropy, Request]:
    """What a player asks for who contributes to the order of the cards."""
    if len(asked.entropy) > MOST_ENTROPY:
        raise malformed(f"entropy must be at most {MOST_ENTROPY} bytes, not {len(asked.entropy)}")
    content = b"entropy " + asked.entropy
    return SetEntropy(player, asked.entropy), _request(player, asked.request_id, content, hidden=True)


def sit_out_of(asked: pb.SitOutRequest, player: str) -> tuple[SitOut, Request]:
    """What a player asks for who does not want to be dealt in."""
    return SitOut(player), _request(player, asked.request_id, b"sit out")


def sit_in_of(asked: pb.SitInRequest, player: str) -> tuple[SitIn, Request]:
    """What a player asks for who wants to be dealt in again."""
    return SitIn(player), _request(player, asked.request_id, b"sit in")


def top_up_of(asked: pb.TopUpRequest, player: str) -> tuple[TopUp, Request]:
    """What a player asks for who wants more chips."""
    content = f"top up {asked.amount}".encode()
    return TopUp(player, asked.amount), _request(player, asked.request_id, content)


def join_of(asked: pb.JoinWaitingListRequest, player: str) -> tuple[JoinWaitingList, Request]:
    """What a player asks for who wants to wait for a seat."""
    return JoinWaitingList(player), _request(player, asked.request_id, b"join")


def leave_of(asked: pb.LeaveWaitingListRequest, player: str) -> tuple[LeaveWaitingList, Request]:
    """What a player asks for who does not want to wait any more."""
    return LeaveWaitingList(player), _request(player, asked.request_id, b"leave")


def members_of(members: Sequence[str]) -> list[tuple[str, str]]:
    """Table and wait of each member of a claim."""
    if len(members) > MEMBERS:
        raise malformed(f"members: at most {MEMBERS}, not {len(members)}")
    found = [_MEMBER.fullmatch(member) for member in members]
    return [(_member(match)[1], _member(match)[2]) for match in found]


def _member(match: re.Match[str] | None) -> re.Match[str]:
    if match is None:
        raise malformed("members: each must be <table_id>:<wait>, a turn_id or a letter and a number")
    return match


def _request(
    player: str, request_id: str, content: bytes, *, of_turn: bool = False, hidden: bool = False
) -> Request:
    fingerprint = blake2b(content, digest_size=8).hexdigest()
    return Request(player, request_id_of(request_id), fingerprint, of_turn, hidden)


_PRE_ACTIONS: Final = {
    pb.PRE_ACTION_KIND_CHECK_OR_FOLD: PreActionKind.CHECK_OR_FOLD,
    pb.PRE_ACTION_KIND_CALL: PreActionKind.CALL,
}
_KINDS: Final = {
    number: name.removeprefix("ACTION_KIND_").lower() for name, number in pb.ActionKind.items() if number
}
