"""The table's use cases and the pure decisions behind them. No transport and no store here: those are ports
(`ports`).
"""

from __future__ import annotations
