"""The archive of what was played: every commit and every movement of money, in SQL, chained by hashes.

Here: tables and migrations, the chain, writing (append), reading, verifying, and the state server's side of
it (the streams that are drained). Append-only: nothing here changes or removes a row. Not here: when it is
drained (the timers), opening what is sealed for the auditor, and words for people (the command). Blocking.
"""

from __future__ import annotations
