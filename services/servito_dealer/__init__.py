"""The dealer: seeds, sealing, shuffling, dealing, drawing, reshuffling, proofs.

It speaks deck positions and slots only. Not here: rules, chips, players. main -> rpc, adapters -> app.
"""

from __future__ import annotations
