"""The one mapping between the core's types and the protos, refusals included, both ways.

Modules are split so that a service imports only the messages that it speaks: `dealer`, `evaluator`, and for
the table `actions`, `events`, `hand`, `values`, `views`, `refusals`; `cards` is for all. No imports here.
Not here: connections, rules. Changes with protos/servito and with the core's commands, events and refusals.
"""

from __future__ import annotations
