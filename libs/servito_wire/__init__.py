"""The one mapping between the core's types and the protos, refusals included, both ways.

Modules are split so that a service imports only messages that it speaks: `dealer`; `evaluator`, `ranking`;
for the table `actions`, `offers`, `hand`, `events`, `views` and what they share, `refusals`; `cards` for all.
Not here: connections, rules. Changes with protos/servito and with the core's commands, events and refusals.
"""

from __future__ import annotations
