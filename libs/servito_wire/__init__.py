"""The one mapping between the core's types and the protos, refusals included, both ways.

One module for each service, so that a service imports only the messages that it speaks; this file imports nothing.
Not here: connections, rules. Changes with protos/servito and with the core's commands, events and refusals.
"""

from __future__ import annotations
