"""Every call of the SDK that changes something: sent again it is the very same request, and a new wish is
another one.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest
from google.protobuf import message_factory

from servito.table.v1 import table_pb2 as pb
from servito_client.actions import bet
from servito_client.client import Servito
from servito_client.messages import Offer, TableConfig
from servito_client.pre_actions import check_or_fold
from tests.client.scripted import ScriptedTable, Served, Why, broken, failure

SERVICE: Final = pb.DESCRIPTOR.services_by_name["TableService"]
OFFER: Final = Offer(turn_id=7, hand_id="t1-3")
VIEW: Final = pb.TableView(table_id="t1", hand=pb.HandView(hand_id="t1-3", turn_id=12))
CALLS: Final[dict[str, Callable[[Servito], Awaitable[Any]]]] = {
    "CreateTable": lambda servito: servito.create_table(TableConfig(name="Sala")),
    "Sit": lambda servito: servito.sit("t1", buy_in=40),
    "Stand": lambda servito: servito.stand("t1"),
    "Act": lambda servito: servito.act("t1", OFFER, bet(4)),
    "SetPreAction": lambda servito: servito.set_pre_action(VIEW, check_or_fold()),
    "SitOut": lambda servito: servito.sit_out("t1"),
    "SitIn": lambda servito: servito.sit_in("t1"),
    "TopUp": lambda servito: servito.top_up("t1", 5),
    "SetEntropy": lambda servito: servito.set_entropy("t1", b"dice"),
    "JoinWaitingList": lambda servito: servito.join_waiting_list("t1"),
    "LeaveWaitingList": lambda servito: servito.leave_waiting_list("t1"),
    "PauseTable": lambda servito: servito.pause_table("t1"),
    "ResumeTable": lambda servito: servito.resume_table("t1"),
    "CloseTable": lambda servito: servito.close_table("t1"),
    "ProposeRules": lambda servito: servito.propose_rules("t1", {"bet.limit": "none"}),
    "AnswerProposal": lambda servito: servito.answer_proposal("t1", 9, agree=True),
}
IDEMPOTENT: Final[dict[str, Callable[[Servito], Awaitable[Any]]]] = {
    "PutTemplate": lambda servito: servito.put_template("sala", TableConfig(name="Sala"), 3),
    "DeleteTemplate": lambda servito: servito.delete_template("sala"),
    "SetMaintenance": lambda servito: servito.set_maintenance(on=True, why="upgrade"),
}
"""They say all that is wished for, so that no id is needed to repeat them."""


def failing(name: str, *failures: Exception) -> ScriptedTable:
    """Fails so, and then answers the call of that name."""
    answer = message_factory.GetMessageClass(SERVICE.methods_by_name[name].output_type)()
    left = [*failures, answer, answer]

    def answered(_request: Any) -> Any:
        now = left.pop(0)
        if isinstance(now, Exception):
            raise now
        return now

    return ScriptedTable(unary=answered)


def test_every_rpc_with_a_request_id_is_here() -> None:
    """Those of the proto, and no others: a new one needs its line above."""
    with_id = {method.name for method in SERVICE.methods if "request_id" in method.input_type.fields_by_name}
    assert with_id == CALLS.keys()


@pytest.mark.parametrize("name", CALLS | IDEMPOTENT)
async def test_a_call_is_repeated_as_it_was(name: str) -> None:
    """Lost connections, an unknown outcome, a server that is away: what is sent again is the same to the
    byte, request id included, and the same wish said anew has an id of its own.
    """
    call = (CALLS | IDEMPOTENT)[name]
    table = failing(name, broken(), failure(Why.OUTCOME_UNKNOWN), failure(Why.UNAVAILABLE))
    async with Served(table) as servito:
        await call(servito)
        assert servito.effort.retries == 3
        await call(servito)
    *repeats, other = table.asked
    assert len(repeats) == 4
    assert len({request.SerializeToString(deterministic=True) for request in repeats}) == 1
    if name in CALLS:
        assert repeats[0].request_id
        assert other.request_id not in ("", repeats[0].request_id)
        other.request_id = repeats[0].request_id
    assert other == repeats[0]
