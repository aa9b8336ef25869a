"""The table's own types as messages, both ways: what `rpc` and `adapters` have in common. No connection,
no store.
"""

from __future__ import annotations
