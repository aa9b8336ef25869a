"""A stored hand, folded again: by the rules of the core, state by state compared with what was stored.

Here: entries of the archive as values, opening what is sealed for the auditor, folding and deciding anew, the
first difference and its place, the hand as somebody may see it, and JSON lines. Pure but for the seals: no
SQL, no Redis, no file. Reading an archive is `servito_history`'s, words for people are the command's.
"""

from __future__ import annotations
