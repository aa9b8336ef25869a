"""The evaluator: rank, winner sets, openers, odds; stateless, batched, driven by tables.

Proven equal to servito_core.ranking by exhaustive tests. Not here: state. main -> rpc -> app.
"""

from __future__ import annotations
