"""The whole system on one machine, as separate processes.

Here: embedded state and broker servers, the supervisor that starts, restarts and drains the parts, and
reading the chips of the whole state server as the witness counts them. Not here: an import of a service
(they are started as programs), a rule, or a test hook.
"""

from __future__ import annotations
