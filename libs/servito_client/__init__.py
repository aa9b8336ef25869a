"""The Python SDK for players and operators: a typed async client, and bots.

Here: calls with retries by request id, the Play stream, what a player sees, strategies. Not here: rules (a
bot chooses among the legal actions that it is offered) or the state server. No service imports this
package."""

from __future__ import annotations
