"""The Python SDK for players and operators: a typed async client, and bots.

Here: calls with retries by request id, the Play stream, what a player sees, strategies. Not here: rules (a
bot chooses among the legal actions that it is offered) or the state server. No service imports this
package. Start with `Servito`; the messages are in `servito_client.messages`, the actions in
`servito_client.actions`."""

from __future__ import annotations

from servito_client.client import Seated, Servito
from servito_client.errors import Refusal, TableError, Unanswered
from servito_client.messages import TableConfig
from servito_client.retries import Effort, RetryPolicy
from servito_client.seat import Seat
from servito_client.updates import Snapshot, Told, Update, Warned

__all__ = [
    "Effort",
    "Refusal",
    "RetryPolicy",
    "Seat",
    "Seated",
    "Servito",
    "Snapshot",
    "TableConfig",
    "TableError",
    "Told",
    "Unanswered",
    "Update",
    "Warned",
]
