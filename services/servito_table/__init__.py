"""The table: seats, chips in play, turns, pots, deadlines, the event log; one state per table.

Not here: shuffling, ranking, undealt cards. main -> rpc, adapters -> app.
"""

from __future__ import annotations
