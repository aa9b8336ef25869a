"""Checking that the cards of a hand lay where the dealer was bound to have them before they came.

`file` writes what a player saw and what opens his cards into one file, `told` reads what was told before and
with the cards, `check` compares and finds what does not fit, `hashes` has the dealer's definitions. Nothing
of the services' code is used here, and nothing of `deploy/verifier/verify_hand.py`, which does the same by
itself for who does not trust this one.
"""

from __future__ import annotations
