"""The whole system on one machine, as separate processes.

Here: embedded state and broker servers, the supervisor that starts, restarts and drains the parts, and the
chips reader that adds up state and journal by the stubs alone. Not here: an import of a service (they are
started as programs), a rule, or a test hook.
"""

from __future__ import annotations
