"""`servito audit`: the archive of what was played, verified and read. Here: words and commands.

Not here: the archive (servito_history).
"""

from __future__ import annotations
